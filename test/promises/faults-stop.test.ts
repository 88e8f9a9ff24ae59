import { existsSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../../packages/server/src/db/connect.ts'
import { connectionTo } from '../../packages/server/src/db/embedded/server-process.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { openShop, stockItems } from '../../packages/server/src/testing/shop.ts'
import { type Postgres, postgres } from '../cluster/postgres.ts'
import {
  ADMIN,
  newDataDir,
  project,
  type RunningServer,
  removeDataDir,
  startServer,
} from '../journeys/running-server.ts'
import { type FaultShop, faultShop, saleOf, slowest } from './faults-shop.ts'
import { reached, turns } from './figures.ts'
import { Staff } from './load-staff.ts'
import { range } from './shop.ts'

// Promise F5 of docs/promises.md: a server that gets the signal to stop.
const GONE_MS = 10_000
const SELLERS = 6
const EXPORT = '/api/stock/export/csv'
/** More than the network's buffers hold, so that the server must wait for a client that does not read. */
const LONG = { columns: { engineer_notes: 'n'.repeat(4000) }, rows: 3000 }

let shop: FaultShop
let frozen: Postgres
const home = newDataDir()
beforeAll(async () => {
  shop = await faultShop(await testDatabase())
  await shop.items(LONG.rows, LONG.columns)
})
afterAll(async () => {
  await shop.close()
  removeDataDir(home)
})

/** Begins a download. The reader stops reading after the first bytes have arrived. */
async function beginExport(staff: Staff, agent: http.Agent): Promise<http.IncomingMessage> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(staff.address + EXPORT, { agent, headers: staff.headers }, resolve).on('error', reject)
  })
  expect(response.statusCode).toBe(200)
  return response
}

/**
 * Begins the same download on a bare connection. When `gone` resolves, it sends a second request on that connection.
 * Resolves with both statuses when the connection is closed.
 */
