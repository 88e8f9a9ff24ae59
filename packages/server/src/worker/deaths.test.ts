import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { importGiveUps } from '../areas/import/broken-off.ts'
import { receiptGiveUps } from '../areas/purchase-receipt/render.ts'
import { saleGiveUps } from '../areas/sale/jobs.ts'
import { violationsIn } from '../invariants/check.ts'
import { type JobServices, queue } from '../jobs.ts'
import { testApp } from '../testing/app.ts'
import { applyImport, applyUndo, importCsv, uploadCsv } from '../testing/csv-upload.ts'
import { replanned, uploadPreview } from '../testing/preview-upload.ts'
import { newImei, openShop, runSaleJobs, stockItems } from '../testing/shop.ts'
import { giveUpJobs } from './give-up.ts'
import { freeJobsOfTheDead } from './lease.ts'
import { startWorker } from './worker.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function open() {
  const t = await testApp()
  endings.push(() => t.close())
  const rows = async (query: string, values: unknown[] = []) => (await t.db.pool.query(query, values)).rows
  let dead = 0
  return {
    t,
    user: await t.user(),
    shop: await openShop(t.db),
    rows,
    /** Puts the queue in the state that an instance leaves if it is killed while it has these jobs. */
    die: (where: string, isLeaving = false) => {
      const id = `dead ${++dead}`
      return t.db.write(async (tx) => {
        if (isLeaving) await sql`insert into worker values (${id}, now() - interval '1 minute', true)`.execute(tx)
        await sql`
          with held as (
            update graphile_worker._private_jobs set locked_at = now(), locked_by = ${id}, attempts = attempts + 1
            where ${sql.raw(where)} returning job_queue_id)
          update graphile_worker._private_job_queues set locked_at = now(), locked_by = ${id}
          where id in (select job_queue_id from held)`.execute(tx)
      })
    },
    deaths: () => rows('select deaths from job_death order by job_id'),
    jobs: () =>
      rows(`
        select task_identifier as task, locked_by is not null as held from graphile_worker.jobs
        where task_identifier <> 'tidy' order by task_identifier`),
    free: () => freeJobsOfTheDead(t.db.pool, t.app.log),
  }
}
type Open = Awaited<ReturnType<typeof open>>

const csv = (n: number) =>
  [
    'imei,make,model,category,purchase_price',
    ...Array.from({ length: n }, () => `${newImei()},Apple,iPhone 13,Phone,200`),
  ].join('\n')

/** Runs the jobs that tell people about given-up jobs, until none is left. */
async function sayGivenUp({ t, jobs }: Open): Promise<void> {
  const services: JobServices = { db: t.db, config: t.config, dataDir: '', log: t.app.log }
  const handlers = giveUpJobs(
    services,
    { ...importGiveUps, ...saleGiveUps(services), ...receiptGiveUps },
    t.app.metrics,
  )
  const worker = await startWorker(services, handlers, t.connection)
  await vi.waitFor(async () => expect(await jobs()).not.toContainEqual(expect.objectContaining({ task: 'give_up' })), {
    timeout: 60_000,
  })
  await worker.stop()
}

