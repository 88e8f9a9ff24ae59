import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import {
  ADMIN,
  newDataDir,
  project,
  type RunningServer,
  removeDataDir,
  startServer,
} from '../journeys/running-server.ts'
import { turns } from '../promises/figures.ts'
import { type Balancer, balance } from './balancer.ts'
import { ENOUGH, expectExactSales } from './exact-sales.ts'
import { Person } from './person.ts'
import { type Postgres, postgres } from './postgres.ts'
import { type Relay, relay } from './relay.ts'
import { Selling } from './selling.ts'
import { addCustomer, phonesFile } from './shop.ts'

/** An import has parts of a thousand: some are done before the kill, more after it. */
const PHONES = turns(6000, 30_000)
const SELLERS = turns(3, 6)
/** How many sales are made before each fault. */
const SOME = 40
/** The old primary is frozen for this long. It is long enough for sales that must not happen. */
const FROZEN_MS = 1000
/**
 * When the database is back, requests succeed again within RIGHT_AGAIN_MS. The job of a dead instance is continued
 * within TAKEN_UP_MS.
 */
const RIGHT_AGAIN_MS = 5000
const TAKEN_UP_MS = 10_000

const home = newDataDir()
/** Two PostgreSQL servers: the primary and its replica. They change roles. */
let primary: Postgres
let replica: Postgres
const instances = new Map<string, RunningServer>()
let balancer: Balancer
/** The only address that the instance `BY_NAME` knows. It moves with the primary. */
let address: Relay
const BY_NAME = 'three'

/**
 * Starts an instance. It knows all servers of the database, but `BY_NAME` knows only `address`. The database sees the
 * instance under its name.
 */
async function startInstance(name: string): Promise<void> {
  const hosts = name === BY_NAME ? `${address.host}:${address.port}` : machines.map(({ host }) => host).join(',')
  const server = await startServer(home, {
    DATABASE_URL: `postgresql://backstock@${hosts}/backstock?application_name=${name}`,
    LOG_LEVEL: 'fatal',
  })
  instances.set(name, server)
}
let machines: Postgres[] = []

/** From here on each acknowledged write is on both servers. */
async function replicateSynchronously(): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  await vi.waitFor(
    async () => {
      const [standby] = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication')
      expect(standby?.sync_state).toBe('sync')
    },
    { timeout: 60_000, interval: 50 },
  )
}

async function copyToReplica(): Promise<void> {
  await primary.stop()
  await replica.becomeReplicaOf(primary)
  await primary.start()
  await replica.start()
}

beforeAll(async () => {
  primary = await postgres(home, project, 'a')
  replica = await postgres(home, project, 'b', true)
  machines = [primary, replica]
  await primary.start()
  const { database: _, ...connection } = primary.connection
  const setUp = new pg.Client({ ...connection, database: 'postgres' })
  await setUp.connect()
  await setUp.query('create database backstock')
  await setUp.end()
  await copyToReplica()
  await replicateSynchronously()
  address = await relay(primary.socket)
  await Promise.all(['one', 'two', 'three', 'four', 'five'].map(startInstance))
  balancer = await balance(() => [...instances.values()].map(({ address }) => address))
})
afterAll(async () => {
  await balancer?.close()
  // Removes what a failed test has left.
  await Promise.all([...instances.values()].map((instance) => instance.kill()))
  await address?.close()
  for (const machine of machines) machine.kill()
  removeDataDir(home)
})

test('five instances that start at once on an empty database are one shop', async () => {
  const passwords = [...instances.values()].filter(({ output }) => output().includes('Log in as'))
  expect(passwords).toHaveLength(1)
  expect(await primary.query('select name from migration')).toHaveLength(
    readdirSync(`${project}/packages/server/migrations`).length,
  )

  const person = new Person(balancer.address)
  expect(await person.logIn(ADMIN.email, ADMIN.password)).toMatchObject({ status: 200 })
  for (const { address } of instances.values())
    expect((await person.call('/api/auth', { at: address })).body.user.email).toBe(ADMIN.email)
  await person.call('/api/logout', { method: 'POST' })
  for (const { address } of instances.values())
    expect((await person.call('/api/auth', { at: address })).status).toBe(401)

  const guesser = new Person(balancer.address)
  const guesses: number[] = []
  for (let n = 0; n < 12; n++) guesses.push((await guesser.logIn('nobody@example.test', `guess ${n}`)).status)
  expect(guesses).toEqual([...Array(10).fill(401), 429, 429])

  const leaving = performance.now()
  await Promise.all(['four', 'five'].map((name) => instances.get(name)!.stop()))
  const left = performance.now() - leaving
  expect(left).toBeLessThan(allowed(10_000))
  for (const name of ['four', 'five']) instances.delete(name)
})

