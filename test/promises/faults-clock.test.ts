import path from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { newImei } from '../../packages/server/src/testing/shop.ts'
import { type Answer, Person } from '../cluster/person.ts'
import { ADMIN, type RunningServer } from '../journeys/running-server.ts'
import { type FaultShop, faultShop, saleOf } from './faults-shop.ts'
import { reached, turns } from './figures.ts'
import { range } from './shop.ts'

// Promise F8 of docs/promises.md: a server whose clock is wrong. Only the database's clock counts.
const DAY_MS = 24 * 3600 * 1000
const PRELOAD = `--import ${path.join(import.meta.dirname, 'shifted-clock.ts')}`

let shop: FaultShop
beforeAll(async () => {
  shop = await faultShop(await testDatabase())
})
afterAll(() => shop.close())

async function setClock(server: RunningServer, clock: string): Promise<void> {
  const times = server.output().split(`The clock is at ${clock}\n`).length
  process.kill(server.pid, 'SIGUSR2')
  await vi.waitFor(() => expect(server.output().split(`The clock is at ${clock}\n`)).toHaveLength(times + 1), {
    timeout: 60_000,
    interval: 5,
  })
}

const ofNewestSession = 'where token_hash = (select token_hash from session order by created_at desc limit 1)'

/** Logs in, then moves the session in time, measured by the database's clock. */
async function session(server: RunningServer, moved: string): Promise<Person> {
  const person = await shop.logIn(server)
  await shop.rows(`update session set ${moved} ${ofNewestSession}`)
  return person
}

let calls = 0
/** Does a bit of everything that depends on time. No answer may be a 5xx. */
async function work(person: Person, what: string): Promise<void> {
  const [item, other] = await shop.items(2)
  const body = saleOf(shop, [item!], { create_invoice: true, create_excel: true, send_email: true })
  const csv = new FormData()
  csv.set(
    'csv',
    new Blob([`imei,make,model,purchase_price,purchase_date\n${newImei()},Nokia,3310,1.00,2026-03-29\n`]),
    'a.csv',
  )
  const answers: [Answer, number][] = [
    [await person.call('/api/auth'), 200],
    [await person.call('/api/sale/create', { method: 'POST', body, key: what.replaceAll(' ', '-') }), 201],
    [await person.call('/api/sale/create', { method: 'POST', body, key: what.replaceAll(' ', '-') }), 201],
    [await person.call('/api/stock/import/csv', { method: 'POST', body: csv }), 202],
    [await person.call(`/api/stock/${other}/edit`, { method: 'POST', body: { purchase_date: '2026-03-29' } }), 200],
    [await person.call(`/api/stock/find?id=${other}`), 200],
    [await person.call('/api/dashboard'), 200],
    [await person.call('/api/stock/import/csv/status'), 200],
    [await person.call('/api/stock/import/history'), 200],
    [await person.call('/api/stock/export/csv'), 200],
    [await person.call('/api/log/find?loggable_type=Sale'), 200],
    [await person.call('/readyz'), 200],
  ]
  calls += answers.length
  for (const [n, [answer, status]] of answers.entries()) expect([n, answer.status], what).toEqual([n, status])
  expect(answers[2]![0].body.data.id).toBe(answers[1]![0].body.data.id)
  expect(answers[5]![0].body.data[0].purchase_date).toBe('2026-03-29')
}

/** All stored times are the database's, and all jobs are done. */
async function expectTrueTimes(): Promise<void> {
  for (const [table, column] of [
    ['sale', 'created_at'],
    ['sale', 'updated_at'],
    ['stock', 'updated_at'],
    ['log', 'at'],
    ['import', 'created_at'],
    ['session', 'seen_at'],
    ['mail', 'created_at'],
    ['idempotency', 'created_at'],
  ])
    expect(
      await shop.rows(
        `select ${column} as "${table}" from ${table} where ${column} > now() or ${column} < now() - interval '13 hours'`,
      ),
    ).toEqual([])
  await vi.waitFor(
    async () => {
      expect(await shop.rows(`select state from mail where state <> 'sent'`)).toEqual([])
      expect(await shop.rows(`select state from import where state <> 'done'`)).toEqual([])
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(
    await shop.rows(`select issued_on from document where issued_on <> current_date and issued_on <> current_date - 1`),
  ).toEqual([])
}

testInTurn('F8: a server whose clock jumps a day goes by the database’s', async () => {
  const rounds = turns(1, 10)
  const clocks = range(rounds).flatMap(() => [DAY_MS, -DAY_MS, 0].map(String))
  const server = await shop.serve({ NODE_OPTIONS: PRELOAD, CLOCKS: clocks.join() })
  const person = await shop.logIn(server)
  const nearlyOver = await session(
    server,
    `expires_at = now() + interval '1 hour', seen_at = now() - interval '11 hours'`,
  )
  const over = await session(server, `expires_at = now() - interval '1 second'`)
  const idle = await session(server, `seen_at = now() - interval '12 hours 1 second'`)
  const guesser = new Person(server.address)
  const guess = async () => (await guesser.logIn('nobody@example.test', 'a wrong guess')).status
  expect((await Promise.all(range(11).map(guess))).toSorted()).toEqual([...Array(10).fill(401), 429])

  await work(person, 'in time')
  for (const [n, clock] of clocks.entries()) {
    await setClock(server, clock)
    expect([(await over.call('/api/auth')).status, (await idle.call('/api/auth')).status]).toEqual([401, 401])
    expect((await nearlyOver.call('/api/auth')).body.user.email).toBe(ADMIN.email)
    await shop.rows(
      `update session set seen_at = now() - interval '11 hours' where expires_at < now() + interval '2 hours'`,
    )
    expect(await guess()).toBe(429)
    await work(person, `jump ${n} to ${clock}`)
    expect((await (await shop.logIn(server)).call('/api/stock/find')).status).toBe(200)
  }
  await expectTrueTimes()
  await server.stop()
  expect(await server.ended).toBe(0)
})

testInTurn('F8: a change to summer time and back is a moment like any other', async () => {
  const changes = ['2027-03-28T00:59:59Z', '2026-10-25T00:59:59Z']
  const server = await shop.serve({ NODE_OPTIONS: PRELOAD, CLOCKS: changes.join(), TZ: 'Europe/Berlin' })
  const person = await shop.logIn(server)
  for (const change of changes) {
    const start = performance.now()
    await setClock(server, change)
    let n = 0
    do await work(person, `${change} ${n++}`)
    while (performance.now() - start < 1500)
  }
  await expectTrueTimes()
  reached(
    'F8',
    `${calls} calls after jumps of 24 h and over two changes of summer time: no 5xx, no session too long or short`,
    'the database’s clock alone decides; no expired session accepted; no 5xx',
  )
})
