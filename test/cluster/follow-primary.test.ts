import dns from 'node:dns'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { connect, type Database } from '../../packages/server/src/db/connect.ts'
import { type FollowedPrimary, followPrimary, TIMES } from '../../packages/server/src/db/follow-primary.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { newDataDir, project, removeDataDir } from '../journeys/running-server.ts'
import { type Postgres, postgres } from './postgres.ts'
import { type Relay, relay } from './relay.ts'

/** The times of the real server, shortened. `answer` is not shortened, because this machine may be busy. */
const SOON = { ...TIMES, ask: 50, renew: 500, older: 1000 }
const NEVER = 3_600_000

const home = newDataDir()
/** `first` is on timeline 1, `twin` is a copy of its disk on another server, and `promoted` is on timeline 2. */
let first: Postgres
let twin: Postgres
let promoted: Postgres
let address: Relay
let following: FollowedPrimary | undefined
let db: Database
let lines: string[]

beforeAll(async () => {
  first = await postgres(home, project, 'a')
  twin = await postgres(home, project, 'b', true)
  promoted = await postgres(home, project, 'c', true)
  await first.start()
  const setUp = new pg.Client({ ...first.connection, database: 'postgres' })
  await setUp.connect()
  await setUp.query('create database backstock')
  await setUp.end()
  await first.query('create table sale (id int generated always as identity, made_at text)')
  await first.stop()
  await twin.becomeCopyOf(first)
  await promoted.becomeReplicaOf(first)
  await Promise.all([first, twin, promoted].map((server) => server.start()))
  await promoted.promote()
  address = await relay(first.socket)
})
afterEach(async () => {
  for (const server of [first, twin, promoted]) server.thaw()
  address.delayBy(0)
  await following?.stop()
  following = undefined
  await db?.close()
})
afterAll(async () => {
  await address?.close()
  for (const server of [first, twin, promoted]) server?.kill()
  removeDataDir(home)
})

const urlOf = (host: string) => `postgresql://backstock@${host}/backstock`
const byName = () => urlOf(`${address.host}:${address.port}`)

async function follow(urls: string[], times: typeof TIMES): Promise<void> {
  lines = []
  following = await followPrimary(urls, (line) => lines.push(line), times)
  db = connect(following.connection)
}

/** Makes a sale. Returns the data folder of the server that has acknowledged it. */
async function sell(): Promise<string> {
  const made = await db.pool.query<{ made_at: string }>(
    `insert into sale (made_at) values (current_setting('data_directory')) returning made_at`,
  )
  return made.rows[0]!.made_at
}
const sellsAt = (server: Postgres) =>
  vi.waitFor(async () => expect(await sell()).toBe(server.connection.host), { timeout: 60_000, interval: 20 })

async function salesAt(server: Postgres): Promise<number> {
  const [{ n }] = (await server.query<{ n: number }>('select count(*)::int as n from sale')) as [{ n: number }]
  return n
}

/** The result that a promise has at this moment; 'still open' if it has none. */
const soFar = (promise: Promise<unknown>) => Promise.race([promise, 'still open'])

/** Waits until the server was asked twice. The first answer has had its effect before the second question. */
async function isAsked(server: Postgres): Promise<void> {
  const questions = new Set<string>()
  const [{ now }] = (await server.query<{ now: string }>('select clock_timestamp()::text as now')) as [{ now: string }]
  await vi.waitFor(
    async () => {
      const asked = await server.query<{ at: string }>(
        `select query_start::text as at from pg_stat_activity
         where application_name = 'backstock watch' and query like '%as timeline%' and query_start > $1`,
        [now],
      )
      for (const { at } of asked) questions.add(at)
      expect(questions.size).toBeGreaterThan(1)
    },
    { timeout: 60_000, interval: 20 },
  )
}

for (const newer of ['gone', 'alive at another address'])
  testInTurn(
    `if one name leads to an older database, the newer one ${newer}, nothing is written until the newer one is back`,
    async () => {
      address.leadTo(promoted.socket)
      await follow([byName()], { ...SOON, patience: NEVER })
      await sellsAt(promoted)
      const before = await salesAt(first)

      if (newer === 'gone') promoted.kill()
      address.leadTo(first.socket)
      const refusals: string[] = []
      const refused = () => sell().then(undefined, ({ code, message }) => void refusals.push(`${code} ${message}`))
      await vi.waitFor(
        async () => {
          await refused()
          expect(lines).toEqual([
            expect.stringMatching(/is on timeline 1, and timeline 2 was seen before.* restart Backstock$/),
          ])
        },
        { timeout: 60_000, interval: 20 },
      )
      // Earlier requests may have failed in other ways, so they do not count.
      await refused()
      refusals.length = 0
      for (let n = 0; n < 30; n++) await Promise.all([refused(), delay(50)])
      const older = '25006 This server of the database is older than one that was seen before.'
      expect(refusals).toEqual(Array(30).fill(older))
      expect(await salesAt(first)).toBe(before)

      if (newer === 'gone') await promoted.start()
      address.leadTo(promoted.socket)
      await sellsAt(promoted)
      expect(await salesAt(first)).toBe(before)
      expect(lines).toHaveLength(1)
    },
  )

