import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'
import { basketItems, removeFromBasket } from './basket.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let other: Client
let items: number[]
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  other = await t.user('ROLE_ADMIN')
  items = await stockItems(t.db, shop, 60)
})
afterAll(() => t.close())

const basket = (as: Client) => `/api/user/${as.id}/basket`
const idsOf = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map((row) => row.id)

test('a basket keeps its order, each item once, and shows items as they are now', async () => {
  expect((await staff.get(basket(staff))).body.data).toEqual([])
  const [a, b, c] = items as [number, number, number]
  const put = await staff.put(basket(staff), { items: [c, a, c, b, a] })
  expect([put.status, put.body.success, put.body.message, idsOf(put)]).toEqual([200, true, 'Basket saved.', [c, a, b]])
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [a])
  const read = await staff.get(basket(staff))
  expect(idsOf(read)).toEqual([c, a, b])
  expect(read.body.data[1]).toMatchObject({ status: 'Deleted', product_display_name: 'Apple iPhone 13 128 GB' })
  expect(idsOf(await staff.put(basket(staff), { items: `${a},${b}` }))).toEqual([a, b])
  expect((await staff.put(basket(staff), { items: [] })).body.data).toEqual([])
})

test('long notes are cut in a list of more items than a page has, and whole in a shorter one', async () => {
  const notes = 'ü'.repeat(10_000)
  const many = await stockItems(t.db, shop, 251, { engineer_notes: notes })
  await t.db.pool.query(`update stock set engineer_notes = 'short' where id = $1`, [many[0]])
  const notesOf = async (items: number[]) =>
    (await staff.put(basket(staff), { items })).body.data.map((row: { engineer_notes: string }) => row.engineer_notes)
  const cut = `${'ü'.repeat(199)}…`
  expect(await notesOf(many)).toEqual(['short', ...Array(250).fill(cut)])
  expect(await notesOf(many.slice(1))).toEqual(Array(250).fill(notes))
  const lines = many.map((id) => `#${id}`)
  const found = await staff.post('/api/stock/quick-order-find', lines)
  expect(found.body.data.map((row: { engineer_notes: string }) => row.engineer_notes)).toContain(cut)
  expect(found.raw.length).toBeLessThan(1_000_000)
  await staff.put(basket(staff), { items: [] })
})

test('items that do not exist are named, and too many are refused', async () => {
  await staff.put(basket(staff), { items: items.slice(0, 2) })
  const unknown = await staff.put(basket(staff), { items: [items[5], 1_999_999_999] })
  expect([unknown.status, unknown.body.data.errors.items]).toEqual([422, 'There is no item #1999999999.'])
  const many = Array.from({ length: 5001 }, (_, n) => n + 1)
  const tooMany = await staff.put(basket(staff), { items: many })
  expect([tooMany.status, tooMany.body.message]).toEqual([422, 'A basket holds at most 5000 items.'])
  expect((await staff.put(basket(staff), { items: many.slice(1) })).body.message).toContain('There are no items')
  expect(idsOf(await staff.get(basket(staff)))).toEqual(items.slice(0, 2))
})

test("another person's basket can be neither read nor replaced, not even by an administrator", async () => {
  const answers = [await other.get(basket(staff)), await other.put(basket(staff), { items: [] })]
  for (const { status, body } of answers) expect([status, body.message]).toEqual([403, 'A basket belongs to its user.'])
})

test('an out-of-date If-Match is 412 and changes nothing; two tabs that read again lose nothing', async () => {
  const empty = await other.get(basket(other))
  const first = await other.put(basket(other), { items: [items[0]] }, { 'if-match': String(empty.headers['etag']) })
  expect([first.status, first.headers['etag']]).toEqual([200, expect.not.stringMatching(String(empty.headers['etag']))])
  const stale = await other.put(basket(other), { items: [] }, { 'if-match': String(empty.headers['etag']) })
  expect([stale.status, stale.body.title, stale.body.message]).toEqual([
    ...[412, 'Out of date', 'The basket has changed in another window.'],
  ])
  expect(idsOf(await other.get(basket(other)))).toEqual([items[0]])
  for (const accepted of [`"999", ${first.headers['etag']}`, '*'])
    expect((await other.put(basket(other), { items: [items[0]] }, { 'if-match': accepted })).status).toBe(200)

  const add = async (id: number): Promise<void> => {
    for (;;) {
      const read = await other.get(basket(other))
      const put = await other.put(
        basket(other),
        { items: [...idsOf(read), id] },
        { 'if-match': String(read.headers['etag']) },
      )
      if (put.status === 200) return
      expect(put.status).toBe(412)
    }
  }
  const tab = async (ids: number[]) => {
    for (const id of ids) await add(id)
  }
  await Promise.all([tab(items.slice(1, 20)), tab(items.slice(20, 40))])
  expect(idsOf(await other.get(basket(other))).sort((a, b) => a - b)).toEqual(items.slice(0, 40))
})

test('a sold item leaves the basket, in order, and outdates what was read before', async () => {
  await staff.put(basket(staff), { items: [...items.slice(0, 5)].reverse() })
  const before = await staff.get(basket(staff))
  await t.db.write((tx) => removeFromBasket(tx, staff.id, [items[1]!, items[3]!, 999]))
  expect((await basketItems(t.db.read, staff.id)).map((row) => row.id)).toEqual([items[4], items[2], items[0]])
  const put = await staff.put(basket(staff), { items: [] }, { 'if-match': String(before.headers['etag']) })
  expect(put.status).toBe(412)
})
