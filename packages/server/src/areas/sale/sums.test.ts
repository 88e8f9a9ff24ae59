import type { SaleRow, SaleSums } from '@backstock/contract/sale.ts'
import { SALE_STATUSES } from '@backstock/contract/sale-status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let other: number
const made: number[] = []

/** Midnights by the company's clock, and the moments around them. One sale is made at each. */
const MOMENTS = [
  '2026-03-01 00:00',
  '2026-03-01 12:00',
  '2026-03-28 23:59',
  '2026-03-31 23:59:59.999',
  '2026-04-01 00:00',
]

async function sell(n: number, customer: number, vat_id: number): Promise<number> {
  const items = await stockItems(t.db, shop, n, { vat_id, sales_price: 10_001 * n })
  const { status, body } = await client.post('/api/sale/create', {
    ...{ stock_items: items.map((id) => ({ id })), customer_id: customer, send_email: false },
    reference_number: `Sum ${n}`,
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  return body.data.id
}

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
  other = (await client.post('/api/customer/create', { first_name: 'Ada', last_name: 'Summer', email: 'ada@sum.test' }))
    .body.data.id
  await t.db.pool.query(`update company set time_zone = 'America/New_York'`)
  for (const [n, moment] of MOMENTS.entries()) {
    const id = await sell(1 + (n % 3), n % 2 ? other : shop.customer, n % 2 ? shop.vat.zero : shop.vat.standard)
    await t.db.pool.query(`update sale set created_at = $2::timestamp at time zone 'America/New_York' where id = $1`, [
      id,
      moment,
    ])
    made.push(id)
  }
  const move = async (id: number, status: string) =>
    expect((await client.post(`/api/sale/${id}/edit`, { status })).status).toBe(200)
  await move(made[1]!, 'Voided')
  await move(made[2]!, 'Awaiting Dispatch')
  await move(made[2]!, 'Dispatched')
  const { items } = (await client.get(`/api/sale/find?id=${made[2]}`)).body.data[0]
  expect((await client.post(`/api/sale/${made[2]}/return-item/${items[0].stock_id}`)).status).toBe(200)
})
afterAll(() => t.close())

const sums = async (query: string): Promise<SaleSums> => {
  const { status, body } = await client.get(`/api/sale/sums?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body.data
}
const rows = async (query: string): Promise<SaleRow[]> =>
  (await client.get(`/api/sale/find?per_page=250&${query}`)).body.data
const ids = async (query: string) => (await rows(`${query}&order_by=id_asc`)).map(({ id }) => id)

test('a period has its first and its last day whole, by the company’s clock', async () => {
  expect(await ids('from=2026-03-01&to=2026-03-31')).toEqual(made.slice(0, 4))
  expect(await ids('from=2026-03-02')).toEqual(made.slice(2))
  expect(await ids('to=2026-03-01')).toEqual(made.slice(0, 2))
  expect(await ids('from=2026-04-01&to=2026-04-01')).toEqual(made.slice(4))
  expect(await ids('from=2026-04-01&to=2026-03-01')).toEqual([])
  expect(await ids('from=&to=')).toEqual(made)
})

test('the sums are those of the rows on all pages, voided ones left out and counted', async () => {
  for (const query of [
    '',
    'from=2026-03-01&to=2026-03-31',
    `customer_id=${other}`,
    'status=Voided',
    `status=${SALE_STATUSES.filter((status) => status !== 'Voided')}&from=2026-03-28`,
    'search=summer ada',
    'search=sum 2&to=2026-03-31',
    'payment=Open',
    'week=2026-03-23',
    `ids=${made.slice(0, 3)}`,
    'customer_id=999999',
  ]) {
    const found = await rows(query)
    const valid = found.filter(({ status }) => status !== 'Voided')
    const sum = (of: (row: SaleRow) => number) => valid.reduce((total, row) => total + of(row), 0)
    const [net, gross] = [sum((row) => row.total_sales_price), sum((row) => row.total_sales_price_vat)]
    const answer = await sums(`per_page=1&page=2&${query}`)
    expect(answer, query).toMatchObject({ sales: found.length, voided: found.length - valid.length, net, gross })
    expect(answer.vat).toBe(gross - net)
  }
  // 23% VAT of 1 × 100.01, of 3 × 300.03 and of 2 × 200.02. The two sales of the other customer have no VAT, and one of
  // them is voided.
  expect(await sums('')).toEqual({
    ...{ sales: 5, voided: 1, net: 10_001 + 90_009 + 10_001 + 40_004, returned: 36_904 },
    ...{ vat: 2_300 + 20_702 + 9_201, gross: 150_015 + 2_300 + 20_702 + 9_201 },
  })
})

test('bad values are refused by their name', async () => {
  for (const [query, name] of [
    ['from=2026-02-30', 'from'],
    ['to=tomorrow', 'to'],
    ['customer_id=Ada', 'customer_id'],
    ['status=Nope', 'status'],
    ['period=soon', 'period'],
  ])
    for (const path of ['sums', 'find']) {
      const { status, body } = await client.get(`/api/sale/${path}?${query}`)
      expect([status, body.message]).toMatchObject([400, new RegExp(`^${name} `)])
    }
})

test('a period that moves with the calendar has all its days too, by the company’s clock', async () => {
  const now = `(now() at time zone 'America/New_York')`
  const steps = { day: '1 day', week: '7 days', month: '1 month', quarter: '3 months', year: '1 year' }
  for (const [unit, step] of Object.entries(steps))
    for (const isLast of [false, true]) {
      const start = `date_trunc('${unit}', ${now}) - ${Number(isLast)} * interval '${step}'`
      const end = `${start} + interval '${step}'`
      const before = (moment: string) => `${moment} - interval '1 ms'`
      for (const [n, moment] of [before(start), start, before(end), end].entries())
        await t.db.pool.query(
          `update sale set created_at = (${moment}) at time zone 'America/New_York' where id = $1`,
          [made[n]],
        )
      const name = unit === 'day' ? ['today', 'yesterday'][Number(isLast)] : `${isLast ? 'last' : 'this'}-${unit}`
      const found = await ids(`period=${name}&ids=${made.slice(0, 4)}`)
      expect([name, found]).toEqual([name, made.slice(1, 3)])
    }
  const both = await ids(`period=last-year,this-year&ids=${made.slice(0, 4)}`)
  expect(both).toEqual(made.slice(1, 4))
})
