import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { uploadPreview } from '../../packages/server/src/testing/preview-upload.ts'
import { imeiOf } from '../cluster/shop.ts'
import { full, reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

// Promises F1 and F10 of docs/promises.md: workers that die during an import, and rows that cannot be stored.
/** On the daily run other tests use the machine, too. */
const RESUMED_MS = full ? 10_000 : 20_000
const PART_ROWS = 1000
/** About the time that a part takes. */
const PART_MS = 150
const HEADER = 'imei,serial_number,make,model,capacity,capacity_unit,purchase_price'

let t: PromiseShop
const workers = new Map<string, WorkerProcess>()
beforeAll(async () => {
  t = await promiseShop()
})
// A worker that is left would take the jobs of the next test.
afterEach(killAll)
afterAll(() => closeSound(t))

async function killAll(): Promise<void> {
  await Promise.all([...workers.values()].map((worker) => worker.kill()))
  workers.clear()
}
const start = (name: string) => workers.set(name, startWorkerProcess(t.connection, name))

async function upload(rows: string[]): Promise<number> {
  const answer = await uploadCsv(t.staff, { csv: [HEADER, ...rows].join('\n') })
  expect(answer.status).toBe(202)
  return answer.body.data.import_id
}

const phone = (imei: string, serial = '') => `${imei},${serial},Apple,iPhone 13,128,GB,249.90`

async function partsOf(id: number): Promise<number> {
  const [{ n } = { n: 0 }] = await t.rows<{ n: number }>(
    'select count(*)::int as n from import_part where import_id = $1 and done_at is not null',
    [id],
  )
  return n
}

const stateOf = async (id: number) =>
  (await t.rows<{ state: string }>('select state from import where id = $1', [id]))[0]!.state

const done = (id: number, timeout: number) =>
  vi.waitFor(async () => expect(await stateOf(id)).toBe('done'), { timeout, interval: 20 })

/**
 * Kills workers, and waits until the database has ended their statements. After that nothing of the killed workers can
 * still reach the database.
 */
async function killWhole(...victims: WorkerProcess[]): Promise<void> {
  await Promise.all(victims.map((victim) => victim.kill()))
  const names = victims.map(({ name }) => name)
  for (const name of names) workers.delete(name)
  await vi.waitFor(
    async () =>
      expect(await t.rows('select from pg_stat_activity where application_name = any($1)', [names])).toEqual([]),
    { timeout: 60_000, interval: 5 },
  )
}

/** Resolves when more than `parts` parts are done. */
const partsPast = (id: number, parts: number) =>
  vi.waitFor(async () => expect(await partsOf(id)).toBeGreaterThan(parts), { timeout: 60_000, interval: 5 })

/** The worker that is working on a part at this moment. */
const holder = () =>
  vi.waitFor(
    async () => {
      const [found] = await t.rows<{ name: string }>(`
        select application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where l.relation = 'import'::regclass and l.mode = 'RowExclusiveLock' and a.application_name like 'worker-%'`)
      return workers.get(found!.name)!
    },
    { timeout: 60_000, interval: 2 },
  )

/**
 * Holds an import back by locking its later parts: it waits at part `part`. A fast import would otherwise end before
 * all kills are done.
 */
async function openGate(id: number) {
  const client = t.db.client()
  await client.connect()
  await client.query('begin')
  return {
    async setAt(part: number) {
      await client.query('commit; begin')
      await client.query('select from import_part where import_id = $1 and part >= $2 for update', [id, part])
    },
    close: () => client.end(),
  }
}

test('F1: workers killed in an import: another goes on in time, and every row is in once', {
  timeout: 1_200_000,
}, async () => {
  const kills = turns(1, 50)
  const phones = turns(2000, 100_000)
  const imeis = range(phones).map((n) => imeiOf(n))
  const rows = imeis.map((imei) => phone(imei))
  rows.splice(phones / 2, 0, phone(''))
  const id = await upload(rows)
  const step = Math.floor(phones / PART_ROWS / kills)
  const gate = await openGate(id)
  await gate.setAt(step)
  // One worker imports, the other takes over when it is killed, and a new one starts.
  for (const name of ['worker-0', 'worker-1']) start(name)
  const resumed: number[] = []
  for (const kill of range(kills)) {
    const victim = await holder()
    await delay(chance() * PART_MS)
    const killed = performance.now()
    await killWhole(victim)
    const before = await partsOf(id)
    await gate.setAt(before + step)
    start(`worker-${kill + 2}`)
    await partsPast(id, before)
    resumed.push(performance.now() - killed)
  }
  await gate.close()
  await done(id, full ? 120_000 : 60_000)
  const [counted] = await t.rows(
    `select (select count(*) from stock where imei = any($2)) as items,
      (select count(distinct imei) from stock where imei = any($2)) as phones,
      (select count(*) from log where import_id = $1 and loggable_type = 'Stock') as logs,
      (select count(*) from import_part p, unnest(p.stock_ids) i where import_id = $1 and i is not null) as history,
      (select sum(n) from stock_count) as counted`,
    [id, imeis],
  )
  expect(counted).toEqual({ items: phones, phones, logs: phones, history: phones, counted: phones })
  const { body } = await t.staff.get(`/api/stock/import/history?id=${id}`)
  expect(body.data[0].content.data).toMatchObject({ successed_rows: phones, failed_rows: 1 })
  const slowest = Math.max(...resumed)
  expect(slowest).toBeLessThan(allowed(RESUMED_MS))
  reached(
    'F1',
    `${resumed.length} kills in ${phones} rows: each once, history exact, resumed within ${(slowest / 1000).toFixed(1)} s`,
    'every row once, the history exact, resumed within 10 s',
  )
})

const plannedParts = async (id: number) =>
  (
    await t.rows<{ n: number }>(
      'select count(*)::int as n from import_part where import_id = $1 and plan is not null',
      [id],
    )
  )[0]!.n

testInTurn(
  'F1: workers killed in a plan and in its import: every row is planned and in once',
  {
    timeout: 600_000,
  },
  async () => {
    const kills = turns(1, 10)
    const phones = turns(2000, 80_000)
    const imeis = range(phones).map((n) => imeiOf(3_000_000 + n))
    const csv = [HEADER, ...imeis.map((imei) => phone(imei)), phone('')].join('\n')
    const upload = await uploadPreview(t.staff, { csv })
    const id: number = upload.body.data.import_id
    const killed = async (name: string, until: () => Promise<boolean>) => {
      start(name)
      await vi.waitFor(async () => expect(await until()).toBe(true), { timeout: 60_000, interval: 5 })
      await delay(chance() * PART_MS)
      await killWhole(workers.get(name)!)
    }
    // Each planner must get further than the one before, because the server gives a plan up if two planners die at the
    // same place.
    let reachedPart = 0
    for (const kill of range(kills)) {
      await killed(`planner-${kill}`, async () => (await plannedParts(id)) > reachedPart)
      reachedPart = await plannedParts(id)
    }
    start('planner')
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('previewed'), { timeout: 60_000, interval: 20 })
    const { body: preview } = await t.staff.get(`/api/stock/import/preview/${id}`)
    expect(preview.data.counts).toEqual({ new: phones, updated: 0, unchanged: 0, failed: 1 })
    const { body: rows } = await t.staff.get(`/api/stock/import/preview/${id}/rows?kind=new&per_page=1`)
    expect(rows.total).toBe(phones)
    await workers.get('planner')!.kill()

    expect((await t.staff.post(`/api/stock/import/preview/${id}/commit`)).status).toBe(202)
    for (const kill of range(kills)) {
      const before = await partsOf(id)
      await killed(`committer-${kill}`, async () => (await partsOf(id)) > before)
    }
    start('committer')
    await done(id, 120_000)
    const [counted] = await t.rows(
      `select (select count(*) from stock where imei = any($2)) as items,
      (select count(*) from log where import_id = $1 and loggable_type = 'Stock') as logs,
      (select count(*) from import_part p, unnest(p.stock_ids) i where import_id = $1 and i is not null) as history,
      (select count(*) from import_error where import_id = $1) as errors`,
      [id, imeis],
    )
    expect(counted).toEqual({ items: phones, logs: phones, history: phones, errors: 1 })
    reached(
      'F1',
      `${kills} kills in a plan and ${kills} in its import of ${phones} rows: each once, as planned`,
      'every row once, as planned',
    )
  },
)