test('a second death gives a job up: what people see, and that each can be asked for anew', async () => {
  const o = await open()
  const { t, user, shop, rows, die, free, jobs } = o
  // The jobs of this test: an import, the plan of a preview, an undo, a document, a spreadsheet, a mail and a receipt.
  const undone = (await importCsv(t, user, { csv: csv(1) })).id
  await rows('delete from graphile_worker._private_jobs')
  const applied = (await uploadCsv(user, { csv: csv(1) })).body.data.import_id
  const planned = (await uploadPreview(user, { csv: csv(1) })).body.data.import_id
  expect((await user.post(`/api/stock/import/history/${undone}/undo`)).status).toBe(202)
  const [item] = await stockItems(t.db, shop, 1)
  const order = { stock_items: [{ id: item }], customer_id: shop.customer, create_invoice: true, create_excel: true }
  const sale = (await user.post('/api/sale/create', { ...order, send_email: false })).body.data.id
  const [other] = await stockItems(t.db, shop, 1)
  const mailed = await user.post('/api/sale/create', {
    ...{ stock_items: [{ id: other }], customer_id: shop.customer, create_invoice: false, send_email: true },
  })
  const mailedSale = mailed.body.data.id
  const items = await stockItems(t.db, shop, 1, { purchase_treatment: 'margin' })
  const seller = { name: 'Anna', address_1: 'Lane 1', city: 'Ede', country_code: 'NL' }
  const { token } = (await user.get(`/api/purchase-receipt/proposal?ids=${items}`)).body.data
  const bought = { items, seller, bought_on: '2026-01-02', lang: 'en', token }
  const receipt = (await user.post('/api/purchase-receipt/create', bought)).body.data.id
  expect(await jobs()).toEqual(
    ['import_apply', 'import_plan', 'import_undo', 'invoice_render', 'mail_send', 'receipt_render', 'sheet_render'].map(
      (task) => ({
        task,
        held: false,
      }),
    ),
  )

  await die('true')
  await free()
  expect(await o.deaths()).toEqual(Array.from({ length: 7 }, () => ({ deaths: 1 })))
  expect((await jobs()).map(({ held }) => held)).toEqual(Array(7).fill(false))
  await die('true')
  await free()
  expect(await jobs()).toEqual(Array(7).fill({ task: 'give_up', held: false }))
  await sayGivenUp(o)
  expect(await jobs()).toEqual([])
  expect(await o.deaths()).toEqual([])
  const figures = await t.app.inject('/metrics')
  expect(figures.body).toContain('backstock_jobs_given_up_total{job="import_plan"} 1\n')

  const importOf = async (id: number) => (await user.get(`/api/stock/import/history?id=${id}`)).body.data[0]
  expect(await importOf(applied)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(
      /^The server stopped twice at the same point of this import.+ Nothing was imported\. Import the file again\.$/,
    ),
  })
  const preview = async () => (await user.get(`/api/stock/import/preview/${planned}`)).body.data
  expect(await preview()).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^The server stopped twice while reading this file/),
  })
  const undoOf = async () => (await user.get(`/api/stock/import/history/${undone}/undo`)).body.data
  expect(await undoOf()).toMatchObject({
    ...{ state: 'failed', removed: 1 },
    error: expect.stringMatching(/^The server stopped twice .* What has been undone so far stays undone\./),
  })
  const saleOf = async (id: number) => (await user.get(`/api/sale/find?id=${id}`)).body.data[0]
  const failed = await saleOf(sale)
  expect(failed).toMatchObject({ invoice_status: 'failed', excel_status: 'failed' })
  const said = failed.logs.map(({ content }: { content: { data: { message?: string } } }) => content.data.message)
  expect(said.filter((message?: string) => message?.includes('stopped twice'))).toHaveLength(2)
  expect((await saleOf(mailedSale)).mail).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^The server stopped twice while sending this email/),
  })
  const receiptOf = async () => (await user.get(`/api/purchase-receipt/find?id=${receipt}`)).body.data[0]
  expect(await receiptOf()).toMatchObject({
    files: [{ state: 'failed', error: expect.stringContaining('The server stopped twice') }],
  })

  // If a person starts these jobs again, they begin anew and succeed.
  const again = (await uploadCsv(user, { csv: csv(1) })).body.data.import_id
  await applyImport(t, again)
  expect(await importOf(again)).toMatchObject({ state: 'done' })
  expect(await replanned(t, user, planned, {})).toMatchObject({ state: 'previewed', error: null, counts: { new: 1 } })
  expect((await user.post(`/api/stock/import/history/${undone}/undo`)).status).toBe(202)
  expect(await undoOf()).toMatchObject({ state: 'waiting', error: null })
  await applyUndo(t, undone)
  expect(await undoOf()).toMatchObject({ state: 'undone', removed: 1 })
  for (const url of [`${sale}/invoice/generate`, `${sale}/invoice/excel/generate`, `${mailedSale}/invoice/resend`])
    expect((await user.post(`/api/sale/${url}`)).status).toBeLessThan(300)
  expect((await user.post(`/api/purchase-receipt/${receipt}/print`, { lang: 'en' })).status).toBe(200)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-deaths-'))
  endings.push(() => rm(dataDir, { recursive: true }))
  await runSaleJobs(t, dataDir)
  expect(await receiptOf()).toMatchObject({ file_state: 'ready' })
  expect(await saleOf(sale)).toMatchObject({ invoice_status: 'ready', excel_status: 'ready' })
  expect((await saleOf(mailedSale)).mail).toMatchObject({ state: 'sent' })
  expect((await violationsIn(t.connection)).filter(({ what }) => what !== 'no administrator is left')).toEqual([])
})

