import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  await t.user('ROLE_ADMIN')
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const TOO_MANY = 'At most 10,000 items at once.'
const range = (n: number) => Array.from({ length: n }, (_, at) => at)
const pricesOf = async (ids: readonly number[]) => {
  const { rows } = await t.db.pool.query('select sales_price from stock where id = any($1) order by id', [ids])
  return rows.map((row) => row.sales_price)
}
const preview = (items: readonly number[], changes: object) => user.post('/api/stock/bulk/preview', { items, changes })

test('each group gets its price in one act, which one undo takes back', async () => {
  const items = await stockItems(t.db, shop, 5)
  const changes = {
    sales_prices: [
      { items: items.slice(0, 2), set: 24_900 },
      { items: [items[2]], set: 30_000 },
      { items: [items[3]], set: null },
    ],
  }
  const { body } = await preview(items, changes)
  expect(body.data).toMatchObject({ matched: 5, will_change: 3, unchanged: 2, refused: [] })
  const done = await user.post('/api/stock/bulk', { items, changes, token: body.data.token })
  const { bulk_id } = done.body.data
  expect(await pricesOf(items)).toEqual([24_900, 24_900, 30_000, null, 30_000])
  const [act] = (await user.get(`/api/stock/bulk/find?id=${bulk_id}`)).body.data
  expect(act.changes).toEqual({
    sales_prices: [
      { items: 2, set: 24_900 },
      { items: 1, set: 30_000 },
      { items: 1, set: null },
    ],
  })
  const { recent_logs } = (await user.get('/api/auth')).body.user
  expect(recent_logs[0].content.data.message).toBe('Edited 3 items: sales prices of 3 groups.')
  expect((await user.post(`/api/stock/bulk/${bulk_id}/undo`)).body.data).toEqual({ restored: 3, kept: [] })
  expect(await pricesOf(items)).toEqual(Array(5).fill(30_000))
})

test('an item in two groups, or a second change of prices, is refused', async () => {
  const items = await stockItems(t.db, shop, 2)
  const twice = await preview(items, { sales_prices: items.map(() => ({ items, set: 1 })) })
  expect(twice.status).toBe(422)
  expect(twice.body.data.errors['changes.sales_prices']).toBe('No item may be in two groups.')
  const both = await preview(items, { sales_price: { set: 1 }, sales_prices: [{ items, set: 1 }] })
  expect(both.status).toBe(422)
  for (const wrong of [[{ items }], [{ items: ['x'], set: 1 }], [{ items, set: -1 }], {}])
    expect((await preview(items, { sales_prices: wrong })).status).toBe(422)
})

test('more items than an act may have are refused before any is read, however they are spread and written', async () => {
  const x = (n: number) => Array(n).fill('x')
  const at = 'changes.sales_prices'
  for (const [sales_prices, field, message] of [
    [range(103).map(() => ({ items: x(10_000).join(), set: 1 })), at, TOO_MANY],
    [range(30).map(() => ({ items: x(10_000), set: 1 })), at, TOO_MANY],
    [[{ items: x(10_001).join(), set: 1 }], at, TOO_MANY],
    [range(2).map(() => ({ items: x(5001), set: 1 })), at, TOO_MANY],
    [range(2).map((n) => ({ items: [n + 1], set: 1, seen: x(5001) })), at, TOO_MANY],
    [range(10_001).map(() => ({})), at, 'At most 10,000 groups at once.'],
    [[{ items: [1], set: 1, seen: ['x'] }], `${at}.0.seen.0`, 'Must be the time an item was loaded with.'],
    [[{ items: 5, set: 1 }], `${at}.0.items`, 'Must be a list of ids.'],
    [[null], `${at}.0`, expect.any(String)],
    [['x,x'], `${at}.0`, expect.any(String)],
  ] as const)
    for (const [url, more] of [
      ['/api/stock/bulk/preview', {}],
      ['/api/stock/bulk', { token: 'a'.repeat(64) }],
    ] as const) {
      const { status, body } = await user.post(url, { items: [1], changes: { sales_prices }, ...more })
      const told = Object.entries(body.data.errors)
      expect([status, told.length, told[0]]).toEqual([422, 1, [field, message]])
    }
  const all = range(10_000).map((n) => n + 1)
  const halves = [all.slice(0, 5000).join(), all.slice(5000)]
  expect((await preview([1], { sales_prices: halves.map((items) => ({ items, set: 1 })) })).status).toBe(200)
})

test('an item that has changed since it was shown keeps its price, and so does one that is gone', async () => {
  const items = await stockItems(t.db, shop, 5)
  const { data } = (await user.get(`/api/stock/find?ids=${items}&per_page=250`)).body
  const seenAt = new Map(data.map((row: { id: number; updated_at: string }) => [row.id, row.updated_at]))
  const seen = items.map((id) => seenAt.get(id))
  const changes = { sales_prices: [{ items, set: 24_900, seen }] }
  await user.post(`/api/stock/${items[1]}/edit`, { sales_price: 27_000 })
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [items[2]])
  await t.db.pool.query(`update stock set status = 'Returned to Supplier', in_hand = false where id = $1`, [items[3]])
  const all = (await preview(items, changes)).body.data
  expect(all).toMatchObject({
    will_change: 2,
    refused: [{ reason: 'It has changed since it was shown.', count: 3, ids: items.slice(1, 4) }],
  })
  const { body } = await preview(items, { sales_prices: [{ items, set: 24_900 }] })
  expect(body.data).toMatchObject({ will_change: 3, unchanged: 0 })
  expect(body.data.refused).toEqual([
    { reason: 'It is Deleted: it keeps its price.', count: 1, ids: [items[2]] },
    { reason: 'It is Returned to Supplier: it keeps its price.', count: 1, ids: [items[3]] },
  ])

  // Somebody sets a price between the preview and the edit, so nothing is written.
  await user.post(`/api/stock/${items[4]}/edit`, { sales_price: 28_000 })
  const late = await user.post('/api/stock/bulk', { items, changes, token: all.token })
  expect(late.status).toBe(409)
  expect(late.body.data.preview.refused).toMatchObject([{ count: 4 }])
  expect(await pricesOf(items)).toEqual([30_000, 27_000, 30_000, 30_000, 28_000])
  for (const wrong of [[], seen.slice(1), seen.map(() => 'yesterday')])
    expect((await preview(items, { sales_prices: [{ items, set: 1, seen: wrong }] })).status).toBe(422)
})

test('an act of many groups keeps the largest and how many others there were; undo takes all of it back', async () => {
  const items = await stockItems(t.db, shop, 26)
  const sales_prices = [
    ...items.slice(0, 23).map((id) => ({ items: [id], set: 100 + id })),
    { items: items.slice(23), set: 5 },
  ]
  const { body } = await preview(items, { sales_prices })
  const done = await user.post('/api/stock/bulk', { items, changes: { sales_prices }, token: body.data.token })
  const { bulk_id } = done.body.data
  const [{ changes, message }] = (await user.get(`/api/stock/bulk/find?id=${bulk_id}`)).body.data
  expect(message).toBe('Edited 26 items: sales prices of 24 groups.')
  expect(changes.sales_prices).toHaveLength(20)
  expect(changes.sales_prices[0]).toEqual({ items: 3, set: 5 })
  expect(changes.more_sales_prices).toEqual({ groups: 4, items: 4 })
  expect((await user.post(`/api/stock/bulk/${bulk_id}/undo`)).body.data).toEqual({ restored: 26, kept: [] })
  expect(await pricesOf(items)).toEqual(Array(26).fill(30_000))
})
