import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { importJobs } from '../../packages/server/src/areas/import/jobs.ts'
import { saleJobs } from '../../packages/server/src/areas/sale/jobs.ts'
import { uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { startWorker } from '../../packages/server/src/worker/worker.ts'
import { imeiOf } from '../cluster/shop.ts'
import { full, reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

// Promise L8 of docs/promises.md: many documents wait to be rendered.

const PAPERS = turns(30, 300)
/**
 * More large documents than a server renders at once. All jobs once shared three slots; there are more than that, too.
 */
const LARGE = turns(3, 2)
const LARGE_LINES = turns(500, 5000)
const IMPORTED = turns(500, 5000)
const MAILS = 5
const LIMIT_MS = full ? 1_200_000 : 180_000

let t: PromiseShop
let folder: string
let stopWorker = async () => {}
beforeAll(async () => {
  t = await promiseShop()
  folder = await mkdtemp(path.join(os.tmpdir(), 'backstock-papers-'))
})
afterAll(async () => {
  await stopWorker()
  await closeSound(t)
  await rm(folder, { recursive: true })
})

async function work(): Promise<void> {
  const services = { db: t.db, config: t.config, dataDir: folder, log: t.app.log }
  const handlers = { ...importJobs(services, t.app.pace), ...saleJobs(services) }
  const { stop } = await startWorker(services, handlers, t.connection)
  stopWorker = async () => {
    stopWorker = async () => {}
    await stop()
  }
}

/** Sells `lines` items with an invoice. Returns the id of the document. */
async function invoiced(lines: number): Promise<number> {
  const items: number[] = []
  while (items.length < lines) items.push(...(await t.items(Math.min(1000, lines - items.length))))
  const answer = await t.sell(t.staff, items, { create_invoice: true })
  expect(answer.status).toBe(201)
  const [document] = await t.rows<{ id: number }>('select id from document where sale_id = $1', [answer.body.data.id])
  return document!.id
}

/** The file ids of those documents that are made. A higher id means that the file was made later. */
async function filesOf(documents: readonly number[]): Promise<number[]> {
  const made = await t.rows<{ file_id: number }>(
    'select file_id from document_version where document_id = any($1) and file_id is not null',
    [documents],
  )
  return made.map(({ file_id }) => file_id)
}

async function timed(action: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await action()
  return performance.now() - from
}

const eventually = (what: () => Promise<void>) => vi.waitFor(what, { timeout: LIMIT_MS, interval: 5 })

let phones = 0
const importRows = () =>
  timed(async () => {
    const rows = range(IMPORTED).map(() => `${imeiOf(phones++)},Apple,iPhone 13,128,GB,249.90`)
    const csv = ['imei,make,model,capacity,capacity_unit,purchase_price', ...rows].join('\n')
    const { status, body } = await uploadCsv(t.staff, { csv })
    expect(status).toBe(202)
    const found = () => t.rows('select state, succeeded from import where id = $1', [body.data.import_id])
    await eventually(async () => expect(await found()).toEqual([{ state: 'done', succeeded: IMPORTED }]))
  })

/** Sends a finished document several times. Returns the time of one mail. */
const mail = async (document: number) =>
  (await timed(async () => {
    for (const _ of range(MAILS)) {
      expect((await t.staff.post(`/api/document/${document}/send`)).status).toBe(200)
      const unsent = () => t.rows(`select state from mail where state <> 'sent'`)
      await eventually(async () => expect(await unsent()).toEqual([]))
    }
  })) / MAILS

testInTurn(
  'L8: an import and a mail wait for no papers, a draft for one; small papers come before large ones',
  {
    timeout: LIMIT_MS,
  },
  async () => {
    await work()
    const mailed = await invoiced(1)
    await eventually(async () => expect(await filesOf([mailed])).toHaveLength(1))
    const alone = { import: await importRows(), mail: await mail(mailed) }
    await stopWorker()

    const large: number[] = []
    for (const _ of range(LARGE)) large.push(await invoiced(LARGE_LINES))
    const small: number[] = []
    for (const _ of range(PAPERS - LARGE)) small.push(await invoiced(1))
    await work()
    await eventually(async () => expect((await filesOf([...small, ...large])).length).toBeGreaterThan(0))
    const beside = { import: await importRows(), mail: await mail(mailed) }
    const waiting = PAPERS - (await filesOf([...small, ...large])).length
    // If mails waited in the documents' queue, they would go out only when all documents are made.
    expect(waiting).toBeGreaterThan(2)

    await eventually(async () => expect(await filesOf(small)).toHaveLength(small.length))
    const [lastSmall, firstLarge] = [Math.max(...(await filesOf(small))), Math.min(...(await filesOf(large)))]
    expect(lastSmall).toBeLessThan(firstLarge)
    const draft = await t.staff.get(`/api/document/${small[0]}/pdf?view`)
    expect(draft.headers).toMatchObject({ 'content-type': 'application/pdf' })
    expect((await filesOf(large)).length).toBeLessThan(LARGE)

    const ratio = { import: beside.import / alone.import, mail: beside.mail / alone.mail }
    if (full) for (const times of Object.values(ratio)) expect(times).toBeLessThan(2)
    const figure = `import ${ratio.import.toFixed(2)} times, mail ${ratio.mail.toFixed(2)} times`
    reached(
      'L8',
      `${PAPERS} papers, ${LARGE} of ${LARGE_LINES} lines: ${figure} (${Math.round(alone.import)} and ${Math.round(alone.mail)} ms alone), ${waiting} still waited`,
      'each at most twice what it takes alone; small papers before large',
    )
  },
)
