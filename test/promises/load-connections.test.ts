import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { full, reached } from './figures.ts'
import { type LoadShop, loadShop } from './load-shop.ts'
import { measure } from './load-working-day.ts'
import { range } from './shop.ts'

// Promise L5 of docs/promises.md: connections that are held and not used. The test takes as long as the server waits
// for them.
describe.runIf(full)('L5', () => {
  const [IDLE, DRIPPING, LIMIT_MS] = [2000, 200, 30_000]
  /** The pause between two bytes on a connection that sends slowly. */
  const DROP_MS = 1000

  let shop: LoadShop
  beforeAll(async () => {
    shop = await loadShop({ items: 1000, people: 2 })
  })
  afterAll(() => shop.close())

  /**
   * Opens a connection, sends `first`, then `drop` again and again. When the server has closed the connection, resolves
   * with the time in ms for which it was open.
   */
  function hold(first: string, drop: string): Promise<number> {
    const { hostname, port } = new URL(shop.server.address)
    const socket = net.connect(Number(port), hostname)
    return new Promise((resolve) => {
      const start = performance.now()
      const dripping = drop && setInterval(() => socket.write(drop), DROP_MS)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          if (dripping) clearInterval(dripping)
          resolve(performance.now() - start)
        })
      socket.resume()
      if (first) socket.write(first)
    })
  }

  test('2,000 idle and 200 dripping connections are closed, and nobody else notices', async () => {
    const [me, sender] = shop.staff
    const post = (path: string, length: string, who: Record<string, string>) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\n${Object.entries({ 'content-type': 'application/json', ...who })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}${length}\r\n\r\n`
    const form = { 'content-type': 'multipart/form-data; boundary=b' }
    const drips: [first: string, drop: string][] = [
      ['GET /api/auth HTTP/1.1\r\nHost: a\r\n', 'x: y\r\n'],
      ['', 'G'],
      ['', '\r\n'],
      ['GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', '\r\n'],
      [post('/api/login', 'content-length: 4000', me!.headers), 'x'],
      [post('/api/login', 'transfer-encoding: chunked', me!.headers), '1\r\nx\r\n'],
      [post('/api/login', 'content-length: 4000', {}), 'x'],
      [`${post('/api/stock/import/csv', 'content-length: 100000000', { ...sender!.headers, ...form })}--b\r\n`, 'x'],
    ]
    let holding = true
    const times: number[] = []
    const others = (async () => {
      while (holding) {
        const answer = await me!.call('GET', '/api/stock/find?list=true')
        expect(answer.status).toBe(200)
        times.push(answer.ms)
        await delay(50)
      }
    })()
    const idle = range(IDLE - 200).map(() => hold('', ''))
    const idleAfter = range(200).map(() => hold('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', ''))
    const dripping = range(DRIPPING).map((n) => hold(...drips[n % drips.length]!))
    const ages = { idle: await Promise.all([...idle, ...idleAfter]), dripping: await Promise.all(dripping) }
    holding = false
    await others
    const oldest = { idle: Math.max(...ages.idle), dripping: Math.max(...ages.dripping) }
    const { p50, p95 } = measure(times)
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    reached(
      'L5',
      `idle ${seconds(oldest.idle)} s, dripping ${seconds(oldest.dripping)} s; others p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`,
      'closed within 30 s; others unharmed',
    )
    expect(oldest.idle).toBeLessThan(LIMIT_MS)
    expect(oldest.dripping).toBeLessThan(LIMIT_MS)
    expect(p95).toBeLessThan(1000)
  })
})
