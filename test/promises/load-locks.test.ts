import pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { reached, turns } from './figures.ts'
import { type LoadShop, loadShop } from './load-shop.ts'
import type { Answer, Staff } from './load-staff.ts'
import { measure } from './load-working-day.ts'
import { range, statuses } from './shop.ts'

// Promise L6 of docs/promises.md: a connection locks an item and does not let go.
const HELD_MS = turns(4000, 30_000)
const FAILS_WITHIN_MS = 5000
/** If fewer other requests were made, the test would prove too little. */
const ENOUGH = 20
/**
 * The number of people who want the locked item. From the second on they wait twice: in the queue, and for the item.
 */
const RIVALS = turns(1, 6)
/** Far more requests than the database has connections, so that most wait for a connection. */
const CROWD = turns(50, 500)

describe('L6', () => {
  let shop: LoadShop
  beforeAll(async () => {
    // Enough items to sell one after another all the time.
    shop = await loadShop({ items: turns(1000, 20_000), people: RIVALS + 4 })
  })
  afterAll(() => shop.close())

  /** Locks the row of an item. Returns a function that unlocks it. */
  async function hold(id: number): Promise<() => Promise<void>> {
    const holder = new pg.Client(shop.connection)
    // If the test fails, its database is dropped while this connection is open.
    holder.on('error', () => undefined)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from stock where id = $1 for update', [id])
    return () => holder.end()
  }

  testInTurn('those who need a locked item are told so soon, and nobody else waits', async () => {
    const [locked, ...others] = shop.items
    const letGo = await hold(locked!)
    const until = performance.now() + HELD_MS
    const heard = { needs: [] as Answer[], others: [] as Answer[] }
    const repeat = async (into: Answer[], act: () => Promise<Answer>) => {
      while (performance.now() < until || heard.others.length < ENOUGH) into.push(await act())
    }
    const sell = (me: Staff, id: number) =>
      me.call('POST', '/api/sale/create', { body: { stock_items: [{ id }], customer_id: shop.customer } })
    const edit = (me: Staff, id: number) =>
      me.call('POST', `/api/stock/${id}/edit`, { body: { sales_price: 30_000 + Math.floor(chance() * 5000) } })
    const batch = (me: Staff, id: number) =>
      me.call('POST', '/api/batch/create', { body: { name: 'All', items: [id] } })

    const [reader, editor, seller, buyer, ...rivals] = shop.staff
    await Promise.all([
      ...rivals.map((me, n) => repeat(heard.needs, () => [sell, edit, batch][n % 3]!(me, locked!))),
      repeat(heard.others, () => reader!.call('GET', `/api/stock/find?id=${locked}`)),
      repeat(heard.others, () => edit(editor!, others[0]!)),
      repeat(heard.others, () => sell(seller!, others.pop()!)),
      repeat(heard.others, () => buyer!.call('PUT', `/api/user/${buyer!.id}/basket`, { body: { items: [locked] } })),
    ])
    await letGo()

    const slowest = (answers: Answer[]) => Math.max(...answers.map(({ ms }) => ms))
    const waited = measure(heard.others.map(({ ms }) => ms))
    reached(
      'L6',
      `${RIVALS} at once, ${heard.needs.length} told in ${(slowest(heard.needs) / 1000).toFixed(1)} s at most; ${waited.requests} others, p95 ${waited.p95.toFixed(0)} ms`,
      '409 or 503 within 5 s; nobody else waits',
    )
    const most = allowed(FAILS_WITHIN_MS)
    for (const { status, body, ms } of heard.needs) {
      expect([409, 503], body.message).toContain(status)
      expect(body.message).toMatch(/Someone else is changing this right now/)
      expect(ms).toBeLessThan(most)
    }
    expect(heard.others.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    expect(waited.p95).toBeLessThan(Math.min(...heard.needs.map(({ ms }) => ms)))
    // After the unlock everybody can change the item again.
    expect((await edit(editor!, locked!)).status).toBe(200)
  })

  const sellAll = (id: number) =>
    Promise.all(
      range(CROWD).map((n) =>
        shop.staff[n % shop.staff.length]!.call('POST', '/api/sale/create', {
          body: { stock_items: [{ id }], customer_id: shop.customer },
          headers: { 'idempotency-key': `${id}-${n}` },
        }),
      ),
    )
  const asTold = (answers: Answer[]) => {
    const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1000
    return `${JSON.stringify(statuses(answers))} in ${slowest.toFixed(1)} s at most`
  }
  function expectSoon(answers: Answer[]) {
    const most = allowed(FAILS_WITHIN_MS)
    for (const { status, body, headers, ms } of answers) {
      expect([201, 409, 503], body.message).toContain(status)
      if (status === 503) expect(headers['retry-after']).toMatch(/^[1-5]$/)
      expect(ms).toBeLessThan(most)
    }
  }

  testInTurn('a crowd of buyers of one item: one gets it, everybody is told soon', async () => {
    const answers = await sellAll(shop.items[2]!)
    reached('L6', `${CROWD} buyers of one item: ${asTold(answers)}`, '201, 409 or 503 within 5 s')
    expectSoon(answers)
    expect(statuses(answers)[201]).toBe(1)
  })

  testInTurn('the same crowd while the item is held: nobody gets it, everybody is told soon', async () => {
    const item = shop.items[3]!
    const letGo = await hold(item)
    const answers = await sellAll(item)
    await letGo()
    reached('L6', `${CROWD} buyers of one that is held: ${asTold(answers)}`, '409 or 503 within 5 s')
    expectSoon(answers)
    expect(statuses(answers)[201]).toBeUndefined()
  })
})
