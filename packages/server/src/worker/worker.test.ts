import { EventEmitter } from 'node:events'
import net from 'node:net'
import type { WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { sendSoon } from '../areas/document/mail/outbox.ts'
import { importJobs } from '../areas/import/jobs.ts'
import { queueImport } from '../areas/import/write/stage.ts'
import { newPace } from '../http/pace.ts'
import { type JobHandlers, type JobServices, queue } from '../jobs.ts'
import { allowed } from '../testing/allowed.ts'
import { type Client, testApp } from '../testing/app.ts'
import { uploadCsv } from '../testing/csv-upload.ts'
import { testInTurn } from '../testing/in-turn.ts'
import { newImei, openShop } from '../testing/shop.ts'
import { untilSomebodyWaits } from '../testing/until-waiting.ts'
import { jobsInFlight } from './in-flight.ts'
import { holdLease } from './lease.ts'
import { PatientPool } from './patient-pool.ts'
import { tidyJobs } from './tidy.ts'
import { startWorker } from './worker.ts'

type App = Awaited<ReturnType<typeof testApp>>
const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function openApp(): Promise<{ t: App; user: Client; services: JobServices }> {
  const t = await testApp()
  endings.push(() => t.close())
  await openShop(t.db)
  const user = await t.user()
  return { t, user, services: { db: t.db, config: t.config, dataDir: '', log: t.app.log } }
}

async function begin(user: Client, n: number): Promise<{ id: number; imeis: string[] }> {
  const imeis = Array.from({ length: n }, newImei)
  const rows = imeis.map((imei) => `${imei},Apple,iPhone 13,128,GB,249.90`)
  rows.splice(n / 2, 0, ',Apple,iPhone 13,128,GB,1')
  const answer = await uploadCsv(user, {
    csv: ['imei,make,model,capacity,capacity_unit,purchase_price', ...rows].join('\n'),
  })
  return { id: answer.body.data.import_id, imeis }
}

const importOf = async (t: App, id: number) =>
  (await t.db.pool.query('select * from import where id = $1', [id])).rows[0]

/** The job `tidy` comes every minute and stays in the queue, because nobody runs it here. */
const JOBS = `select from graphile_worker.jobs where task_identifier <> 'tidy'`

/** Checks that each row was imported exactly once: in the stock, the history, the logs and the counters. */
async function expectExact(t: App, { id, imeis }: { id: number; imeis: string[] }) {
  const n = imeis.length
  expect(await importOf(t, id)).toMatchObject({ state: 'done', total: n + 1, succeeded: n, failed: 1 })
  const { rows } = await t.db.pool.query(
    `select (select count(*) from stock) as items, (select count(distinct imei) from stock where imei = any($2)) as phones,
      (select count(*) from log where import_id = $1 and loggable_type = 'Stock') as logs,
      (select count(*) from import_part p, unnest(p.stock_ids) i where import_id = $1 and i is not null) as history,
      (select count(*) from import_error where import_id = $1) as errors,
      (select sum(n) from stock_count) as counted, (select count(*) from (${JOBS}) j) as jobs`,
    [id, imeis],
  )
  expect(rows[0]).toEqual({ items: n, phones: n, logs: n, history: n, errors: 1, counted: n, jobs: 0 })
}

const doneParts = async (t: App, id: number) =>
  (await t.db.pool.query('select count(*) as n from import_part where import_id = $1 and done_at is not null', [id]))
    .rows[0].n as number

testInTurn('the worker outlives lost connections, and stops at a seam with the rest queued', async () => {
  const { t, user, services } = await openApp()
  const started = await begin(user, 8000)
  const worker = await startWorker(services, importJobs(services, t.app.pace), t.connection)
  for (const parts of [1, 2, 3]) {
    await vi.waitFor(async () => expect(await doneParts(t, started.id)).toBeGreaterThanOrEqual(parts), {
      timeout: 60_000,
      interval: 5,
    })
    await t.db.pool
      .query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      .catch(() => undefined)
  }
  await vi.waitFor(async () => expect(await doneParts(t, started.id)).toBeGreaterThanOrEqual(5), {
    timeout: 60_000,
    interval: 5,
  })
  const from = performance.now()
  await worker.stop()
  const took = performance.now() - from
  expect(took).toBeLessThan(allowed(10_000))
  expect((await importOf(t, started.id)).state).toBe('running')
  expect((await t.db.pool.query('select from worker')).rowCount).toBe(0)
  const next = await startWorker(services, importJobs(services, t.app.pace), t.connection)
  endings.push(() => next.stop())
  await vi.waitFor(() => expectExact(t, started), { timeout: 60_000, interval: 100 })
})

test('imports leave the worker room for what is quick', async () => {
  const { t, services } = await openApp()
  const finish = Promise.withResolvers<void>()
  const running: number[] = []
  const sent = Promise.withResolvers<void>()
  const handlers: Partial<JobHandlers> = {
    async import_apply({ import_id }) {
      running.push(import_id)
      await finish.promise
    },
    async mail_send() {
      sent.resolve()
    },
  }
  for (const id of [1, 2, 3, 4]) await t.db.write((tx) => queueImport(tx, id))
  const worker = await startWorker(services, handlers, t.connection)
  endings.push(() => worker.stop())
  await vi.waitFor(() => expect(running).toHaveLength(2), { timeout: 60_000 })
  await t.db.write((tx) => queue(tx, 'mail_send', { mail_id: 1 }))
  await sent.promise
  expect(running.toSorted()).toEqual([1, 2])
  finish.resolve()
  await vi.waitFor(() => expect(running.toSorted()).toEqual([1, 2, 3, 4]), { timeout: 60_000 })
})

test('mails that hang leave the worker room for an import', async () => {
  const { t, services } = await openApp()
  const finish = Promise.withResolvers<void>()
  const sending: number[] = []
  const imported = Promise.withResolvers<void>()
  const handlers: Partial<JobHandlers> = {
    async mail_send({ mail_id }) {
      sending.push(mail_id)
      await finish.promise
    },
    async import_apply() {
      imported.resolve()
    },
  }
  for (const id of [1, 2, 3, 4]) await t.db.write((tx) => sendSoon(tx, id))
  const worker = await startWorker(services, handlers, t.connection)
  endings.push(() => worker.stop())
  await vi.waitFor(() => expect(sending).toHaveLength(2), { timeout: 60_000 })
  await t.db.write((tx) => queueImport(tx, 1))
  await imported.promise
  expect(sending.toSorted()).toEqual([1, 2])
  finish.resolve()
  await vi.waitFor(() => expect(sending.toSorted()).toEqual([1, 2, 3, 4]), { timeout: 60_000 })
})

test('a job given to a worker that never heard of it runs again soon, one in hand is left alone', async () => {
  const { t, services } = await openApp()
  const finish = Promise.withResolvers<void>()
  const ran: number[] = []
  const handlers: Partial<JobHandlers> = {
    async mail_send({ mail_id }) {
      ran.push(mail_id)
      if (mail_id === 1) await finish.promise
    },
  }
  await t.db.write((tx) => queue(tx, 'mail_send', { mail_id: 1 }, { queueName: 'in hand' }))
  // While a worker waits for its lease, it takes no job: nobody would free the job if this process died.
  const blocker = await t.db.pool.connect()
  await blocker.query('begin; lock table worker in exclusive mode')
  const worker = await startWorker(services, handlers, t.connection)
  endings.push(() => worker.stop())
  await untilSomebodyWaits(t.db)
  const listening = `select from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
  await vi.waitFor(async () => expect((await t.db.pool.query(listening)).rowCount).not.toBe(0), { timeout: 60_000 })
  ran.push(0)
  await blocker.query('commit')
  blocker.release()
  await vi.waitFor(() => expect(ran).toEqual([0, 1]), { timeout: 60_000 })
  // Puts the queue in the state that is left if a connection breaks after the database gave a job and before the worker
  // received it.
  await t.db.write(async (tx) => {
    for (const mail_id of [2, 3]) await queue(tx, 'mail_send', { mail_id }, { queueName: 'lost' })
    await sql`with lost as (
        update graphile_worker._private_jobs set locked_at = now(), locked_by = (select id from worker)
        where payload ->> 'mail_id' = '2' returning job_queue_id)
      update graphile_worker._private_job_queues set locked_at = now(), locked_by = (select id from worker)
      where id in (select job_queue_id from lost)`.execute(tx)
  })
  await vi.waitFor(() => expect(ran.toSorted()).toEqual([0, 1, 2, 3]), { timeout: 60_000, interval: 50 })
  finish.resolve()
  await vi.waitFor(async () => expect((await t.db.pool.query(JOBS)).rowCount).toBe(0), {
    timeout: 60_000,
  })
})

test('a worker has five seconds to report a job before another gets it', async () => {
  const events: WorkerEvents = new EventEmitter()
  const jobs = jobsInFlight(events)
  const freed: unknown[] = []
  const locked = { id: '7' }
  const pool = {
    async query(text: string, values: unknown[]) {
      if (text.startsWith('select')) return { rows: [locked] }
      freed.push(values[1])
      return { rows: [] }
    },
  } as unknown as pg.Pool
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    for (const ms of [0, 4900, 200]) {
      expect(freed).toEqual([])
      vi.advanceTimersByTime(ms)
      await jobs.freeLost(pool, 'pool')
    }
    expect(freed).toEqual([['7']])
  } finally {
    vi.useRealTimers()
  }
})

test('an instance takes no job before its first beat is in the database', async () => {
  const { t } = await openApp()
  const jobs = jobsInFlight(new EventEmitter() as WorkerEvents)
  let isAcquired = false
  await t.db.write(async (tx) => {
    await sql`lock table worker`.execute(tx)
    const lease = holdLease(t.db.pool, 'slow', jobs, t.app.log, new Set())
    endings.push(() => lease.end())
    void lease.acquired.then(() => {
      isAcquired = true
    })
    await untilSomebodyWaits(t.db)
    expect(isAcquired).toBe(false)
  })
  await vi.waitFor(() => expect(isAcquired).toBe(true), { timeout: 60_000, interval: 10 })
  expect((await t.db.pool.query(`select from worker where id = 'slow'`)).rowCount).toBe(1)
})

test('papers have a slot of their own, the other jobs three, however many papers wait', async () => {
  const { t, services } = await openApp()
  const finish = Promise.withResolvers<void>()
  const running: string[] = []
  const hold = async (what: string) => {
    running.push(what)
    await finish.promise
  }
  const handlers: Partial<JobHandlers> = {
    invoice_render: ({ sale_id }) => hold(`invoice ${sale_id}`),
    sheet_render: ({ sale_id }) => hold(`sheet ${sale_id}`),
    mail_send: ({ mail_id }) => hold(`mail ${mail_id}`),
  }
  await t.db.write(async (tx) => {
    for (const sale_id of [1, 2, 3]) {
      await queue(tx, 'invoice_render', { sale_id }, { priority: 1 })
      await queue(tx, 'sheet_render', { sale_id }, { priority: sale_id === 3 ? 0 : 1 })
    }
    for (const mail_id of [1, 2, 3]) await queue(tx, 'mail_send', { mail_id })
  })
  const worker = await startWorker(services, handlers, t.connection)
  endings.push(() => worker.stop())
  await vi.waitFor(() => expect(running).toHaveLength(4), { timeout: 60_000 })
  expect(running.toSorted()).toEqual(['mail 1', 'mail 2', 'mail 3', 'sheet 3'])
  expect((await t.db.pool.query('select from worker')).rowCount).toBe(2)
  finish.resolve()
  await vi.waitFor(() => expect(running).toHaveLength(9), { timeout: 60_000 })
  await endings.pop()?.()
  expect((await t.db.pool.query('select from worker')).rowCount).toBe(0)
})

test.each([
  { lane: 'others', atOnce: [1, 2], outages: 1 },
  // There are more outages than the number of deaths after which a job is given up.
  { lane: 'papers', atOnce: [1], outages: 3 },
])(
  'jobs of the $lane that fail while the database is away run again once it is back',
  async ({ lane, atOnce, outages }) => {
    const { t, services } = await openApp()
    const away = Array.from({ length: outages }, () => Promise.withResolvers<void>())
    const ran: number[] = []
    const run = async (id: number) => {
      ran.push(id)
      const outage = away[Math.ceil(ran.length / atOnce.length) - 1]
      if (!outage) return
      await outage.promise
      await t.db.pool.query('select')
    }
    const handlers: Partial<JobHandlers> =
      lane === 'papers' ? { sheet_render: ({ sale_id }) => run(sale_id) } : { mail_send: ({ mail_id }) => run(mail_id) }
    // Jobs that fail at the same moment share one message.
    const unreported = new Set<string>()
    let isLeaseKept = false
    const log = Object.assign(Object.create(t.app.log), {
      warn(_: object, message: string) {
        isLeaseKept ||= message === 'worker: could not give back its lease'
      },
      error(_: object, message: string) {
        const ids = /^Failed to fail jobs? ([^:]+)/.exec(message)?.[1]?.matchAll(/\d+/g) ?? []
        for (const [id] of ids) unreported.add(id)
      },
    })
    const worker = await startWorker({ ...services, log }, handlers, t.connection)
    endings.push(() => worker.stop())
    await t.db.write(async (tx) => {
      for (const id of atOnce)
        if (lane === 'papers') await queue(tx, 'sheet_render', { sale_id: id })
        else await queue(tx, 'mail_send', { mail_id: id })
    })
    const ranBy = async (times: number) => {
      await vi.waitFor(() => expect(ran.toSorted()).toEqual(Array(times).fill(atOnce).flat().toSorted()), {
        timeout: 60_000,
        interval: 50,
      })
      // This process lives: its next lease frees the jobs of the one before, and nobody counts a death.
      expect((await t.db.pool.query('select deaths from job_death')).rows).toEqual([])
    }
    const { database, ...server } = t.connection
    for (const [n, outage] of away.entries()) {
      await ranBy(n + 1)
      unreported.clear()
      isLeaseKept = false
      const outside = new pg.Client({ ...server, database: 'postgres' })
      await outside.connect()
      await outside.query(`alter database "${database}" with allow_connections false`)
      await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
      outage.resolve()
      await vi.waitFor(() => expect([unreported.size, isLeaseKept]).toEqual([atOnce.length, true]), { timeout: 60_000 })
      await outside.query(`alter database "${database}" with allow_connections true`)
      await outside.end()
    }
    await ranBy(outages + 1)
  },
)

test('a job that still runs when its lane breaks down runs in no other meanwhile', async () => {
  const { t, services } = await openApp()
  const [away, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ran: number[] = []
  const handlers: Partial<JobHandlers> = {
    async mail_send({ mail_id }) {
      ran.push(mail_id)
      if (mail_id === 2) return finish.promise
      await away.promise
      await t.db.pool.query('select')
    },
  }
  const broken = Promise.withResolvers<void>()
  const log = Object.assign(Object.create(t.app.log), {
    error: (_: object, message: string) => message.startsWith('Failed to fail job') && broken.resolve(),
  })
  const worker = await startWorker({ ...services, log }, handlers, t.connection)
  endings.push(() => worker.stop())
  await t.db.write(async (tx) => {
    for (const mail_id of [1, 2]) await queue(tx, 'mail_send', { mail_id })
  })
  await vi.waitFor(() => expect(ran.toSorted()).toEqual([1, 2]), { timeout: 60_000 })
  const { rows: leases } = await t.db.pool.query('select id from worker')
  const { database, ...server } = t.connection
  const outside = new pg.Client({ ...server, database: 'postgres' })
  await outside.connect()
  await outside.query(`alter database "${database}" with allow_connections false`)
  await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  away.resolve()
  await broken.promise
  const { rows } = await outside.query('select clock_timestamp() as back_at')
  await outside.query(`alter database "${database}" with allow_connections true`)
  await outside.end()
  // The lease of the broken lane still beats two seconds after the outage: it ends with the last job.
  const beating = `select id from worker where seen_at > $1::timestamptz + interval '2 seconds'`
  await vi.waitFor(async () => expect((await t.db.pool.query(beating, [rows[0].back_at])).rows).toEqual(leases), {
    timeout: 30_000,
  })
  expect(ran.toSorted()).toEqual([1, 2])
  finish.resolve()
  await vi.waitFor(async () => expect((await t.db.pool.query(JOBS)).rowCount).toBe(0), { timeout: 60_000 })
})

test('an import rests when somebody asks for something meanwhile', async () => {
  const { user, services } = await openApp()
  const { id } = await begin(user, 2)
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  const importing = importJobs(services, pace).import_apply({ import_id: id }, new AbortController().signal)
  pace.asked()
  await importing
  expect(rests).not.toEqual([])
})

test('tidy folds the counters to the same totals and clears what has expired', async () => {
  const { t, user, services } = await openApp()
  const { id } = await begin(user, 10)
  await importJobs(services, t.app.pace).import_apply({ import_id: id }, new AbortController().signal)
  await t.db.pool.query(
    `insert into stock_count values ('Inbound', 5, 7), ('Inbound', -5, -7), ('Sold', 1, 1), ('Sold', -1, -1)`,
  )
  // A session ends at its end, and if nobody has used it for 12 hours.
  await t.db.pool.query(
    `insert into session (token_hash, user_id, expires_at, seen_at) values
       ('\\x00', $1, now() - interval '1 second', now()),
       ('\\x01', $1, now() + interval '1 day', now() - interval '13 hours'),
       ('\\x02', $1, now() + interval '1 day', now() - interval '11 hours')`,
    [user.id],
  )
  await t.db.pool.query(
    `insert into throttle select hours || ' hours old', now() - hours * interval '1 hour', 1
     from unnest(array[23, 25]) hours`,
  )
  await t.db.pool.query(`update import set touched_at = now() - interval '25 hours'`)
  await t.db.pool.query(
    `insert into import_judgement (import_id, judged_at, left_parts, restored, removed, kept)
     values ($1, now() - interval '2 minutes', 0, 0, 0, '[]')`,
    [id],
  )
  // A job that still waits keeps its count of deaths. A job that is done has no use for it.
  await t.db.write((tx) => queue(tx, 'mail_send', { mail_id: 1 }))
  await t.db.pool.query(
    `insert into job_death (job_id, deaths, progress)
     select id, 1, 0 from graphile_worker.jobs where task_identifier = 'mail_send' union all select 0, 1, 0`,
  )
  await t.db.pool.query(
    `insert into idempotency select 'user:1', hours || ' hours old', '\\x00', 200, '{}', now() - hours * interval '1 hour'
     from unnest(array[23, 25]) hours`,
  )
  const worker = await startWorker(services, tidyJobs(services), t.connection)
  endings.push(() => worker.stop())
  await t.db.write((tx) => queue(tx, 'tidy', {}))
  const repeatable = async () => (await t.db.pool.query('select key from idempotency')).rows.map(({ key }) => key)
  await vi.waitFor(async () => expect(await repeatable()).not.toContain('25 hours old'), { timeout: 60_000 })
  // A screen or a partner that repeats a request within a day gets the same answer, and nothing is made twice.
  expect(await repeatable()).toEqual(['23 hours old'])
  expect((await t.db.pool.query('select * from stock_count')).rows).toEqual([
    { status: 'Inbound', n: 10, cost: 249_900 },
  ])
  expect((await t.db.pool.query('select key from throttle')).rows).toEqual([{ key: '23 hours old' }])
  const sessions = await t.db.pool.query(
    `select encode(token_hash, 'hex') as token from session where length(token_hash) = 1`,
  )
  expect(sessions.rows).toEqual([{ token: '02' }])
  expect(await importOf(t, id)).toMatchObject({ state: 'done' })
  expect((await t.db.pool.query('select from import_judgement')).rowCount).toBe(0)
  expect((await t.db.pool.query('select job_id <> 0 as waits from job_death')).rows).toEqual([{ waits: true }])
  expect((await t.db.pool.query('select from graphile_worker._private_known_crontabs')).rowCount).toBe(1)
})

/** An address of PostgreSQL that does not pass a client's `listen` on. `lose` ends that connection. */
async function unheard({ host, port, ...connection }: App['connection']) {
  const asked = Promise.withResolvers<() => void>()
  const server = net.createServer((client) => {
    const onward = net.connect(`${host}/.s.PGSQL.${port}`)
    client.on('data', (message) => {
      if (message.includes('LISTEN "jobs:insert"')) asked.resolve(() => client.destroy())
      else onward.write(message)
    })
    onward.pipe(client)
    client.on('close', () => onward.destroy())
    onward.on('close', () => client.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  endings.push(async () => void server.close())
  const at = server.address() as net.AddressInfo
  return { connection: { ...connection, host: '127.0.0.1', port: at.port }, asked: asked.promise }
}

test('a connection that breaks while the worker stops is given back once', async () => {
  const { t, services } = await openApp()
  const { connection, asked } = await unheard(t.connection)
  const worker = await startWorker(services, { mail_send: async () => undefined }, connection)
  const lose = await asked
  const stopped = worker.stop()
  await new Promise((later) => setImmediate(later))
  lose()
  // A second return of the connection would be an unhandled rejection, which would fail this run.
  await stopped
})

test('a pool that has ended, or has no server, gives no connection, and takes none back', async () => {
  const { t } = await openApp()
  const ended = new PatientPool(t.connection)
  await ended.end()
  for (const pool of [ended, new PatientPool({ ...t.connection, database: 'nowhere' })]) {
    const given = Promise.withResolvers<unknown[]>()
    pool.connect((error, client, release) => {
      release()
      release()
      given.resolve([error instanceof Error, client])
    })
    expect(await given.promise).toEqual([true, undefined])
  }
})