test('progress forgives: only a job that got no further since the last death is given up', async () => {
  const { t, user, rows, die, free, deaths, jobs } = await open()
  const { import_id } = (await uploadCsv(user, { csv: csv(3) })).body.data
  const { import_id: planned } = (await uploadPreview(user, { csv: csv(3) })).body.data
  await rows(`insert into import_part (import_id, part, lines, cells)
    select import_id, n, array[10 + n], '[[]]' from import_part cross join generate_series(1, 5) n`)
  for (const part of [0, 1, 2]) {
    await die('true')
    await free()
    expect(await deaths()).toEqual([{ deaths: 1 }, { deaths: 1 }])
    const got = `stock_ids = array[]::int[], actions = array[]::text[], done_at = now()`
    await rows(`update import_part set ${got} where import_id = $1 and part = $2`, [import_id, part])
    await rows(`update import_part set plan_no = 1, plan = '[]' where import_id = $1 and part = $2`, [planned, part])
  }
  // A plan begins again after a death. Parts that were planned before do not count as progress if they are only planned
  // again.
  await rows('update import_part set plan = null where import_id = $1', [planned])
  await rows(`update import_part set plan = '[]' where import_id = $1 and part = 0`, [planned])
  await die('true')
  await free()
  expect((await jobs()).map(({ task }) => task)).toEqual(['give_up', 'import_apply'])
  expect(await deaths()).toEqual([{ deaths: 1 }])
  await die(`task_id = (select id from graphile_worker._private_tasks where identifier = 'import_apply')`)
  await free()
  expect((await jobs()).map(({ task }) => task)).toEqual(['give_up', 'give_up'])
  await t.db.pool.query('delete from import')
})

test('progress of each kind forgives: of a planned import, an undo, and the papers of a sale and of a receipt', async () => {
  const { t, user, shop, rows, die, free, deaths, jobs } = await open()
  const { id: import_id } = await importCsv(t, user, { csv: csv(1) })
  await rows(`insert into import_part (import_id, part, lines, cells) values ($1, 1, array[11], '[[]]')`, [import_id])
  const [item] = await stockItems(t.db, shop, 1)
  const order = { stock_items: [{ id: item }], customer_id: shop.customer, create_invoice: true, send_email: false }
  const sale = (await user.post('/api/sale/create', order)).body.data.id
  await user.post(`/api/sale/${sale}/edit`, { status: 'Voided' })
  const items = await stockItems(t.db, shop, 1, { purchase_treatment: 'margin' })
  const seller = { name: 'Anna', address_1: 'Lane 1', city: 'Ede', country_code: 'NL' }
  const { token } = (await user.get(`/api/purchase-receipt/proposal?ids=${items}`)).body.data
  const bought = { items, seller, bought_on: '2026-01-02', lang: 'en', token }
  const receipt = (await user.post('/api/purchase-receipt/create', bought)).body.data.id
  await user.post(`/api/purchase-receipt/${receipt}/print`, { lang: 'de' })
  await rows('delete from graphile_worker._private_jobs')
  await t.db.write(async (tx) => {
    await queue(tx, 'import_apply_planned', { import_id })
    await queue(tx, 'import_undo', { import_id })
    await queue(tx, 'invoice_render', { sale_id: sale })
    await queue(tx, 'receipt_render', { receipt_id: receipt })
  })
  const again = async () => {
    await die('true')
    await free()
    return (await jobs()).map(({ task }) => task)
  }
  const all = ['import_apply_planned', 'import_undo', 'invoice_render', 'receipt_render']
  expect(await again()).toEqual(all)
  const got = `stock_ids = array[]::int[], actions = array[]::text[], done_at = now()`
  for (const progress of [
    `update import_part set ${got} where import_id = ${import_id} and part = 1`,
    `update import_part set undone_at = now() where import_id = ${import_id} and part = 0`,
    `update document set status = 'failed' where id = (select min(id) from document where sale_id = ${sale})`,
    `update purchase_receipt_file set status = 'failed', error = 'No.' where receipt_id = ${receipt} and lang = 'en'`,
  ])
    expect([progress, (await t.db.pool.query(progress)).rowCount]).toEqual([progress, 1])
  expect(await again()).toEqual(all)
  expect(await deaths()).toEqual(all.map(() => ({ deaths: 1 })))
  expect(await again()).toEqual(all.map(() => 'give_up'))
})

test('instances that look at the same time count one death; one that stops and breaks a job off counts none', async () => {
  const { t, rows, die, free, deaths, jobs } = await open()
  await t.db.write((tx) => queue(tx, 'mail_send', { mail_id: 1 }, { queueName: 'mail 1' }))
  await t.db.write((tx) => queue(tx, 'tidy', {}))
  await die('true')
  const pools = Array.from({ length: 8 }, () => new pg.Pool({ ...t.connection, max: 1 }))
  await Promise.all(pools.map((pool) => pool.query('select')))
  await Promise.all(pools.map((pool) => freeJobsOfTheDead(pool, t.app.log)))
  await Promise.all(pools.map((pool) => pool.end()))
  expect(await deaths()).toEqual([{ deaths: 1 }])
  await die('true', true)
  await free()
  expect(await deaths()).toEqual([{ deaths: 1 }])
  expect(await jobs()).toEqual([{ task: 'mail_send', held: false }])
  // Instances that have been silent for an hour are forgotten.
  await rows(`insert into worker select minutes || ' minutes', now() - minutes * interval '1 minute', false
    from unnest(array[59, 61]) minutes`)
  await free()
  expect(await rows(`select id from worker where id like '% minutes'`)).toEqual([{ id: '59 minutes' }])
})
