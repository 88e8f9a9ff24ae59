import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { full, reached } from './figures.ts'
import { emailOf, type LoadShop, loadShop, memoryOf, PASSWORD } from './load-shop.ts'
import { Staff } from './load-staff.ts'
import { type Measured, measure, told, work } from './load-working-day.ts'
import { range } from './shop.ts'

// Promises L1 to L4 and L7 of docs/promises.md: sixty people at work, and disturbances beside them. They take hours, so
// they are not in the daily run.
const MINUTE = 60_000
const HOURS = 5 * 60 * MINUTE
const PEOPLE = 60
const ITEMS = 200_000
const COLLEAGUE = path.join(import.meta.dirname, 'load-colleague.ts')
/** `LOAD_MINUTES=1` shortens all phases, for a quick look. */
const minutes = (all: number) => Number(process.env['LOAD_MINUTES'] ?? all) * MINUTE
const MEGABYTE = 1024 * 1024

describe.runIf(full)('Load', () => {
  let shop: LoadShop
  beforeAll(async () => {
    shop = await loadShop({ items: ITEMS, people: PEOPLE })
  }, 20 * MINUTE)
  afterAll(() => shop.close(), 10 * MINUTE)

  const workFor = (ms: number) => work(shop, delay(ms))
  /**
   * Measures an undisturbed minute before and after the disturbance, since other work on the machine may change
   * meanwhile.
   */
  const between = async (disturbed: () => Promise<Measured>) => {
    const before = await workFor(minutes(1))
    const during = await disturbed()
    const after = await workFor(minutes(1))
    const unexpected = [before, during, after].flatMap((one) => one.unexpected)
    return { calm: (before.p95 + after.p95) / 2, during, unexpected }
  }

  test('L1: sixty staff at work', { timeout: HOURS }, async () => {
    const day = await workFor(minutes(5))
    reached('L1', `${told(day)}; p99 is ${(day.p99 / day.p50).toFixed(1)} times p50`, 'no 5xx; p99 under 10 times p50')
    expect(day.unexpected).toEqual([])
    expect(day.p99 / day.p50).toBeLessThan(10)
  })

  test('L2: the same during an import of 100,000 rows and a full export', { timeout: HOURS }, async () => {
    const { calm, during, unexpected } = await between(async () => {
      const colleague = spawn(process.execPath, [COLLEAGUE, shop.server.address, emailOf(1), PASSWORD, '100000'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      return work(
        shop,
        once(colleague, 'exit').then(([code]) => expect(code).toBe(0)),
      )
    })
    const ratio = during.p95 / calm
    reached(
      'L2',
      `${told(during)}: ${ratio.toFixed(2)} times the calm p95 of ${calm.toFixed(1)}`,
      'p95 at most doubles',
    )
    expect(unexpected).toEqual([])
    expect(ratio).toBeLessThanOrEqual(2)
  })

  test('L3: twenty exports of 200,000 rows to slow readers', { timeout: HOURS }, async () => {
    const [me] = shop.staff
    // One export at full speed first: the process keeps the memory that any export needs.
    await readSlowly(me!, Number.POSITIVE_INFINITY, () => false)
    const before = await memoryOf(shop)
    const until = performance.now() + minutes(1)
    const reading = Promise.all(range(20).map(() => readSlowly(me!, 256 * 1024, () => performance.now() > until)))
    let most = before
    while (performance.now() < until) {
      most = Math.max(most, await memoryOf(shop))
      await delay(250)
    }
    const bytes = await reading
    const grown = (most - before) / MEGABYTE
    reached(
      'L3',
      `${grown.toFixed(0)} MB more than ${(before / MEGABYTE).toFixed(0)} MB`,
      'memory grows at most 150 MB',
    )
    expect(bytes.every((n) => n > 1024)).toBe(true)
    expect(grown).toBeLessThanOrEqual(150)
  })

  test('L4: fifty logins a second beside', { timeout: HOURS }, async () => {
    const heard: { who: string; status: number; ms: number }[] = []
    const { calm, during, unexpected } = await between(async () => {
      const time = minutes(1)
      const tries: Promise<void>[] = []
      let back = Promise.resolve()
      const logIn = async (who: string, one: Staff, name: string, password: string) => {
        const { status, ms } = await one.logIn(name, password)
        heard.push({ who, status, ms })
      }
      const known = new Staff(shop.server.address)
      await known.logIn(emailOf(1), PASSWORD)
      const flooding = (async () => {
        const start = performance.now()
        for (let n = 0; performance.now() - start < time; n++) {
          const stranger = new Staff(shop.server.address)
          tries.push(logIn('stranger', stranger, `nobody${n}@backstock.test`, 'a wrong guess'))
          // Once a second somebody logs in from the browser in which they have logged in before.
          if (n % 50 === 25) back = back.then(() => logIn('known', known, emailOf(1), PASSWORD))
          await delay(Math.max(0, start + n * 20 - performance.now()))
        }
        await Promise.all([...tries, back])
      })()
      return work(shop, flooding)
    })
    const count = (who: string, status: number) =>
      heard.filter((one) => one.who === who && one.status === status).length
    const refused = measure(heard.filter(({ status }) => status === 429).map(({ ms }) => ms))
    const ratio = during.p95 / calm
    reached(
      'L4',
      `${told(during)}: ${ratio.toFixed(2)} times the calm p95; ${count('stranger', 401)} checked, ${refused.requests} told 429 (p95 ${refused.p95.toFixed(0)} ms); ${count('known', 200)} known browsers let in`,
      "others' p95 at most doubles; the excess gets 429",
    )
    const [strangers, knowns] = ['stranger', 'known'].map((who) => heard.filter((one) => one.who === who).length)
    expect(count('stranger', 401) + count('stranger', 429)).toBe(strangers)
    expect(count('stranger', 429)).toBeGreaterThan(0)
    expect(count('known', 200)).toBe(knowns)
    expect(refused.p95).toBeLessThan(1000)
    expect(unexpected).toEqual([])
    expect(ratio).toBeLessThanOrEqual(2)
  })

  test('L7: half an hour of steady work', { timeout: HOURS }, async () => {
    const all = minutes(30)
    const start = performance.now()
    const samples: { at: number; memory: number; files: number; connections: number }[] = []
    const day = work(shop, delay(all))
    while (performance.now() - start < all) {
      const [row] = await shop.rows<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      const [memory, files] = [await memoryOf(shop), await shop.figure('open_files')]
      samples.push({ at: performance.now() - start, memory: memory / MEGABYTE, files, connections: row!.n })
      await delay(all / 300)
    }
    const { unexpected } = await day
    /**
     * The figures of one of the six parts of the day; parts count from 0. Memory goes up and down with garbage
     * collection, so its lowest value counts.
     */
    const ofSixth = (sixth: number) => {
      const some = samples.filter(({ at }) => Math.floor((at / all) * 6) === sixth)
      return {
        memory: Math.min(...some.map(({ memory }) => memory)),
        files: Math.max(...some.map(({ files }) => files)),
        connections: Math.max(...some.map(({ connections }) => connections)),
      }
    }
    const [first, last] = [ofSixth(1), ofSixth(5)]
    const change = (what: keyof typeof first) => `${first[what].toFixed(0)} to ${last[what].toFixed(0)}`
    reached(
      'L7',
      `${all / MINUTE} minutes: memory ${change('memory')} MB, files ${change('files')}, connections ${change('connections')}`,
      'no growth after the first sixth',
    )
    expect(unexpected).toEqual([])
    // Some tolerance for chance: one garbage collection more or less, one connection more in a busy second.
    expect(last.memory).toBeLessThanOrEqual(first.memory * 1.1 + 10)
    expect(last.files).toBeLessThanOrEqual(first.files + 20)
    expect(last.connections).toBeLessThanOrEqual(first.connections + 5)
  })

  /**
   * Reads the export of all items at this many bytes a second, until its end or until `enough` returns true. Returns
   * the number of bytes.
   */
  async function readSlowly(me: Staff, bytesPerSecond: number, enough: () => boolean): Promise<number> {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const url = `${shop.server.address}/api/stock/export/csv`
      http.get(url, { headers: me.headers, agent: false }, resolve).on('error', reject)
    })
    expect(answer.statusCode).toBe(200)
    let read = 0
    for await (const piece of answer) {
      read += piece.length
      if (enough()) break
      if (bytesPerSecond < Number.POSITIVE_INFINITY) await delay((piece.length / bytesPerSecond) * 1000)
    }
    return read
  }
})
