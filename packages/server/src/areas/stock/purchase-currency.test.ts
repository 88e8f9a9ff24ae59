import { costOf } from '@backstock/contract/purchase-currency.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const phone = (fields: object) =>
  client.post('/api/stock/create', {
    ...{ actual_product_id: shop.product, imei: newImei(), purchase_price: 85_000, sales_price: 30_000 },
    ...{ status: 'In Stock', vat_type_id: shop.vat.standard, ...fields },
  })
const bought = async (fields: object) => {
  const { status, body } = await phone(fields)
  expect([status, body.data.errors]).toEqual([201, undefined])
  return body.data
}
const edit = (id: number, fields: object) => client.post(`/api/stock/${id}/edit`, fields)
const lastRate = async (currency: string) =>
  (await client.get(`/api/stock/fx-rate?currency=${currency}`)).body.data.fx_rate

test('an item bought in zloty costs what they came to in EUR, and its log names the currency', async () => {
  expect(await lastRate('PLN')).toBeNull()
  const item = await bought({ purchase_currency: 'pln', fx_rate: '4,25' })
  expect(item).toMatchObject({ purchase_price: 85_000, purchase_currency: 'PLN', fx_rate: 4.25, cost: 20_000 })
  expect(item.logs[0].content.data).toEqual(
    expect.arrayContaining([
      { attributeName: 'purchase_price', from: null, to: '850.00 PLN' },
      { attributeName: 'fx_rate', from: null, to: 4.25 },
    ]),
  )
  expect(await lastRate('PLN')).toBe(4.25)
  const later = (await edit(item.id, { fx_rate: 4.3 })).body.data
  expect([later.cost, await lastRate('PLN')]).toEqual([19_767, 4.3])
  const home = (await edit(item.id, { purchase_currency: 'EUR', purchase_price: 19_000 })).body.data
  expect(home).toMatchObject({ purchase_currency: 'EUR', fx_rate: null, cost: 19_000 })
  expect(home.logs[0].content.data).toEqual([
    { attributeName: 'purchase_price', from: '850.00 PLN', to: 19_000 },
    { attributeName: 'fx_rate', from: 4.3, to: null },
  ])
})

test.each([
  [{ purchase_currency: 'PLN' }, 'This field is required: how many PLN one EUR was.'],
  [{ fx_rate: 4.25 }, 'A price in EUR needs no exchange rate: leave it empty.'],
  [{ purchase_currency: 'EUR', fx_rate: 1 }, 'A price in EUR needs no exchange rate: leave it empty.'],
  [{ purchase_currency: 'PLN', fx_rate: 0.04 }, /^Must be an exchange rate/],
  [{ purchase_currency: 'PLN', fx_rate: 1_000_001 }, /^Must be an exchange rate/],
  [{ purchase_currency: 'PLN', fx_rate: '4.1234567' }, /^Must be an exchange rate/],
  [{ purchase_currency: 'PLN', fx_rate: true }, /^Must be an exchange rate/],
])('%j is refused', async (fields, message) => {
  const { status, body } = await phone(fields)
  expect([status, body.data.errors]).toEqual([422, { fx_rate: expect.stringMatching(message) }])
})

test('another currency than before needs a rate of its own, and a sold item keeps both', async () => {
  expect((await phone({ purchase_currency: 'XXX', fx_rate: 2 })).body.data.errors).toEqual({
    purchase_currency: 'Must be the code of a currency, such as USD.',
  })
  const { id } = await bought({ purchase_currency: 'PLN', fx_rate: 4.25 })
  expect((await edit(id, { purchase_currency: 'CZK' })).body.data.errors).toEqual({
    fx_rate: 'This field is required: how many CZK one EUR was.',
  })
  expect((await edit(id, { purchase_price: 42_500 })).body.data.cost).toBe(10_000)
  const sale = await client.post('/api/sale/create', {
    ...{ stock_items: [{ id }], customer_id: shop.customer, send_email: false, create_invoice: false },
  })
  expect(sale.body.data).toMatchObject({ total_purchase_price: 10_000, total_profit: 20_000 })
  expect(sale.body.data.items[0].purchase_price).toBe(10_000)
  const fixed = 'Cannot be changed: the item is Sold.'
  expect((await edit(id, { purchase_currency: 'CZK', fx_rate: 25 })).body.data.errors).toEqual({
    purchase_currency: fixed,
    fx_rate: fixed,
  })
  for (const wrong of [`purchase_currency = 'EUR'`, 'fx_rate = null', 'fx_rate = 0.01', `purchase_currency = 'zl'`])
    await expect(t.db.pool.query(`update stock set ${wrong} where id = $1`, [id])).rejects.toThrow('violates check')
})