const undoneParts = async (id: number) =>
  (
    await t.rows<{ n: number }>(
      'select count(*)::int as n from import_part where import_id = $1 and undone_at is not null',
      [id],
    )
  )[0]!.n

testInTurn(
  'F1: workers killed in an undo: another goes on, and every row is taken back once',
  {
    timeout: 1_200_000,
  },
  async () => {
    const kills = turns(1, 50)
    const phones = turns(2000, 100_000)
    const imeis = range(phones).map((n) => imeiOf(4_000_000 + n))
    const counts = await t.rows(
      'select status, sum(n) as n from stock_count group by status having sum(n) <> 0 order by 1',
    )
    const id = await upload(imeis.map((imei) => phone(imei)))
    for (const name of ['undo-0', 'undo-1']) start(name)
    await done(id, 120_000)
    const [touched] = await t.rows<{ id: number }>('select id from stock where imei = $1', [imeis[0]])
    await t.staff.patch(`/api/stock/${touched!.id}/edit`, { sales_price: 100 })
    const parts = phones / PART_ROWS
    expect((await t.staff.post(`/api/stock/import/history/${id}/undo`)).status).toBe(202)
    let before = 0
    for (const kill of range(kills)) {
      const past = Math.max(before, Math.floor((kill * parts) / (kills + 1)))
      await vi.waitFor(async () => expect(await undoneParts(id)).toBeGreaterThan(past), {
        timeout: 60_000,
        interval: 5,
      })
      await killWhole(...workers.values())
      before = await undoneParts(id)
      for (const n of [0, 1]) start(`undo-${2 * kill + 2 + n}`)
    }
    await vi.waitFor(
      async () => expect(await t.rows('select undo from import where id = $1', [id])).toEqual([{ undo: 'undone' }]),
      { timeout: 120_000, interval: 20 },
    )
    const [counted] = await t.rows(
      `select (select count(*) from stock where imei = any($2)) as items,
      (select count(*) from log where import_id = $1 and content -> 'data' ->> 'message' = $3) as logs,
      (select sum(removed) from import_part where import_id = $1) as removed`,
      [id, imeis, `Removed: import #${id} was undone.`],
    )
    expect(counted).toEqual({ items: 1, logs: phones - 1, removed: phones - 1 })
    const after = await t.rows(
      'select status, sum(n) as n from stock_count group by status having sum(n) <> 0 order by 1',
    )
    expect(after).toEqual([{ status: 'Inbound', n: Number(counts[0]?.['n'] ?? 0) + 1 }])
    reached(
      'F1 undo',
      `${kills} times all workers killed in the undo of ${phones} rows: each taken back once`,
      'every row taken back once',
    )
  },
)