testInTurn('an answer that the newest primary misses says nothing of an older one, its death does, once', async () => {
  address.leadTo(promoted.socket)
  await follow([urlOf(first.host), byName()], { ...SOON, older: TIMES.older })
  await sellsAt(promoted)
  const before = await salesAt(first)

  const asked = address.taken()
  address.delayBy(TIMES.answer + 500)
  // The check uses a new connection, because the answer on the old one came too late.
  await vi.waitFor(() => expect(address.taken()).toBeGreaterThan(asked), { timeout: 60_000, interval: 5 })
  address.delayBy(0)
  await sellsAt(promoted)
  expect(lines).toEqual([])

  promoted.kill()
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 60_000 })
  await expect(sell()).rejects.toThrow()
  expect(await salesAt(first)).toBe(before)
  await promoted.start()
  await sellsAt(promoted)
  expect(lines).toEqual([expect.stringContaining('timeline 2 was seen before')])
})

testInTurn('another server of the same timeline behind the name is found, though the one before lives on', async () => {
  address.leadTo(first.socket)
  await follow([byName()], SOON)
  await sellsAt(first)
  const idle = db.readers.connect()
  const lost = idle.then((client) => new Promise((resolve) => client.once('end', resolve)))
  await idle
  address.leadTo(twin.socket)
  await isAsked(twin)
  const end = await soFar(lost)
  ;(await idle).release(true)
  expect(end).not.toBe('still open')
  await sellsAt(twin)
  expect(lines).toEqual([])
})

testInTurn('connections to a server are cut as soon as its name leads to another of the same timeline', async () => {
  address.leadTo(first.socket)
  await follow([byName()], { ...SOON, patience: NEVER })
  await sellsAt(first)
  first.freeze()
  const hanging = sell().catch(String)
  address.leadTo(twin.socket)
  await isAsked(twin)
  expect(await soFar(hanging)).toMatch(/terminated/)
  await sellsAt(twin)
})

testInTurn('a database too busy to answer in time is not cut while its work goes on, one that hangs is', async () => {
  address.leadTo(first.socket)
  await follow([byName()], { ...SOON, answer: 200, patience: 1500 })
  await sellsAt(first)
  address.delayBy(400)
  for (let n = 0; n < 15; n++) await sell()
  first.freeze()
  const hanging = sell().catch(String)
  const asked = address.taken()
  // Each of the new connections waits 200 milliseconds for an answer, so twenty exceed the patience.
  const isLate = () => address.taken() > asked + 20
  await vi.waitFor(async () => expect((await soFar(hanging)) !== 'still open' || isLate()).toBe(true), {
    timeout: 60_000,
    interval: 20,
  })
  expect(await soFar(hanging)).toMatch(/terminated/)
})

testInTurn('a server that is slow to answer the first time is waited for', async () => {
  address.leadTo(first.socket)
  address.delayBy(700)
  await follow([byName()], { ...SOON, answer: 300 })
  address.delayBy(0)
  await sellsAt(first)
})

testInTurn('one lookup at a time of a name that does not resolve', async () => {
  address.leadTo(first.socket)
  const waiting: (() => void)[] = []
  let isHanging = false
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(((
    _: string,
    __: object,
    done: (...found: unknown[]) => void,
  ) => {
    const answer = () => done(null, [{ address: '127.0.0.1', family: 4 }])
    if (isHanging) waiting.push(answer)
    else answer()
  }) as never)
  onTestFinished(() => spy.mockRestore())
  await follow([urlOf(`moving.test:${address.port}`)], { ...SOON, answer: 100 })
  isHanging = true
  const watching = `from pg_stat_activity where application_name = 'backstock watch'`
  await first.query(`select pg_terminate_backend(pid) ${watching}`)
  await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 60_000 })
  await delay(1500)
  expect(waiting).toHaveLength(1)

  isHanging = false
  waiting[0]!()
  await vi.waitFor(async () => expect(await first.query(`select ${watching}`)).not.toEqual([]), { timeout: 60_000 })
  await sellsAt(first)
})