test('a list by the price of purchase compares what items cost', async () => {
  const rate = { purchase_currency: 'HUF', fx_rate: 400 }
  const made = [await bought({ ...rate, purchase_price: 4_000_000 }), await bought({ purchase_price: 12_000 })]
  const ids = made.map(({ id }) => id)
  const { data } = (await client.get('/api/stock/find?status=In Stock&order=purchase_price_asc&per_page=100')).body
  const listed = data.map(({ id }: { id: number }) => id).filter((id: number) => ids.includes(id))
  expect(listed).toEqual(ids)
})

test('batches and the dashboard add up costs', async () => {
  const value = async () => (await client.get('/api/dashboard')).body.data
  const before = JSON.stringify(await value())
  const items = [await bought({ purchase_currency: 'GBP', fx_rate: 0.85, purchase_price: 17_000 }), await bought({})]
  const batch = await client.post('/api/batch/create', { name: 'Mixed', items: items.map(({ id }) => id) })
  expect(batch.body.data).toMatchObject({ total_purchase_price: 20_000 + 85_000, margin: 60_000 - 105_000 })
  expect(JSON.stringify(await value())).not.toBe(before)
  const { rows } = await t.db.pool.query(
    `select (select sum(cost) from stock_count)::int as counted, (select sum(cost) from stock)::int as there`,
  )
  expect(rows[0].counted).toBe(rows[0].there)
})

test('a cost is what the contract works out, to the cent', async () => {
  const priced = fc.record({
    price: fc.integer({ min: 0, max: 100_000_000 }),
    millionths: fc.oneof(
      fc.integer({ min: 50_000, max: 5_000_000 }),
      fc.integer({ min: 50_000, max: 1_000_000_000_000 }),
    ),
  })
  // Prices that make half a cent are added, because random draws have few of them.
  const halves = [1, 3, 12_345].map((price) => ({ price, millionths: 2_000_000 }))
  const cases = [...halves, ...fc.sample(priced, 2000)]
  const { rows } = await t.db.pool.query<{ cost: number }>(
    `select round(price / coalesce((millionths * 0.000001)::numeric(14, 6), 1))::int as cost
      from unnest($1::int[], $2::bigint[]) with ordinality as c (price, millionths, n) order by n`,
    [cases.map(({ price }) => price), cases.map(({ millionths }) => millionths)],
  )
  expect(cases.map(({ price, millionths }) => costOf(price, millionths / 1_000_000))).toEqual(
    rows.map(({ cost }) => cost),
  )
  expect(costOf(12_345, null)).toBe(12_345)
})

test('files say currency and rate, and an export that comes back changes nothing', async () => {
  const imeis = [newImei(), newImei(), newImei(), newImei()]
  const ends = ['850.00,PLN,"4,25"', '850.00,PLN,', '100.00,EUR,2', '100.00,zloty,2']
  const rows = imeis.map((imei, n) => `${imei},Apple,iPhone 13,128,GB,Phone,${ends[n]}`)
  const header = 'imei,make,model,capacity,capacity_unit,category,purchase_price,purchase_currency,purchase_fx_rate'
  const { content } = await importCsv(t, client, { csv: [header, ...rows].join('\n') })
  const { details, ...counts } = content.data
  expect(counts).toMatchObject({ successed_rows: 1, failed_rows: 3 })
  expect(details.filter(({ success }: { success: boolean }) => !success)).toMatchObject([
    { row: 3, message: { purchase_fx_rate: 'This field is required: how many PLN one EUR was.' } },
    { row: 4, message: { purchase_fx_rate: 'A price in EUR needs no exchange rate: leave it empty.' } },
    { row: 5, message: { purchase_currency: 'Must be the code of a currency, such as USD.' } },
  ])
  const [item] = (await client.get(`/api/stock/find?search=${imeis[0]}`)).body.data
  expect(item).toMatchObject({ purchase_price: 85_000, purchase_currency: 'PLN', fx_rate: 4.25, cost: 20_000 })

  const csv = (await client.get('/api/stock/export/csv')).raw
  expect(csv.toString()).toContain('850.00,PLN,,,EUR,,false,,,unknown,4.25')
  const again = await importCsv(t, client, { csv, update_existing: 'true' })
  const data = again.content.data
  expect([data.failed_rows, new Set(data.details.map(({ type }: { type: string }) => type))]).toEqual([
    0,
    new Set(['unchanged']),
  ])
  const changed = `imei,purchase_currency\n${imeis[0]},CZK`
  const left = await importCsv(t, client, { csv: changed, update_existing: 'true' })
  expect(left.content.data.details[0].message).toEqual({
    purchase_fx_rate: 'This field is required: how many CZK one EUR was.',
  })
})