test('an import whose instance is killed goes on in another, every row once', async () => {
  const person = new Person(balancer.address)
  await person.logIn(ADMIN.email, ADMIN.password)
  const upload = () =>
    person.call('/api/stock/import/csv', { method: 'POST', body: phonesFile(PHONES), key: 'one-delivery' })
  const started = await upload()
  expect(started.status).toBe(202)
  const id: number = started.body.data.import_id

  const victim = await vi.waitFor(() => workerOf(id), { timeout: 60_000, interval: 5 })
  await instances.get(victim)!.kill()
  instances.delete(victim)
  const killed = performance.now()
  const before = await donePartsOf(id)
  expect(before).toBeLessThan(PHONES / 1000)
  await vi.waitFor(async () => expect(await donePartsOf(id)).toBeGreaterThan(before), {
    timeout: 60_000,
    interval: 50,
  })
  const takenUp = performance.now() - killed
  console.log(
    `Import: killed after ${before} of ${PHONES / 1000 + 1} parts, taken up by another in ${Math.round(takenUp)} ms`,
  )
  expect(takenUp).toBeLessThan(allowed(TAKEN_UP_MS))

  await vi.waitFor(
    async () => {
      const progress = await Promise.all(
        [...instances.values()].map(({ address }) =>
          person.call(`/api/stock/import/history?id=${id}`, { at: address }),
        ),
      )
      for (const { body } of progress)
        expect(body.data[0].content.data).toMatchObject({ successed_rows: PHONES, failed_rows: 1 })
    },
    { timeout: 60_000, interval: 200 },
  )
  expect((await upload()).body.data.import_id).toBe(id)
  await startInstance(victim)
  const [counted] = await primary.query(
    `select count(*)::int as items, count(distinct imei)::int as phones,
      (select count(*)::int from log where loggable_type = 'Stock' and import_id = $1) as logs from stock`,
    [id],
  )
  expect(counted).toEqual({ items: PHONES, phones: PHONES, logs: PHONES })
  expect(await contradictionsIn(primary.connection)).toEqual([])
})

/** The instance that works on this import. Throws until three parts are done. */
async function workerOf(id: number): Promise<string> {
  if ((await donePartsOf(id)) < 3) throw new Error('Not yet')
  const [holder] = await primary.query<{ name: string }>(`
    select application_name as name from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and objid = 7265002 and granted`)
  if (!holder) throw new Error('Nobody')
  return holder.name
}

async function donePartsOf(id: number): Promise<number> {
  const [{ n }] = (await primary.query(
    'select count(*)::int as n from import_part where import_id = $1 and done_at is not null',
    [id],
  )) as [{ n: number }]
  return n
}

test('the primary dies, is restarted, hangs: what was acknowledged is there, once', async () => {
  const person = new Person(balancer.address)
  await person.logIn(ADMIN.email, ADMIN.password)
  const customer = await addCustomer(person)
  const items = await primary.query<{ id: number }>(`select id from stock where status = 'In Stock' order by id`)
  const selling = new Selling(
    person,
    items.map(({ id }) => id),
    customer,
    SELLERS,
  )
  const settled: string[] = []
  /** Checks the time after the database is back: sales succeed in time, and none is refused after the first one. */
  const backSince = async (back: number, what: string) => {
    await Promise.race([delay(RIGHT_AGAIN_MS + 1500), selling.failed])
    await selling.acknowledged(1, back)
    const { firstSale, last503 } = selling.after(back)
    settled.push(`${what}: first sale ${firstSale} ms, last 503 ${last503} ms after it`)
    const most = allowed(RIGHT_AGAIN_MS)
    expect(firstSale, what).toBeLessThan(most)
    expect(last503, what).toBeLessThan(most)
  }
  const swap = () => {
    ;[primary, replica] = [replica, primary]
    address.leadTo(primary.socket)
  }

  await selling.acknowledged(SOME)
  primary.kill()
  await delay(500)
  await replica.promote()
  swap()
  await backSince(performance.now(), 'Failover after kill -9')

  await primary.stop()
  await replica.becomeReplicaOf(primary)
  await primary.start()
  const restarted = performance.now()
  await replica.start()
  await backSince(restarted, 'Restart')

  await replicateSynchronously()
  await selling.acknowledged(SOME, performance.now())
  primary.freeze()
  const frozen = performance.now()
  await delay(FROZEN_MS)
  // Instances may find the new primary, and sell, before the command that promotes it has returned.
  const promoting = performance.now()
  await replica.promote()
  const promoted = performance.now()
  swap()
  await backSince(promoted, 'Failover from a machine that hangs')
  // Each seller may still get one late answer to an earlier request, on a busy machine.
  expect(selling.count(frozen, promoting, (status) => status === 201)).toBeLessThanOrEqual(SELLERS)
  replica.thaw()
  await delay(1500)
  await selling.acknowledged(ENOUGH)
  await selling.stop()
  replica.kill()

  await expectExactSales(primary, person, selling)
  await expectMailsSent()
  const count = (status: number) => selling.count(0, Number.POSITIVE_INFINITY, (one) => one === status)
  console.log(
    [`Sales: ${count(201)} acknowledged, ${count(409)} sold to another, ${count(503)} answers 503`, ...settled].join(
      '\n  ',
    ),
  )
})

/** Waits until all mails of these sales are sent, and checks that each was sent once. */
async function expectMailsSent(): Promise<void> {
  await vi.waitFor(
    async () => expect(await primary.query(`select id, state from mail where state <> 'sent'`)).toEqual([]),
    { timeout: 60_000, interval: 200 },
  )
  const [{ mails }] = (await primary.query('select count(*)::int as mails from mail')) as [{ mails: number }]
  expect(readdirSync(`${home}/mail`)).toHaveLength(mails)
}