async function askTwice(staff: Staff, gone: Promise<void>): Promise<{ statuses: Promise<string[]> }> {
  const { hostname, port } = new URL(staff.address)
  const socket = net.connect(Number(port), hostname)
  const question = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${staff.headers['cookie']}\r\n\r\n`
  const statuses: string[] = []
  const begun = Promise.withResolvers<void>()
  socket.on('data', (piece) => {
    for (const [, status] of piece.toString('latin1').matchAll(/HTTP\/1\.1 (\d+) /g)) statuses.push(status!)
    begun.resolve()
  })
  const closed = new Promise<string[]>((resolve, reject) => {
    socket.on('error', reject).on('close', () => resolve(statuses))
  })
  socket.write(question(EXPORT))
  await begun.promise
  socket.pause()
  return {
    statuses: gone.then(() => {
      socket.write(question('/api/auth'))
      socket.resume()
      return closed
    }),
  }
}

/** Resolves once the server refuses new connections. */
const refusesNew = (address: string) =>
  vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const { hostname, port } = new URL(address)
        const socket = net.connect(Number(port), hostname)
        socket
          .on('error', () => resolve())
          .on('connect', () => {
            socket.destroy()
            reject(new Error('It still listens.'))
          })
      }),
    { timeout: 60_000, interval: 10 },
  )

async function logIn(address: string): Promise<Staff> {
  const staff = new Staff(address)
  expect((await staff.logIn(ADMIN.email, ADMIN.password)).status).toBe(200)
  return staff
}

type Sent = { key: string; status: number | 'broken off' }

/** Sells one item after another on one connection until the server closes it. */
async function sell(staff: Staff, items: number[], what: string): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const item of items) {
    const key = `${what}-${item}`
    const status = await staff
      .call('POST', '/api/sale/create', { body: saleOf(shop, [item]), headers: { 'idempotency-key': key } })
      .then((answer) => answer.status)
      .catch(() => 'broken off' as const)
    sent.push({ key, status })
    if (status === 'broken off') break
  }
  return sent
}

async function stopTimed(server: RunningServer): Promise<{ code: number | null; ms: number }> {
  const start = performance.now()
  process.kill(server.pid, 'SIGTERM')
  return { code: await server.ended, ms: performance.now() - start }
}

test('F5: a server stopped under load answers what it has begun, and is gone in time', {
  timeout: 600_000,
}, async () => {
  const stops = turns(1, 20)
  const times: number[] = []
  let answered = 0
  for (const stop of range(stops)) {
    const server = await shop.serve()
    const staff = await logIn(server.address)
    const items = await shop.items(SELLERS * 500)
    const agent = new http.Agent({ keepAlive: true })
    const exported = await beginExport(staff, agent)
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>()
    const { statuses } = await askTwice(staff, gone)
    const before = await soldNow()
    const selling = range(SELLERS).map((n) => sell(staff, items.slice(n * 500, (n + 1) * 500), `stop-${stop}`))
    const some = before + 10 + Math.floor(chance() * 50)
    await vi.waitFor(async () => expect(await soldNow()).toBeGreaterThan(some), { timeout: 60_000, interval: 5 })
    const stopped = stopTimed(server)
    await refusesNew(server.address)
    isGone()
    expect(await statuses).toEqual(['200', '200'])
    // Reading throws unless the download is complete.
    for await (const _ of exported);
    const { code, ms } = await stopped
    agent.destroy()
    expect(code).toBe(0)
    times.push(ms)
    const sent = (await Promise.all(selling)).flat()
    const cut = sent.filter(({ status }) => status === 'broken off')
    const done = sent.filter(({ status }) => status !== 'broken off')
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([201]))
    // The server had not begun the requests that got no answer.
    expect(await shop.rows('select key from idempotency where key = any($1)', [cut.map(({ key }) => key)])).toEqual([])
    expect(await shop.rows('select key from idempotency where key like $1', [`stop-${stop}-%`])).toHaveLength(
      done.length,
    )
    answered += done.length
  }
  expect(slowest(times)).toBeLessThan(allowed(GONE_MS))
  reached(
    'F5',
    `${stops} stops: ${answered} sales and ${2 * stops} exports all answered, gone within ${(slowest(times) / 1000).toFixed(1)} s`,
    'no accepted request dropped; gone within 10 s',
  )
})

const soldNow = async () => (await shop.rows<{ n: number }>('select count(*)::int as n from sale'))[0]!.n

testInTurn(
  'F5: nor does one stay whose database is silent, or who is not read from; the embedded one stops too',
  async () => {
    const [silent, embedded] = await Promise.all([stopBesideSilence(), stopEmbedded()])
    const most = allowed(GONE_MS)
    for (const { ms, code } of [silent, embedded]) {
      expect(ms).toBeLessThan(most)
      expect(code).toBe(1)
    }
    reached(
      'F5',
      `database frozen: ${(silent.ms / 1000).toFixed(1)} s; embedded, a reader who hangs: ${(embedded.ms / 1000).toFixed(1)} s`,
      'gone within 10 s, and says what it cut off',
    )
  },
)

async function stopBesideSilence(): Promise<{ ms: number; code: number | null }> {
  frozen = await postgres(home, project, 'frozen')
  await frozen.start()
  const connection = { ...frozen.connection, database: 'postgres' }
  await migrate(connection)
  const place = { connection, url: `postgresql://backstock@${frozen.host}/postgres`, drop: async () => frozen.kill() }
  const other = await faultShop(place)
  const server = await other.serve({ LOG_LEVEL: 'error' })
  const staff = await logIn(server.address)
  frozen.freeze()
  const hanging = staff.call('GET', '/api/stock/find').catch(() => 'broken off')
  // Once a later request is answered, the first one is in flight for sure.
  expect((await staff.call('GET', '/healthz')).status).toBe(200)
  const stopped = await stopTimed(server)
  frozen.thaw()
  expect(await hanging).toBe('broken off')
  expect(server.output()).toContain('"requests":["GET /api/stock/find"]')
  await other.close()
  return stopped
}

async function stopEmbedded(): Promise<{ ms: number; code: number | null }> {
  const dataDir = newDataDir()
  const server = await startServer(dataDir, { LOG_LEVEL: 'error' })
  const data = `${dataDir}/pg18`
  const db = connect(connectionTo(data), { readers: 1, writers: 1 })
  await stockItems(db, await openShop(db), LONG.rows, LONG.columns)
  expect(await contradictionsIn(connectionTo(data))).toEqual([])
  await db.close()
  const agent = new http.Agent()
  const exported = await beginExport(await logIn(server.address), agent)
  const stopped = await stopTimed(server)
  exported.on('error', () => undefined).destroy()
  expect(server.output()).toContain(`"requests":["GET ${EXPORT}"]`)
  // PostgreSQL got the signal to stop, but the server may end before it.
  await vi.waitFor(() => expect(existsSync(`${data}/postmaster.pid`)).toBe(false), { timeout: 60_000 })
  removeDataDir(dataDir)
  return stopped
}