testInTurn('F1 given up: what two workers die on at one place is given up, and goes in when asked anew', async () => {
  const imeis = range(4).map((n) => imeiOf(5_000_000 + n))
  const imported = await upload(imeis.slice(0, 2).map((imei) => phone(imei)))
  const csv = [HEADER, ...imeis.slice(2).map((imei) => phone(imei))].join('\n')
  const planned: number = (await uploadPreview(t.staff, { csv })).body.data.import_id
  // The locks below stop each worker in the middle of a part.
  const gate = t.db.client()
  await gate.connect()
  await gate.query('begin')
  await gate.query('select from import_part where import_id = any($1) for update', [[imported, planned]])
  const dead: string[] = []
  for (const kill of [1, 2]) {
    start(`dies-${kill}`)
    const holders = await vi.waitFor(
      async () => {
        const found = await t.rows<{ locked_by: string }>(
          `select locked_by from graphile_worker.jobs
           where task_identifier in ('import_apply', 'import_plan') and locked_by is not null and locked_by <> all($1)`,
          [dead],
        )
        expect(found).toHaveLength(2)
        return found
      },
      { timeout: 60_000, interval: 20 },
    )
    dead.push(...holders.map(({ locked_by }) => locked_by))
    await workers.get(`dies-${kill}`)!.kill()
    workers.delete(`dies-${kill}`)
    expect(await stateOf(imported)).not.toBe('failed')
  }
  start('lives')
  await vi.waitFor(async () => expect(await stateOf(imported)).toBe('failed'), { timeout: 60_000, interval: 20 })
  await vi.waitFor(async () => expect(await stateOf(planned)).toBe('previewed'), { timeout: 60_000, interval: 20 })
  await gate.end()
  const { body } = await t.staff.get(`/api/stock/import/history?id=${imported}`)
  expect(body.data[0].error).toMatch(/^The server stopped twice at the same point of this import/)
  const preview = async () => (await t.staff.get(`/api/stock/import/preview/${planned}`)).body.data
  expect((await preview()).error).toMatch(/^The server stopped twice while reading this file/)

  expect((await t.staff.patch(`/api/stock/import/preview/${planned}`, {})).status).toBe(200)
  await done(await upload(imeis.slice(0, 2).map((imei) => phone(imei))), 60_000)
  await vi.waitFor(async () => expect(await preview()).toMatchObject({ state: 'previewed', counts: { new: 2 } }), {
    timeout: 60_000,
    interval: 20,
  })
  await t.staff.delete(`/api/stock/import/preview/${planned}`)
  expect(await t.rows('select imei from stock where imei = any($1)', [imeis])).toHaveLength(2)
  reached(
    'F1 given up',
    'an import and a plan on which two workers died: given up and said, in when asked anew',
    'given up after two deaths, in when asked anew',
  )
})

