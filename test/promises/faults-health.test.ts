import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { VERSION } from '../../packages/server/src/http/version.ts'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import type { RunningServer } from '../journeys/running-server.ts'
import { type FaultShop, faultShop, slowest } from './faults-shop.ts'
import { full, reached, turns } from './figures.ts'
import { layWire, type Wire, type WireState } from './tcp-wire.ts'

// Promise F11 of docs/promises.md: a load balancer asks for the server's health very often while the database is down.
const RATE = turns(200, 1000)
const SECONDS = turns(2, 20)
/** On the daily run other tests may use half of the machine. */
const LIMIT_MS = full ? 2000 : 4000
const TICK_MS = 20

let shop: FaultShop
let wire: Wire
let server: RunningServer
beforeAll(async () => {
  const database = await testDatabase()
  const { host, port, database: name, user } = database.connection
  wire = await layWire(`${host}/.s.PGSQL.${port}`)
  shop = await faultShop(database)
  server = await shop.serve({ DATABASE_URL: `postgresql://${user}@127.0.0.1:${wire.port}/${name}` })
})
afterAll(async () => {
  wire.set('through')
  await shop.close()
  await wire.close()
})

const agent = new http.Agent({ keepAlive: true })
type Heard = { path: string; says: string; ms: number }

async function ask(path: string): Promise<Heard> {
  const start = performance.now()
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(server.address + path, { agent }, resolve).on('error', reject)
  })
  let text = ''
  for await (const piece of response) text += piece
  return { path, says: `${response.statusCode} ${text}`, ms: performance.now() - start }
}

/**
 * Text that the server sends to the database for each check of its health: the query on an open connection, or the
 * settings of a new connection.
 */
const question: Record<WireState, string> = {
  through: 'select name from migration',
  cut: 'statement_timeout',
  silent: 'statement_timeout',
}

async function phase(state: WireState): Promise<{ heard: Heard[]; asked: number; rate: number; lasted: number }> {
  await ask('/readyz')
  wire.set(state)
  let asked = 0
  wire.hear((said) => {
    if (said.includes(question[state])) asked++
  })
  const asking: Promise<Heard>[] = []
  const start = performance.now()
  for (let last = start; last - start < SECONDS * 1000; ) {
    await delay(TICK_MS)
    const now = performance.now()
    // If this process was late, it does not send all missed requests at once: the queue of new connections would
    // overflow.
    const due = Math.round((Math.min(now - last, 3 * TICK_MS) / 1000) * RATE)
    for (let n = 0; n < due; n++) asking.push(ask(n % 2 ? '/readyz' : '/healthz'))
    last = now
  }
  const seconds = (performance.now() - start) / 1000
  const heard = await Promise.all(asking)
  const lasted = (performance.now() - start) / 1000
  return { heard, asked, rate: heard.length / seconds, lasted }
}

const answers = (heard: Heard[], path: string) =>
  new Set(heard.filter((one) => one.path === path).map(({ says }) => says))

testInTurn('F11: health questions without number, with the database there, gone, and silent', async () => {
  const notReady = '503 {"status":"not ready"}'
  const rates: number[] = []
  const times: number[] = []
  const asks: number[] = []
  for (const state of ['through', 'cut', 'silent'] as const) {
    const { heard, asked, rate, lasted } = await phase(state)
    expect(answers(heard, '/healthz')).toEqual(new Set([`200 {"status":"ok","version":"${VERSION}"}`]))
    const readyz = answers(heard, '/readyz')
    // The server keeps its last answer to /readyz for one second.
    if (state === 'cut') readyz.delete('200 {"status":"ready"}')
    expect(readyz).toEqual(new Set([state === 'through' ? '200 {"status":"ready"}' : notReady]))
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(lasted + 1)
    rates.push(rate)
    asks.push(asked / lasted)
    times.push(...heard.map(({ ms }) => ms))
    if (state === 'cut') {
      const { says } = await ask('/readyz')
      expect(says).toBe(notReady)
    }
  }
  expect(slowest(times)).toBeLessThan(allowed(LIMIT_MS))
  wire.set('through')
  for (let says = ''; says !== '200 {"status":"ready"}'; ) says = (await ask('/readyz')).says
  agent.destroy()
  reached(
    'F11',
    `${Math.round(Math.min(...rates))} questions a second, ${Math.max(...asks).toFixed(1)} of them passed on; 503 within ${slowest(times)} ms`,
    '503 within 2 s at 1,000 a second; the database is asked at most once a second',
  )
})