test('F10: rows that always fail are reported, the rest goes in, and the queue is free', async () => {
  const phones = turns(2 * PART_ROWS, 20 * PART_ROWS)
  const bad = turns(3, 100)
  await t.rows(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
    create trigger refuse before insert on stock for each row when (new.serial_number like 'NEVER%') execute function refuse()`)
  const imeis = range(phones).map((n) => imeiOf(1_000_000 + n))
  const rows = imeis.map((imei) => phone(imei))
  const lines = range(bad).map((n) => Math.floor(((n + 0.5) * phones) / bad))
  for (const [n, line] of lines.entries()) rows[line] = phone(imeis[line]!, `NEVER-${n}`)
  const id = await upload(rows)
  start('worker')
  await done(id, 120_000)
  const { body } = await t.staff.get(`/api/stock/import/history/${id}/details?per_page=250`)
  const failed = body.data.filter(({ success }: { success: boolean }) => !success)
  expect(failed.map(({ row }: { row: number }) => row)).toEqual(lines.map((line) => line + 2))
  for (const { message } of failed) expect(message).toEqual({ row: 'This row could not be stored.' })
  const good = imeis.filter((_, n) => !lines.includes(n))
  expect(await t.rows('select count(*) as n from stock where imei = any($1)', [imeis])).toEqual([{ n: good.length }])
  const next = await upload([phone(imeiOf(2_000_000))])
  await done(next, 60_000)
  await vi.waitFor(
    async () =>
      expect(await t.rows(`select task_identifier from graphile_worker.jobs where task_identifier <> 'tidy'`)).toEqual(
        [],
      ),
    { timeout: 60_000, interval: 20 },
  )
  reached(
    'F10',
    `${bad} rows of ${phones} reported, ${good.length} in, the next import done`,
    'it is reported, the rest goes in, the queue is free',
  )
})
