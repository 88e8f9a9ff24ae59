import type { Accounting, BookedDocument } from '@backstock/contract/accounting.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPace } from '../../http/pace.ts'
import { DATEV_COLUMNS } from '../../render/datev/columns.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { readSheet } from '../../testing/sheet.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { archiveOf } from '../document/archive.ts'
import { creditItems } from '../document/credit.ts'
import { documentsCsv } from './csv.ts'
import { documentIds, documentsOf } from './documents.ts'
import { documentExports, exportLimit } from './export.ts'
import { postedPayments } from './payments.ts'
import { countCredits, creditsOf } from './purchases.ts'
import { summaryOf } from './summary.ts'
import { refuseTooMany } from './workbook.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let admin: Client
const vat = { high: 0, exempt: 0 }
const customers = { home: 0, german: 0 }

beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  await admin.post('/api/company/edit', {
    country_code: 'NL',
    postal_code: '1012 AB',
    vat_number: 'NL810433941B01',
    margin_rate: 21,
    time_zone: 'Europe/Amsterdam',
  })
  vat.high = await idOf('vat', { name: 'High', rate: 21 })
  vat.exempt = await idOf('vat', { name: 'Free', rate: 0, treatment: 'exempt', exemption_text: 'Article 132' })
  const customer = (last_name: string, country_code: string, vat_number: string | null) =>
    idOf('customer', {
      first_name: 'Bea',
      last_name,
      email: 'bea@example.test',
      vat_number,
      billing_address: { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code },
    })
  customers.home = await customer('Łodziński; =1+1', 'NL', null)
  customers.german = await customer('Müller „GmbH“', 'DE', 'DE 136695976')
  await t.db.pool.query('alter table document disable trigger kept')
})
afterAll(() => t.close())

async function idOf(area: string, input: object): Promise<number> {
  const { body } = await admin.post(`/api/${area}/create`, input)
  return body.data.id
}

type Line = { price: number; cost?: number; vat_id?: number; purchase?: 'unknown' | 'standard' | 'margin' }

/** Makes a sale with an invoice, and dates the invoice to this day. */
async function sold(lines: Line[], issued_on: string, customer_id = customers.home) {
  const items: number[] = []
  for (const { cost = 0, vat_id = vat.high, purchase = 'standard' } of lines)
    items.push(
      ...(await stockItems(t.db, shop, 1, {
        purchase_price: cost,
        vat_id,
        purchase_treatment: purchase,
        purchase_date: '2001-01-01',
      })),
    )
  const stock_items = items.map((id, n) => ({ id, sales_price: lines[n]!.price }))
  const { status, body } = await admin.post('/api/sale/create', { stock_items, customer_id, create_invoice: true })
  expect(status, body.message).toBe(201)
  const id: number = body.data.id
  await issue(id, issued_on)
  return { id, items, number: body.data.invoice_number as string }
}

/** Dispatches a sale and returns one of its items. The credit note is dated to this day. */
async function returned(sale: { id: number; items: number[] }, at: number, day: string) {
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
  const { status, body } = await admin.post(`/api/sale/${sale.id}/return-item/${sale.items[at]}`)
  expect(status, body.message).toBe(200)
  await issue(sale.id, day)
}

/** Dates the newest document of a sale to this day. */
const issue = (saleId: number, day: string) =>
  t.db.pool.query(`update document set issued_on = $2 where id = (select max(id) from document where sale_id = $1)`, [
    saleId,
    day,
  ])

const booksOf = async (from: string, to: string): Promise<Accounting> => {
  const { status, body } = await admin.get(`/api/accounting?from=${from}&to=${to}`)
  expect(status, body.message).toBe(200)
  return body.data
}

test('a period is the documents of its days, by treatment and rate, credit notes taken off', async () => {
  await sold([{ price: 10_000 }], '2030-02-28')
  const sale = await sold([{ price: 10_001 }, { price: 5000, vat_id: vat.exempt }], '2030-03-01')
  await sold([{ price: 20_000 }], '2030-03-31')
  await sold([{ price: 10_000 }], '2030-04-01')
  await returned(sale, 0, '2030-03-15')

  const books = await booksOf('2030-03-01', '2030-03-31')
  expect(books).toMatchObject({ from: '2030-03-01', to: '2030-03-31', invoices: 2, credit_notes: 1, margin: [] })
  expect(books.vat).toEqual([
    {
      treatment: 'standard',
      rate: 21,
      invoices: { documents: 2, net: 30_001, vat: 6300 },
      credit_notes: { documents: 1, net: 10_001, vat: 2100 },
      net: 20_000,
      vat: 4200,
    },
    {
      treatment: 'exempt',
      rate: 0,
      invoices: { documents: 1, net: 5000, vat: 0 },
      credit_notes: { documents: 0, net: 0, vat: 0 },
      net: 5000,
      vat: 0,
    },
  ])

  const { body } = await admin.get('/api/accounting/documents?from=2030-03-01&to=2030-03-31&per_page=2')
  expect(body).toMatchObject({ total: 3, last_page: 2, from: 1, to: 2 })
  const [invoice, credit] = body.data as BookedDocument[]
  expect(invoice).toMatchObject({ kind: 'invoice', number: sale.number, issued_on: '2030-03-01', sale_id: sale.id })
  expect(invoice!.parts.map(({ treatment, net, vat }) => [treatment, net, vat])).toEqual([
    ['standard', 10_001, 2100],
    ['exempt', 5000, 0],
  ])
  expect(credit).toMatchObject({ kind: 'credit_note', credits_number: sale.number, buyer_country: 'NL' })
  expect(credit!.parts.map(({ net, vat }) => [net, vat])).toEqual([[-10_001, -2100]])
  const second = (await admin.get('/api/accounting/documents?from=2030-03-01&to=2030-03-31&per_page=2&page=2')).body
  expect(second.data).toHaveLength(1)
})

test('margins are counted item by item: a loss lowers no other, and credit notes take back what shrinks', async () => {
  const lines: Line[] = [
    { price: 30_000, cost: 20_000, purchase: 'margin' },
    { price: 10_000, cost: 15_000, purchase: 'margin' },
  ]
  const sale = await sold(lines, '2031-01-10')
  expect((await booksOf('2031-01-01', '2031-01-31')).margin).toEqual([
    { rate: 21, sales: 40_000, purchases: 35_000, margin: 10_000, losses: 5000, vat: 1736 },
  ])
  // An allowance of 120.00 leaves 180.00, which is below the item's cost.
  const allow = (price: number, isAllowance = true, reason: 'correction' | 'void' = 'correction') =>
    t.db.write((tx) =>
      creditItems(tx, sale.id, { items: [{ stock_id: sale.items[0]!, price, isAllowance }], reason }, { userId: null }),
    )
  await allow(12_000)
  await issue(sale.id, '2031-02-10')
  expect((await booksOf('2031-02-01', '2031-02-28')).margin).toEqual([
    { rate: 21, sales: -12_000, purchases: 0, margin: -10_000, losses: 2000, vat: -1736 },
  ])
  await expect(allow(18_001)).rejects.toThrow(`Item #${sale.items[0]}: at most 180.00 EUR can be credited.`)
  await allow(18_000, false, 'void')
  await issue(sale.id, '2031-03-10')
  expect((await booksOf('2031-03-01', '2031-03-31')).margin).toEqual([
    { rate: 21, sales: -18_000, purchases: -20_000, margin: 0, losses: -2000, vat: 0 },
  ])
  // An allowance for one item does not count for another on the same invoice.
  const twins = await sold([lines[0]!, lines[0]!], '2044-01-10')
  const [one, other] = twins.items as [number, number]
  for (const [day, stock_id, price] of [
    ['2044-02-10', one, 12_000],
    ['2044-03-10', other, 5000],
  ] as const) {
    const items = [{ stock_id, price, isAllowance: true }]
    await t.db.write((tx) => creditItems(tx, twins.id, { items, reason: 'correction' }, { userId: null }))
    await issue(twins.id, day)
  }
  expect((await booksOf('2044-03-01', '2044-03-31')).margin).toMatchObject([{ sales: -5000, margin: -5000, losses: 0 }])
  // The sums of the year have only the loss of the other item.
  expect((await booksOf('2031-01-01', '2031-12-31')).margin).toEqual([
    { rate: 21, sales: 10_000, purchases: 15_000, margin: 0, losses: 5000, vat: 0 },
  ])
})

test('any amount may be given back for a phone: its purchase is deducted once over its whole life', async () => {
  const life = { 2051: 20_000, 2052: 0, 2053: 30_000, 2054: 1000 }
  for (const [year, price] of Object.entries(life)) {
    const phone: Line = { price: 30_000, cost: 10_000, purchase: 'margin' }
    const sale = await sold([phone], `${year}-01-10`)
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
    const back = { customer_id: customers.home, items: [{ id: sale.items[0], price }], received: true }
    expect((await admin.post('/api/return/create', back)).status).toBe(201)
    await issue(sale.id, `${year}-02-10`)
    const again = { stock_items: [{ id: sale.items[0], sales_price: 25_000 }], customer_id: customers.home }
    const resold = await admin.post('/api/sale/create', { ...again, create_invoice: true })
    await issue(resold.body.data.id, `${year}-03-10`)
    const kept = 30_000 - price
    expect((await booksOf(`${year}-01-01`, `${year}-12-31`)).margin).toMatchObject([
      { sales: kept + 25_000, purchases: 10_000, margin: kept + 15_000, losses: 0 },
    ])
    expect((await booksOf(`${year}-02-01`, `${year}-02-28`)).margin).toMatchObject([
      { sales: 0 - price, purchases: -10_000, margin: 10_000 - price },
    ])
    const parts = (await admin.get(`/api/accounting/documents?from=${year}-01-01&to=${year}-12-31`)).body.data
      .flatMap((one: BookedDocument) => one.parts)
      .map(({ net, cost }: BookedDocument['parts'][number]) => [net, cost])
    expect(parts).toEqual([
      [30_000, 10_000],
      [0 - price, -10_000],
      [25_000, 10_000],
    ])
  }
})

test('the margin of a period is its sales less its purchases, if the company counts so', async () => {
  const bought = (purchase_date: string, purchase_price: number) =>
    stockItems(t.db, shop, 1, { purchase_date, purchase_price, purchase_treatment: 'margin' })
  const method = (margin_method: string) => admin.post('/api/company/edit', { margin_method })
  const abroad = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code: 'US' }
  const american = await idOf('customer', {
    ...{ first_name: 'Al', last_name: 'Abroad', email: 'al@example.test', billing_address: abroad },
  })
  await bought('2039-04-03', 30_000)
  await bought('2039-05-01', 100_000)
  await sold([{ price: 45_000, cost: 10_000, purchase: 'margin' }], '2039-04-11')
  const exported = await sold([{ price: 50_000, cost: 20_000, purchase: 'margin' }], '2039-04-30', american)

  expect((await booksOf('2039-04-01', '2039-04-30')).margin_period).toBeNull()
  expect((await method('period')).status).toBe(200)
  // The margin is 450.00 less 300.00, plus 200.00 for the purchase that left the scheme by an export.
  expect((await booksOf('2039-04-01', '2039-04-30')).margin_period).toEqual({
    ...{ rate: 21, sales: 45_000, purchases: 30_000, otherwise: 20_000, margin: 35_000, vat: 6074 },
  })
  // A new margin rate holds for sales from today on, not for this earlier period.
  await admin.post('/api/company/edit', { margin_rate: 25 })
  expect((await booksOf('2039-04-01', '2039-04-30')).margin_period).toMatchObject({ rate: 21, vat: 6074 })
  await sold([{ price: 3000, cost: 1000, purchase: 'margin' }], '2045-01-02')
  await admin.post('/api/company/edit', { margin_rate: 21 })
  await sold([{ price: 5000, cost: 1000, purchase: 'margin' }], '2045-01-01')
  const { margin: byRate, margin_period: atEnd } = await booksOf('2045-01-01', '2045-01-31')
  expect(byRate.map(({ rate, sales }) => [rate, sales])).toEqual([
    [25, 3000],
    [21, 5000],
  ])
  // The margin of a period has the rate of the newest invoice up to its end.
  expect([atEnd?.rate, (await booksOf('2045-01-01', '2045-01-01')).margin_period?.rate]).toEqual([25, 21])
  await returned(exported, 0, '2039-05-02')
  expect((await booksOf('2039-05-01', '2039-05-31')).margin_period).toEqual({
    ...{ rate: 21, sales: 0, purchases: 100_000, otherwise: -20_000, margin: -120_000, vat: 0 },
  })
  // A returned phone counts in the scheme again with its whole cost, even if only a part is refunded.
  const partly = await sold([{ price: 50_000, cost: 7000, purchase: 'margin' }], '2039-06-01', american)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${partly.id}/edit`, { status })
  const items = [{ id: partly.items[0], price: 45_000 }]
  const back = await admin.post('/api/return/create', { customer_id: american, items, received: true })
  expect(back.status, back.body.message).toBe(201)
  await issue(partly.id, '2039-06-02')
  expect((await booksOf('2039-06-01', '2039-06-30')).margin_period).toMatchObject({ otherwise: 0, margin: 0 })
  // A deleted item was entered by mistake, so it is no purchase.
  const [deleted] = await bought('2039-07-01', 1000)
  const [sentBack] = await bought('2039-07-02', 2000)
  expect((await booksOf('2039-07-01', '2039-07-31')).margin_period).toMatchObject({ purchases: 3000 })
  await admin.post(`/api/stock/${deleted}/edit`, { status: 'Deleted' })
  const supplier_id = await idOf('supplier', { company_name: 'Pallets' })
  await admin.post(`/api/stock/${sentBack}/edit`, { supplier_id })
  const claim = await admin.post('/api/supplier-claim/create', { supplier_id, items: [sentBack], reason: 'Faulty' })
  expect((await admin.post(`/api/supplier-claim/${claim.body.data.id}/send`)).status).toBe(200)
  // An item on a sent claim stays a purchase. The supplier's credit counts in the period in which it is given.
  expect((await booksOf('2039-07-01', '2039-07-31')).margin_period).toMatchObject({ purchases: 2000 })
  await settle(claim.body.data.id, '2039-08-03', { credit_received: 2500 })
  expect((await booksOf('2039-07-01', '2039-07-31')).margin_period).toMatchObject({ purchases: 2000 })
  expect((await booksOf('2039-08-01', '2039-08-31')).margin_period).toMatchObject({ purchases: -2000 })
  // A scrapped phone does not count either: neither its supplier's credit, nor its sale abroad and its return.
  const scrapped = await sold([{ price: 50_000, cost: 7000, purchase: 'margin' }], '2039-09-01', american)
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await admin.post(`/api/sale/${scrapped.id}/edit`, { status })
  const scrap = { customer_id: american, items: [{ id: scrapped.items[0], outcome: 'scrap' }], received: true }
  expect((await admin.post('/api/return/create', scrap)).status).toBe(201)
  await issue(scrapped.id, '2039-10-01')
  const [faulty] = await bought('2039-11-01', 4000)
  await admin.post(`/api/stock/${faulty}/edit`, { supplier_id })
  await claimed(faulty!, '2039-12-01', 1500)
  await admin.post(`/api/stock/${faulty}/edit`, { status: 'Deleted' })
  for (const month of ['2039-09', '2039-10', '2039-11', '2039-12'])
    expect((await booksOf(`${month}-01`, `${month}-30`)).margin_period).toMatchObject({ purchases: 0, otherwise: 0 })
  // A supplier’s credit for a phone that was sold abroad before lowers both what was bought and what left the scheme.
  const [cheaper] = await bought('2040-01-05', 9000)
  await admin.post(`/api/stock/${cheaper}/edit`, { supplier_id })
  const cheaperClaim = await claimed(cheaper!, '2040-01-10', 0)
  const stock_items = [{ id: cheaper, sales_price: 50_000 }]
  const leaving = await admin.post('/api/sale/create', { stock_items, customer_id: american, create_invoice: true })
  await issue(leaving.body.data.id, '2040-02-01')
  expect((await booksOf('2040-02-01', '2040-02-28')).margin_period).toMatchObject({ otherwise: 9000 })
  await admin.post(`/api/supplier-claim/${cheaperClaim}/edit`, { credit_received: 1000 })
  for (const table of ['supplier_credit', 'purchase_correction'])
    await t.db.pool.query(`update ${table} set booked_on = '2040-03-01' where claim_id = $1`, [cheaperClaim])
  expect((await booksOf('2040-03-01', '2040-03-31')).margin_period).toMatchObject({
    ...{ purchases: -1000, otherwise: -1000, margin: 0 },
  })
  const { raw } = await admin.get('/api/accounting/excel?from=2039-04-01&to=2039-04-30')
  expect(readSheet(raw, 3).rows[1]!.slice(0, 6)).toEqual([0.21, 450, 300, 200, 350, 60.74])
  const refused = await method('quarter')
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('Must be one of item, period.')
  await method('item')
  expect((await booksOf('2039-04-01', '2039-04-30')).margin_period).toBeNull()
})

/** Settles a claim, and dates the settlement to this day, which may be in the future. */
async function settle(claim: number, day: string, input: object) {
  const end = { settled_on: '2001-01-01', ...input }
  const { status, body } = await admin.post(`/api/supplier-claim/${claim}/settle`, end)
  expect(status, body.message).toBe(200)
  await t.db.pool.query('update supplier_claim set settled_on = $2 where id = $1', [claim, day])
  await t.db.pool.query('update supplier_credit set booked_on = $2 where claim_id = $1', [claim, day])
}

/**
 * Claims an item from its supplier, who settles the claim with this credit on this day. If `items_back` is true, the
 * supplier also sends the item back. Returns the claim's id.
 */
async function claimed(item: number, settled_on: string, credit: number, items_back = true) {
  const { supplier_id } = (await admin.get(`/api/stock/find?id=${item}`)).body.data[0]
  const { body } = await admin.post('/api/supplier-claim/create', { supplier_id, items: [item], reason: 'Faulty' })
  const id: number = body.data.id
  expect((await admin.post(`/api/supplier-claim/${id}/send`)).status).toBe(200)
  await settle(id, settled_on, { credit_received: credit, items_back, reference: `GS ${id}; =1` })
  return id
}

async function boughtFrom(company_name: string, columns: NonNullable<Parameters<typeof stockItems>[3]>) {
  const supplier_id = await idOf('supplier', { company_name })
  const [item] = await stockItems(t.db, shop, 1, { supplier_id, vat_id: vat.high, ...columns })
  return item!
}

/** Sells an item. Its invoice is dated to this day, or stays one of today. */
async function sell(item: number, price: number, issued_on?: string) {
  const stock_items = [{ id: item, sales_price: price }]
  const input = { stock_items, customer_id: customers.home, create_invoice: true }
  const { status, body } = await admin.post('/api/sale/create', input)
  expect(status, body.message).toBe(201)
  if (issued_on) await issue(body.data.id, issued_on)
  return { id: body.data.id as number, items: [item], number: body.data.invoice_number as string }
}

test('a supplier credit lowers purchases in its own period, and the margin of later sales', async () => {
  const item = await boughtFrom('Before Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2061-01-05', purchase_treatment: 'margin' },
  })
  const id = await claimed(item, '2061-02-10', 3000)
  const [january, february] = [await booksOf('2061-01-01', '2061-01-31'), await booksOf('2061-02-01', '2061-02-28')]
  expect(january.purchases).toEqual([{ treatment: 'margin', items: 1, cost: 20_000, deleted: 0, credited: 0 }])
  expect(january.supplier_credits).toEqual([])
  expect(february.purchases).toEqual([{ treatment: 'margin', items: 0, cost: 0, deleted: 0, credited: 3000 }])
  expect(february).toMatchObject({ supplier_credits_total: 1, supplier_credited: 3000, margin: [] })
  expect(february.supplier_credits).toEqual([
    {
      ...{ claim_id: id, reference: `GS ${id}; =1`, supplier: 'Before Ltd', booked_on: '2061-02-10', items: 1 },
      ...{ amount: 3000, lowers: 3000, margin_vat: 0 },
    },
  ])
  expect((await admin.get(`/api/stock/find?id=${item}`)).body.data[0]).toMatchObject({
    ...{ purchase_price: 20_000, cost: 17_000, status: 'In Stock' },
  })
  // If the price is corrected later, the books and the stock still agree, also if it is below the credit then.
  for (const [price, cost, credited] of [
    [15_000, 12_000, 3000],
    [2000, 0, 2000],
    [1000, 0, 1000],
    [20_000, 17_000, 3000],
  ]) {
    const edited = await admin.post(`/api/stock/${item}/edit`, { purchase_price: price })
    expect(edited.status, edited.body.message).toBe(200)
    expect((await admin.get(`/api/stock/find?id=${item}`)).body.data[0]).toMatchObject({ purchase_price: price, cost })
    const books = await booksOf('2061-01-01', '2061-02-28')
    expect(books.purchases).toEqual([{ treatment: 'margin', items: 1, cost: price, deleted: 0, credited }])
    expect(books.supplier_credits).toMatchObject([{ claim_id: id, items: 1, amount: 3000, lowers: credited }])
  }
  const sale = await sell(item, 30_000, '2061-03-01')
  expect((await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0]).toMatchObject({
    ...{ total_purchase_price: 17_000, total_profit: 30_000 - 17_000 - 2256 },
  })
  expect((await booksOf('2061-03-01', '2061-03-31')).margin).toEqual([
    { rate: 21, sales: 30_000, purchases: 17_000, margin: 13_000, losses: 0, vat: 2256 },
  ])
})

test('a credit after the sale corrects the margin in the period of the credit, never in that of the sale', async () => {
  const item = await boughtFrom('After Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2020-01-05', purchase_treatment: 'margin' },
  })
  // The supplier sends the phone back at once. The supplier's credit comes long after the phone was sold again.
  const id = await claimed(item, '2020-01-20', 0)
  const sale = await sell(item, 30_000, '2020-03-01')
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
  const days = await t.db.pool.query('select (now() at time zone time_zone)::date as today from company')
  const { today } = days.rows[0]
  const before = await booksOf(today, today)
  const later = await admin.post(`/api/supplier-claim/${id}/edit`, { credit_received: 3000 })
  expect(later.status, later.body.message).toBe(200)
  expect((await booksOf('2020-03-01', '2020-03-31')).margin).toEqual([
    { rate: 21, sales: 30_000, purchases: 20_000, margin: 10_000, losses: 0, vat: 1736 },
  ])
  const after = await booksOf(today, today)
  expect(after.supplier_credited - before.supplier_credited).toBe(3000)
  // The VAT in 130.00 is 22.56. The invoice counted 17.36 of it, so 5.20 are left.
  expect(after.margin).toEqual([{ rate: 21, sales: 0, purchases: -3000, margin: 3000, losses: 0, vat: 520 }])
  expect(after.supplier_credits.find(({ claim_id }) => claim_id === id)).toMatchObject({
    amount: 3000,
    margin_vat: 520,
  })
  expect((await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0]).toMatchObject({
    ...{ total_purchase_price: 17_000, total_profit: 30_000 - 17_000 - 2256 },
  })
  // The return also takes back the margin that the credit has added to the sale.
  await returned(sale, 0, today)
  const back = await booksOf(today, today)
  expect(back.margin).toEqual([
    { rate: 21, sales: -30_000, purchases: -20_000, margin: -10_000, losses: 0, vat: -1736 },
  ])
  expect(back.supplier_credited).toBe(after.supplier_credited)
  expect((await admin.get(`/api/stock/find?id=${item}`)).body.data[0]).toMatchObject({ cost: 17_000 })
  // If the phone is sold again, its margin has the final purchase price.
  await sell(item, 30_000, '2062-01-01')
  expect((await booksOf('2062-01-01', '2062-01-31')).margin).toMatchObject([{ purchases: 17_000, vat: 2256 }])
})

test('a correction changes no earlier month, also if the invoice of that month never left', async () => {
  const sale = await sold([{ price: 10_000 }, { price: 20_000 }], '2019-05-31')
  const before = await booksOf('2019-05-01', '2019-05-31')
  const [draft] = (await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0].documents
  expect(draft).toMatchObject({ left_at: null, is_closed: true })
  const corrected = { items: [{ id: sale.items[0], sales_price: 7000 }] }
  const { status, body } = await admin.post(`/api/sale/${sale.id}/correct`, corrected)
  expect(status, body.message).toBe(200)
  expect(await booksOf('2019-05-01', '2019-05-31')).toEqual(before)
  const documents = body.data.sale.documents
  expect(documents).toMatchObject([
    { number: sale.number, total_net: 30_000, is_closed: true },
    { kind: 'credit_note', total_net: 30_000, credits_number: sale.number },
    { kind: 'invoice', total_net: 27_000, left_at: null, is_closed: false },
  ])
  // The new invoice is of this month, so it is made again under its number.
  await admin.post(`/api/sale/${sale.id}/correct`, { items: [{ id: sale.items[0], sales_price: 6000 }] })
  const after = (await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0].documents
  expect(after).toMatchObject([{}, {}, { number: documents[2].number, total_net: 26_000 }])
  expect(after).toHaveLength(3)
})

test('a line that is taxed otherwise before its invoice has left takes what was booked of its margin along', async () => {
  const item = await boughtFrom('Otherwise Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2020-09-05', purchase_treatment: 'margin' },
  })
  const id = await claimed(item, '2020-09-20', 0)
  const sale = await sell(item, 30_000)
  await admin.post(`/api/supplier-claim/${id}/edit`, { credit_received: 3000 })
  const corrected = { items: [{ id: item, vat_treatment: 'standard' }] }
  expect((await admin.post(`/api/sale/${sale.id}/correct`, corrected)).status).toBe(200)
  const { rows } = await t.db.pool.query(
    `select treatment, sum(purchase) as purchase, sum(margin) as margin, sum(margin_vat) as vat from purchase_correction
     where stock_id = $1 group by treatment order by treatment`,
    [item],
  )
  expect(rows).toEqual([
    { treatment: 'margin', purchase: 0, margin: 0, vat: 0 },
    { treatment: 'standard', purchase: -3000, margin: 0, vat: 0 },
  ])
})

test('a phone credited in full, and then for less, gives its purchase back when it is returned in part', async () => {
  const item = await boughtFrom('Less Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2020-07-05', purchase_treatment: 'margin' },
  })
  const id = await claimed(item, '2020-07-20', 20_000)
  const sale = await sell(item, 30_000, '2020-08-01')
  expect((await booksOf('2020-08-01', '2020-08-31')).margin).toMatchObject([{ purchases: 0, margin: 30_000 }])
  await admin.post(`/api/supplier-claim/${id}/edit`, { credit_received: 5000 })
  const corrected = async () => {
    const { rows } = await t.db.pool.query(
      'select sum(purchase) as purchase, sum(margin) as margin from purchase_correction where stock_id = $1',
      [item],
    )
    return rows[0]
  }
  expect(await corrected()).toEqual({ purchase: 15_000, margin: -15_000 })
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
  const back = { customer_id: customers.home, items: [{ id: item, price: 25_000 }], received: true }
  expect((await admin.post('/api/return/create', back)).status).toBe(201)
  expect(await corrected()).toEqual({ purchase: 0, margin: 0 })
})

test('a credit for what was sold with VAT corrects its purchase alone; one after a return that of the phone', async () => {
  const item = await boughtFrom('Standard Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2020-04-05', purchase_treatment: 'standard' },
  })
  const first = await claimed(item, '2020-04-20', 0)
  const sale = await sell(item, 30_000, '2020-05-01')
  await admin.post(`/api/supplier-claim/${first}/edit`, { credit_received: 500 })
  const { rows } = await t.db.pool.query('select * from purchase_correction where stock_id = $1', [item])
  expect(rows).toMatchObject([{ treatment: 'standard', purchase: -500, margin: 0, margin_vat: 0 }])
  await returned(sale, 0, '2063-05-02')
  // If a credit is above the cost, the excess lowers no purchase: it is other income.
  const id = await claimed(item, '2018-06-01', 21_000, false)
  const books = await booksOf('2018-06-01', '2018-06-30')
  expect(books.supplier_credits).toMatchObject([{ claim_id: id, amount: 21_000, lowers: 19_500, margin_vat: 0 }])
  expect(books.purchases).toEqual([{ treatment: 'standard', items: 0, cost: 0, deleted: 0, credited: 19_500 }])
  const moved = await admin.post(`/api/supplier-claim/${id}/edit`, { settled_on: '2018-07-02' })
  expect(moved.status, moved.body.message).toBe(200)
  expect((await booksOf('2018-06-01', '2018-06-30')).supplier_credited).toBe(0)
  expect((await booksOf('2018-07-01', '2018-07-31')).supplier_credited).toBe(21_000)
})

test('a credit lowers a purchase once, even if an allowance took the whole price before a correction', async () => {
  const item = await boughtFrom('Allowing Ltd', { purchase_price: 20_000, purchase_treatment: 'standard' })
  const claim = await claimed(item, '2020-04-20', 0)
  const sale = await sell(item, 30_000, '2020-05-01')
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
  await admin.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 500 })
  const allowed = await admin.post(`/api/sale/${sale.id}/allow`, { items: [{ id: item, price: 30_000 }] })
  expect(allowed.status, allowed.body.message).toBe(200)
  const corrected = await admin.post(`/api/sale/${sale.id}/correct`, { items: [{ id: item, sales_price: 10_000 }] })
  expect(corrected.status, corrected.body.message).toBe(200)
  await admin.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 800 })
  const { rows } = await t.db.pool.query(
    `select d.replaced_by_id is null as stands, sum(p.purchase)::int as purchase from purchase_correction p
     join document d on d.id = p.document_id where p.stock_id = $1 group by 1 having sum(p.purchase) <> 0`,
    [item],
  )
  expect(rows).toEqual([{ stands: true, purchase: -300 }])
})

test('a credit after an allowance takes off the profit of the sale the margin’s VAT that the allowance leaves', async () => {
  const item = await boughtFrom('Allowed Ltd', { purchase_price: 20_000, purchase_treatment: 'margin' })
  const claim = await claimed(item, '2020-04-20', 0)
  const sale = await sell(item, 30_000, '2020-05-01')
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${sale.id}/edit`, { status })
  const allowed = await admin.post(`/api/sale/${sale.id}/allow`, { items: [{ id: item, price: 12_000 }] })
  expect(allowed.status, allowed.body.message).toBe(200)
  const profit = async () => (await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0].total_profit
  // The margin is below 0, so it has no VAT.
  expect(await profit()).toBe(18_000 - 20_000)
  const credited = await admin.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 3000 })
  expect(credited.status, credited.body.message).toBe(200)
  // The VAT in a margin of 10.00 is 1.74.
  expect(await profit()).toBe(18_000 - 17_000 - 174)
})

test('intra-Community supplies stand by VAT number, however it was typed; those without one are named', async () => {
  await sold([{ price: 10_000 }], '2032-01-10', customers.german)
  const second = await sold([{ price: 20_000 }, { price: 500 }], '2032-01-11', customers.german)
  await t.db.pool.query(`update document set buyer_vat_number = 'de136695976' where sale_id = $1`, [second.id])
  await returned(second, 1, '2032-01-12')
  // The buyer has another name by now.
  await t.db.pool.query(`update document set buyer_name = 'Bea Voss' where sale_id = $1`, [second.id])
  const lacking = await sold([{ price: 700 }], '2032-01-13', customers.german)
  await t.db.pool.query(`update document set buyer_vat_number = ' ' where sale_id = $1`, [lacking.id])

  const books = await booksOf('2032-01-01', '2032-01-31')
  expect(books.buyers).toEqual([
    { vat_number: 'DE136695976', name: 'Bea Voss', invoices: 2, credit_notes: 1, net: 30_000 },
  ])
  expect(books).toMatchObject({ buyers_total: 1, without_number_total: 1 })
  expect(books.without_number).toEqual([
    { number: lacking.number, name: 'Bea Müller „GmbH“', sale_id: lacking.id, net: 700 },
  ])

  // The page has the first rows, and the file has all of them.
  await t.db.pool.query(`update document set buyer_vat_number = ' ' where sale_id = $1`, [second.id])
  const { without_number, without_number_total } = await summaryOf(t.db.read, books, 2)
  expect([without_number.length, without_number_total]).toEqual([2, 3])
  const { raw } = await admin.get('/api/accounting/excel?from=2032-01-01&to=2032-01-31')
  const named = readSheet(raw, 4).rows.map((row) => [row[0], row[1], row[4]])
  expect(named).toContainEqual([`missing (${lacking.number})`, 'Bea Müller „GmbH“', 7])
})

test('an item counts on the day of its purchase, else on the day of its record in the company’s time zone', async () => {
  const item = (columns: NonNullable<Parameters<typeof stockItems>[3]>) => stockItems(t.db, shop, 1, columns)
  await item({ purchase_date: '2033-05-01', purchase_price: 100, purchase_treatment: 'margin' })
  // 8.02 PLN at 4 PLN for one EUR are 2.01 EUR.
  await item({
    ...{ purchase_price: 802, purchase_currency: 'PLN', fx_rate: 4 },
    ...{ purchase_date: '2033-05-31', purchase_treatment: 'margin', created_at: '2030-01-01T00:00:00Z' },
  })
  await item({ purchase_date: '2033-06-01', purchase_price: 400, created_at: '2033-05-10T00:00:00Z' })
  // 23:30 in UTC is the next day in Amsterdam, so this item counts in May.
  await item({ purchase_price: 800, created_at: '2033-04-30T23:30:00Z', purchase_treatment: 'import' })
  await item({ purchase_price: 1600, created_at: '2033-05-31T23:30:00Z', purchase_treatment: 'import' })
  const [gone] = await item({ purchase_date: '2033-05-02', purchase_price: 3200, purchase_treatment: 'import' })
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [gone])

  expect((await booksOf('2033-05-01', '2033-05-31')).purchases).toEqual([
    { treatment: 'margin', items: 2, cost: 301, deleted: 0, credited: 0 },
    { treatment: 'import', items: 2, cost: 4000, deleted: 1, credited: 0 },
  ])
})

test('each series says its first and last number, and which lack, also before the first of the period', async () => {
  const sales = []
  for (const day of ['2034-01-31', '2034-02-02', '2034-02-03', '2034-02-04'])
    sales.push(await sold([{ price: 100 }], day))
  const [before, lost, first, last] = sales
  expect((await booksOf('2034-02-01', '2034-02-28')).numbers).toMatchObject([
    { series: 'invoice', first: lost!.number, last: last!.number, documents: 3, missing: [] },
  ])
  const numberOf = (number: string) => Number(number.split('-').at(-1))
  await t.db.pool.query(`update document set number = 900000 where sale_id = $1`, [lost!.id])
  await issue(lost!.id, '2034-03-01')
  expect((await booksOf('2034-02-01', '2034-02-28')).numbers).toMatchObject([
    { first: first!.number, last: last!.number, documents: 2, missing: [numberOf(before!.number) + 1] },
  ])
  // If many lack, the first 20 are named.
  await t.db.pool.query(`update document set number = 900001 where sale_id = $1`, [last!.id])
  const [{ missing }] = (await booksOf('2034-02-01', '2034-02-28')).numbers as [Accounting['numbers'][number]]
  const lacking = Array.from({ length: 19 }, (_, n) => numberOf(first!.number) + 1 + n)
  expect(missing).toEqual([numberOf(before!.number) + 1, ...lacking])
})

test('without days it is the month before today’s; a period of one side, backwards or too long is refused', async () => {
  const { rows } = await t.db.pool.query(
    `select to_char(now() at time zone time_zone - interval '1 month', 'YYYY-MM') as month from company`,
  )
  const { from, to } = (await admin.get('/api/accounting')).body.data
  expect(from).toBe(`${rows[0].month}-01`)
  expect(new Date(Date.parse(to) + 86_400_000).toISOString().slice(8, 10)).toBe('01')
  for (const query of [
    'from=2030-01-01',
    'to=2030-01-01',
    'from=2030-02-01&to=2030-01-01',
    'from=2030-01-01&to=2033-01-02',
    'from=2030-02-30&to=2030-03-01',
  ])
    for (const path of ['', '/documents', '/csv', '/excel', '/zip', '/datev'])
      expect((await admin.get(`/api/accounting${path}?${query}`)).status, query).toBe(400)
  expect((await admin.get('/api/accounting?from=2030-01-01&to=2032-12-31')).status).toBe(200)
})

test('CSV: a row for each treatment and rate, money with a point, nothing that a spreadsheet would run', async () => {
  const sale = await sold([{ price: 10_001 }, { price: 5000, cost: 3000, purchase: 'margin' }], '2035-01-10')
  await returned(sale, 1, '2035-01-11')
  const { headers, raw } = await admin.get('/api/accounting/csv?from=2035-01-01&to=2035-01-31')
  expect(headers['content-disposition']).toBe('attachment; filename="documents-2035-01.csv"')
  const lines = raw.toString().split('\r\n')
  expect(lines[0]).toBe(
    '\uFEFFnumber,kind,credits,date,sale,buyer,country,vat_number,treatment,rate,net,vat,gross,purchase,vat_in_margin',
  )
  const buyer = "Bea Łodziński;' =1+1"
  const [credit] = (
    await t.db.pool.query(`select printed from document where sale_id = $1 and kind = 'credit_note'`, [sale.id])
  ).rows
  expect(lines.slice(1)).toEqual([
    `${sale.number},Invoice,,2035-01-10,${sale.id},${buyer},NL,,Standard,21,100.01,21.00,121.01,,`,
    `${sale.number},Invoice,,2035-01-10,${sale.id},${buyer},NL,,Margin scheme,0,50.00,0.00,50.00,30.00,3.47`,
    `${credit.printed},Credit note,${sale.number},2035-01-11,${sale.id},${buyer},NL,,Margin scheme,0,-50.00,0.00,-50.00,-30.00,-3.47`,
    '',
  ])
})

test('payments are those of the period, and what went back is told apart; stock is that of its last day', async () => {
  const sale = await sold([{ price: 10_000, cost: 4000 }], '2021-05-10')
  const pay = (paid_on: string, amount: number) => admin.post(`/api/sale/${sale.id}/pay`, { paid_on, amount })
  for (const [day, amount] of [
    ['2021-04-30', 1000],
    ['2021-05-01', 5000],
    ['2021-05-31', -2500],
    ['2021-06-01', 700],
  ] as const)
    expect((await pay(day, amount)).status).toBe(200)
  const past = await booksOf('2021-05-01', '2021-05-31')
  expect(past.payments).toEqual({ count: 2, received: 5000, paid_back: 2500 })
  expect(past.stock).toMatchObject({ at: '2021-05-31', total: { items: 0, cost: 0 } })
  const { raw } = await admin.get('/api/accounting/excel?from=2021-05-01&to=2021-05-31')
  const amounts = (nth: number, column: number) =>
    readSheet(raw, nth)
      .rows.slice(1)
      .map((row) => row[column])
  expect(amounts(6, 4)).toEqual([50, -25])
  expect(amounts(7, 2)).toEqual([0, 0, 0, 0, 0, 0, 0])

  // A payment that was recorded before Backstock stored days has no day. The counter entry that reverses it has no
  // day either.
  const { rows } = await t.db.pool.query('insert into payment (sale_id, amount) values ($1, 300) returning id', [
    sale.id,
  ])
  const [today] = (await t.db.pool.query('select (now() at time zone time_zone)::date as day from company')).rows
  const year = today.day.slice(0, 4)
  const before = await booksOf(`${year}-01-01`, `${year}-12-31`)
  expect((await admin.post(`/api/sale/${sale.id}/payment/${rows[0].id}/undo`)).status).toBe(200)
  const now = await booksOf(`${year}-01-01`, `${year}-12-31`)
  const { body } = await admin.get(`/api/stock/value?at=${today.day}`)
  expect(now.stock).toMatchObject({ at: today.day, total: body.data.total })
  expect((await booksOf(today.day, `${year}-12-31`)).stock?.at).toBe(today.day)
  expect(now.payments).toEqual(before.payments)
  expect((await booksOf('2999-01-01', '2999-01-31')).stock).toBeNull()
})

test('Excel: the documents and what they come to, each on its sheet', async () => {
  await sold([{ price: 10_001 }, { price: 5000, cost: 3000, purchase: 'margin' }], '2036-01-10')
  await sold([{ price: 700 }], '2036-01-11', customers.german)
  const { headers, raw } = await admin.get('/api/accounting/excel?from=2036-01-01&to=2036-01-20')
  expect(headers['content-disposition']).toBe('attachment; filename="accounting-2036-01-01-to-2036-01-20.xlsx"')
  const { rows } = readSheet(raw)
  expect(rows[0]!.slice(0, 4)).toEqual(['Number', 'Kind', 'Credits', 'Date'])
  expect(rows[1]!.slice(8)).toEqual(['Standard', 0.21, 100.01, 21, 121.01])
  expect(rows).toHaveLength(4)
  const figures = (nth: number) =>
    readSheet(raw, nth)
      .rows.slice(1)
      .map((row) => row.filter((cell) => cell !== null))
  expect(figures(2)).toEqual([
    ['Standard', 0.21, 1, 100.01, 21, 0, 0, 0, 100.01, 21, 121.01],
    ['Intra-Community', 0, 1, 7, 0, 0, 0, 0, 7, 0, 7],
    ['Margin scheme', 0, 1, 50, 0, 0, 0, 0, 50, 0, 50],
  ])
  expect(figures(3)).toEqual([[0.21, 50, 30, 20, 0, 3.47]])
  expect(figures(4)).toEqual([['DE136695976', 'Bea Müller „GmbH“', 1, 0, 7]])
  expect(figures(5)).toEqual([])
})

const set = (input: object) => admin.post('/api/accounting/settings/edit', input)

test('DATEV is refused until all is set that the period needs, and says what lacks', async () => {
  await sold([{ price: 10_001 }, { price: 5000, cost: 3000, purchase: 'margin' }], '2037-06-30')
  const path = '/api/accounting/datev?from=2037-06-01&to=2037-07-31'
  const refused = await admin.get(path)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toBe(
    'A DATEV file needs the consultant number, the client number, the customers’ account, the account of VAT 21% ' +
      'and the account of Margin scheme.',
  )
  await set({
    consultant_number: '29098',
    client_number: 55003,
    debtor_account: 10_000,
    fiscal_month: 7,
    revenue_accounts: [{ treatment: 'standard', rate: 21, account: 8400 }],
  })
  expect((await admin.get(path)).body.message).toBe(
    'A DATEV file needs the account of Margin scheme and a period within one fiscal year.',
  )
  expect((await booksOf('2037-06-01', '2037-07-31')).datev_lacks).toHaveLength(2)
  await set({ revenue_accounts: [{ treatment: 'margin', rate: 0, account: 8200 }], fiscal_month: 1 })
  expect((await admin.get(path)).status).toBe(200)
})

test('DATEV: header, columns and a booking for each treatment, in Windows-1252 with a decimal comma', async () => {
  await set({
    consultant_number: 29_098,
    client_number: 55_003,
    debtor_account: 10_000,
    fiscal_month: 4,
    revenue_accounts: [
      { treatment: 'standard', rate: 21, account: 8400 },
      { treatment: 'intra_community', rate: 0, account: 8125 },
    ],
  })
  const home = await sold([{ price: 10_001 }, { price: 0, vat_id: vat.high }], '2038-01-02')
  const abroad = await sold([{ price: 5000 }], '2038-03-31', customers.german)
  await returned(home, 0, '2038-02-28')
  const { time_zone } = (await admin.get('/api/company')).body.data
  await admin.post('/api/company/edit', { time_zone: 'Pacific/Kiritimati' })
  const clock = async () =>
    (await t.db.pool.query(`select to_char(now() at time zone 'Pacific/Kiritimati', 'YYYYMMDDHH24MISSMS') as at`))
      .rows[0].at
  const before = await clock()
  const { headers, raw } = await admin.get('/api/accounting/datev?from=2038-01-01&to=2038-03-31')
  const after = await clock()
  await admin.post('/api/company/edit', { time_zone })
  expect(headers['content-disposition']).toBe('attachment; filename="EXTF_Buchungsstapel_2038-01-01-to-2038-03-31.csv"')
  const [head, columns, ...lines] = new TextDecoder('windows-1252').decode(raw).split('\r\n')
  expect(head).toMatch(
    /^"EXTF";700;21;"Buchungsstapel";13;\d{17};;"RE";"";"";29098;55003;20370401;4;20380101;20380331;"Backstock";"";1;0;0;"EUR";;"";;;"";;;"";""$/,
  )
  // The time of the file is the company's.
  const created = head!.split(';')[5]!
  expect([before <= created, created <= after]).toEqual([true, true])
  expect(columns!.split(';')).toEqual(DATEV_COLUMNS)
  expect(DATEV_COLUMNS).toHaveLength(125)
  const cells = lines.slice(0, -1).map((line) => line.split(/;(?!' )/))
  expect(cells.map((line) => line.length)).toEqual([125, 125, 125])
  const place = (name: string) => DATEV_COLUMNS.indexOf(name)
  const [credit] = (
    await t.db.pool.query(`select printed from document where sale_id = $1 and kind = 'credit_note'`, [home.id])
  ).rows
  const buyer = `"Bea Lodzinski;' =1+1"`
  expect(cells.map((line) => [...line.slice(0, 3), ...line.slice(6, 11), line[13]])).toEqual([
    ['121,01', '"S"', '"EUR"', '10000', '8400', '', '0201', `"${home.number}"`, buyer],
    [
      '121,01',
      '"H"',
      '"EUR"',
      '10000',
      '8400',
      '',
      '2802',
      `"${home.number}"`,
      `"${credit.printed} Bea Lodzinski;' =1+1"`,
    ],
    ['50,00', '"S"', '"EUR"', '10000', '8125', '', '3103', `"${abroad.number}"`, '"Bea Müller „GmbH“"'],
  ])
  expect(cells.map((line) => line[place('EU-Land u. UStID (Bestimmung)')])).toEqual(['', '', '"DE136695976"'])

  // In the encoding of the file, these characters become characters that a spreadsheet would take for a formula.
  await t.db.pool.query(`update document set buyer_name = '\u207c1\ufe621\ufe54\ufe661' where sale_id = $1`, [
    abroad.id,
  ])
  const signs = new TextDecoder('windows-1252').decode(
    (await admin.get('/api/accounting/datev?from=2038-03-31&to=2038-03-31')).raw,
  )
  expect(signs).toContain(`"'=1+1;'=1"`)
  // A sign that the encoding lacks is a question mark.
  await t.db.pool.query(`update document set buyer_name = 'Ω 日本📱 ǅ' where sale_id = $1`, [abroad.id])
  expect((await bookings('2038-03-31', '2038-03-31')).map((line) => line[6])).toEqual(['? ??? Dz'])
  // DATEV refuses the whole file if a text has more than 60 characters.
  await t.db.pool.query(`update document set buyer_name = repeat('ä', 70) where sale_id = $1`, [abroad.id])
  const long = await bookings('2038-03-31', '2038-03-31')
  expect(long.map(([, , , , , , text]) => text)).toEqual(['ä'.repeat(60)])
})

/** Reads the bookings of a DATEV file. Each has its amount, side, account, contra account, day, number and text. */
async function bookings(from: string, to: string): Promise<string[][]> {
  const { status, body, raw } = await admin.get(`/api/accounting/datev?from=${from}&to=${to}`)
  expect(status, body?.message).toBe(200)
  const lines = new TextDecoder('windows-1252').decode(raw).split('\r\n').slice(2, -1)
  const places = [0, 1, 6, 7, 9, 10, 13]
  return lines.map((line) => {
    const cells = line.split(';').map((cell) => cell.replaceAll('"', ''))
    return places.map((place) => cells[place]!)
  })
}

test('DATEV: customers’ own accounts, open items that settle, taxed margins and payments', async () => {
  await set({
    ...{ consultant_number: 29_098, client_number: 55_003, fiscal_month: 1, account_length: 4, debtor_account: 10_000 },
    ...{ debtor_first: 20_000, debtor_last: 20_001, creditor_account: 70_000 },
    revenue_accounts: [
      { treatment: 'standard', rate: 21, account: 8400 },
      { treatment: 'margin', rate: 0, account: 8193 },
    ],
    margin_accounts: [{ rate: 21, account: 8191 }],
    credit_accounts: [{ treatment: 'margin', account: 3770 }],
  })
  const numberOf = async (id: number) => (await admin.get(`/api/customer/find?id=${id}`)).body.data[0].debtor_number
  // Customers get numbers in the order of their ids. The range has two numbers, so two of the existing customers get
  // one.
  const { rows } = await t.db.pool.query('select id, debtor_number as n from customer order by id')
  expect(rows.map(({ n }) => n)).toEqual([20_000, 20_001, ...rows.slice(2).map(() => null)])
  expect((await admin.get(`/api/customer/find?id=${rows[0].id}`)).body.data[0].logs[0].content).toEqual({
    type: 'model_update',
    data: [{ attributeName: 'debtor_number', from: null, to: 20_000 }],
  })

  // A larger range gives numbers to the others. A customer keeps the number, and no other customer may have it.
  await set({ debtor_first: 20_010, debtor_last: 29_999 })
  expect(await numberOf(rows[0].id)).toBe(20_000)
  const german = await numberOf(customers.german)
  expect(german).toBeGreaterThanOrEqual(20_001)
  const next = await idOf('customer', { first_name: 'New', last_name: 'Buyer', email: 'new@example.test' })
  const newest = await numberOf(next)
  expect(newest).toBe(
    Math.max(
      20_009,
      ...(await t.db.pool.query('select debtor_number as n from customer where id <> $1', [next])).rows.map(
        ({ n }) => n,
      ),
    ) + 1,
  )
  const taken = await admin.post(`/api/customer/${next}/edit`, { debtor_number: german })
  expect(taken.body.data.errors).toEqual({ debtor_number: 'Another customer has this number.' })
  const long = await admin.post(`/api/customer/${next}/edit`, { debtor_number: '123456' })
  expect(long.body.data.errors).toEqual({ debtor_number: 'At most 5 digits, one more than other accounts have.' })
  // If somebody has the last number of the range, new customers get the lowest that is free.
  await admin.post(`/api/customer/${next}/edit`, { debtor_number: 29_999 })
  const later = await idOf('customer', { first_name: 'Later', last_name: 'Buyer', email: 'later@example.test' })
  expect(await numberOf(later)).toBe(newest)
  for (const id of [next, later])
    expect((await admin.post(`/api/customer/${id}/edit`, { debtor_number: '' })).status).toBe(200)

  // A margin of 50.00, a loss, and an item with VAT.
  const lines = [
    { price: 15_000, cost: 10_000, purchase: 'margin' as const },
    { price: 5000, cost: 8000, purchase: 'margin' as const },
    { price: 1000 },
  ]
  const sale = await sold(lines, '2070-01-05', customers.german)
  const home = await sold([{ price: 15_000, cost: 10_000, purchase: 'margin' }], '2070-01-06')
  await returned(home, 0, '2070-01-20')
  await t.db.pool.query(
    `insert into payment (sale_id, amount, paid_on) values ($1, 20000, '2070-01-04'), ($2, 15000, '2070-01-10'), ($2, -15000, '2070-01-21')`,
    [sale.id, home.id],
  )
  const [credit] = (
    await t.db.pool.query(`select printed from document where sale_id = $1 and kind = 'credit_note'`, [home.id])
  ).rows
  const debtor = String(await numberOf(customers.home))
  const [germanName, homeName] = ['Bea Müller „GmbH“', 'Bea Lodzinski']
  const documents = [
    ['10,00', 'S', String(german), '8125', '0501', sale.number, germanName],
    ['50,00', 'S', String(german), '8191', '0501', sale.number, germanName],
    ['150,00', 'S', String(german), '8193', '0501', sale.number, germanName],
    ['50,00', 'S', debtor, '8191', '0601', home.number, homeName],
    ['100,00', 'S', debtor, '8193', '0601', home.number, homeName],
    ['50,00', 'H', debtor, '8191', '2001', home.number, `${credit.printed} ${homeName}`],
    ['100,00', 'H', debtor, '8193', '2001', home.number, `${credit.printed} ${homeName}`],
  ]
  const inOrder = (lines: string[][]) => lines.map((line) => line.join(' | ')).toSorted()
  expect(inOrder(await bookings('2070-01-01', '2070-01-31'))).toEqual(inOrder(documents))

  await set({ bank_account: 1200 })
  expect(inOrder(await bookings('2070-01-01', '2070-01-31'))).toEqual(
    inOrder([
      ...documents,
      ['200,00', 'H', String(german), '1200', '0401', sale.number, germanName],
      ['150,00', 'H', debtor, '1200', '1001', home.number, homeName],
      ['150,00', 'S', debtor, '1200', '2101', home.number, homeName],
    ]),
  )

  // A payment of a customer without an account of its own is on the common one.
  const debtorOf = (number: string | null) =>
    t.db.pool.query('update customer set debtor_number = $2 where id = $1', [customers.home, number])
  await debtorOf(null)
  expect((await bookings('2070-01-10', '2070-01-10')).map((line) => line.slice(0, 5))).toEqual([
    ['150,00', 'H', '10000', '1200', '1001'],
  ])
  await debtorOf(debtor)

  // A phone that cost nothing is margin alone, and no booking is of nothing.
  const found = await sold([{ price: 7000, cost: 0, purchase: 'margin' }], '2070-02-05')
  expect(await bookings('2070-02-05', '2070-02-05')).toEqual([
    ['70,00', 'S', debtor, '8191', '0502', found.number, homeName],
  ])

  // If VAT is owed on the margin of a period, the revenue of a document is not split.
  await admin.post('/api/company/edit', { margin_method: 'period' })
  expect((await bookings('2070-01-06', '2070-01-06'))[0]!.slice(0, 4)).toEqual(['150,00', 'S', debtor, '8193'])
  await admin.post('/api/company/edit', { margin_method: 'item' })

  // The supplier credits a part of a phone's price after its sale, so the taxed margin grows.
  const item = await boughtFrom('Late Ltd', {
    ...{ purchase_price: 10_000, purchase_date: '2020-01-05', purchase_treatment: 'margin' },
  })
  const claim = await claimed(item, '2020-01-20', 0)
  const late = await sell(item, 15_000, '2020-03-01')
  await admin.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 3000 })
  const { rows: days } = await t.db.pool.query(
    `select to_char(now() at time zone time_zone, 'YYYY-MM-DD') as today from company`,
  )
  const { today } = days[0]
  const day = today.slice(8) + today.slice(5, 7)
  // Other tests have made documents and supplier credits of today, and these need accounts, too.
  const { revenue_accounts } = (await admin.get('/api/accounting/settings')).body.data
  await set({
    credit_accounts: [{ treatment: 'standard', account: 3771 }],
    revenue_accounts: revenue_accounts.map((one: { account: number | null }) => ({
      ...one,
      account: one.account ?? 8000,
    })),
  })
  const credited = (await bookings(today, today)).filter((line) => line[6] === 'Late Ltd')
  expect(inOrder(credited)).toEqual(
    inOrder([
      ['30,00', 'S', '70000', '3770', day, `GS${claim}1`, 'Late Ltd'],
      ['30,00', 'S', '8193', '8191', day, late.number, 'Late Ltd'],
    ]),
  )
  // A period with nothing but this change needs the account of the margin scheme, too.
  await t.db.pool.query(`update purchase_correction set booked_on = '2071-05-01' where claim_id = $1`, [claim])
  await set({ revenue_accounts: [{ treatment: 'margin', rate: 0, account: '' }] })
  const alone = await admin.get('/api/accounting/datev?from=2071-05-01&to=2071-05-31')
  expect([alone.status, alone.body.message]).toEqual([409, 'A DATEV file needs the account of Margin scheme.'])
  await set({ revenue_accounts: [{ treatment: 'margin', rate: 0, account: 8193 }] })
  expect(await bookings('2071-05-01', '2071-05-31')).toEqual([
    ['30,00', 'S', '8193', '8191', '0105', late.number, 'Late Ltd'],
  ])
  const may = { from: '2071-05-01', to: '2071-05-31' }
  const { supplier_credits, ...books } = await booksOf(may.from, may.to)
  expect(books).toMatchObject({ supplier_credits_total: 1, supplier_credited: 0 })
  expect(supplier_credits).toMatchObject([{ claim_id: claim, items: 0, amount: 0, lowers: 0, margin_vat: 520 }])
  expect(await countCredits(t.db.read, may)).toBe(1)
  // A credit that the supplier takes back on the same day leaves nothing to book.
  await admin.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 0 })
  for (const table of ['supplier_credit', 'purchase_correction'])
    await t.db.pool.query(`update ${table} set booked_on = '2071-06-01' where claim_id = $1`, [claim])
  expect(await countCredits(t.db.read, { from: '2071-06-01', to: '2071-06-30' })).toBe(4)
  expect(await bookings('2071-06-01', '2071-06-30')).toEqual([])

  const wrong = await set({
    debtor_first: 200_000,
    debtor_last: '',
    bank_account: 12_000,
    margin_accounts: [{ rate: 21, account: 81_910 }],
  })
  expect(wrong.body.data.errors).toEqual({
    debtor_first: 'At most 5 digits, one more than other accounts have.',
    debtor_last: 'A range needs its first and its last number.',
    bank_account: 'At most 4 digits.',
    'margin_accounts.0.account': 'At most 4 digits.',
  })
  expect((await set({ debtor_first: 30_000, debtor_last: 20_000 })).body.data.errors).toEqual({
    debtor_last: 'Must not be below the first number.',
  })
  expect((await set({ debtor_first: 30_000, debtor_last: 30_000 })).status).toBe(200)
  await set({ debtor_first: '', debtor_last: '', bank_account: '', margin_accounts: [{ rate: 21, account: '' }] })
  const treatments = ['margin', 'standard']
  await set({
    ...{ creditor_account: '', credit_accounts: treatments.map((treatment) => ({ treatment, account: '' })) },
    revenue_accounts,
  })
  await t.db.pool.query('update customer set debtor_number = null')
})

test('DATEV: a payment names the invoice that its sale had on that day, else the first, else the sale', async () => {
  const sale = await sold([{ price: 10_000 }], '2017-05-10')
  expect(
    (await admin.post(`/api/sale/${sale.id}/correct`, { items: [{ id: sale.items[0], sales_price: 9000 }] })).status,
  ).toBe(200)
  await issue(sale.id, '2017-06-10')
  const [, , { number: second }] = (await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0].documents
  const [item] = await stockItems(t.db, shop, 1, { vat_id: vat.high })
  const plain = { stock_items: [{ id: item }], customer_id: customers.home, create_invoice: false }
  const { id: unbilled } = (await admin.post('/api/sale/create', plain)).body.data
  await t.db.pool.query(
    `insert into payment (sale_id, amount, paid_on) select $1::int, 1, day::date
       from unnest(array['2017-05-09', '2017-05-10', '2017-06-09', '2017-06-10']) day
     union all select $2::int, 1, '2017-06-11'`,
    [sale.id, unbilled],
  )
  const posted = await Array.fromAsync(postedPayments(t.db.read, { from: '2017-05-01', to: '2017-06-30' }))
  expect(posted.flat().map(({ paid_on, number }) => [paid_on, number])).toEqual([
    ['2017-05-09', sale.number],
    ['2017-05-10', sale.number],
    ['2017-06-09', sale.number],
    ['2017-06-10', second],
    ['2017-06-11', `sale-${unbilled}`],
  ])
})

test('settings: one edit changes what it names, and accounts fit the length that the accountant’s program has', async () => {
  await set({
    debtor_account: 10_000,
    account_length: 4,
    revenue_accounts: [{ treatment: 'export', rate: 0, account: 8120 }],
  })
  const before = (await admin.get('/api/accounting/settings')).body.data
  expect(before.revenue_accounts).toContainEqual({ treatment: 'export', rate: 0, account: 8120 })
  expect(before.revenue_accounts).toContainEqual({ treatment: 'standard', rate: 23, account: null })

  const refused = await set({
    debtor_account: 100_000,
    consultant_number: 1000,
    revenue_accounts: [{ treatment: 'export', rate: 0, account: 'x' }],
  })
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.body.data.errors)).toEqual(['consultant_number', 'revenue_accounts.0.account'])
  const tooLong = await set({
    debtor_account: 100_000,
    revenue_accounts: [
      { treatment: 'export', rate: 0, account: 81_200 },
      { treatment: 'export', rate: 21, account: 8120 },
    ],
  })
  expect(tooLong.body.data.errors).toEqual({
    debtor_account: 'At most 5 digits, one more than other accounts have.',
    'revenue_accounts.0.account': 'At most 4 digits.',
    'revenue_accounts.1.rate': 'Only the treatment With VAT has a rate.',
  })
  // The lowest account of five digits, of each kind.
  for (const [field, one] of [
    ['margin_accounts', { rate: 21 }],
    ['credit_accounts', { treatment: 'import' }],
    ['revenue_accounts', { treatment: 'export', rate: 0 }],
  ] as const) {
    await set({ account_length: 5, [field]: [{ ...one, account: 10_000 }] })
    expect((await set({ account_length: 4 })).body.data.errors, field).toEqual({
      account_length: 'Account 10000 has more digits.',
    })
    if (field !== 'revenue_accounts') await set({ [field]: [{ ...one, account: null }] })
  }

  const after = (await set({ revenue_accounts: [{ treatment: 'export', rate: 0, account: null }] })).body.data
  expect(after.revenue_accounts).toContainEqual({ treatment: 'export', rate: 0, account: null })
  expect(after).toMatchObject({ debtor_account: 10_000, account_length: 5, fiscal_month: before.fiscal_month })
  await t.db.pool.query('update customer set debtor_number = 100000 where id = $1', [customers.home])
  const tooShort = await set({ account_length: 4 })
  await t.db.pool.query('update customer set debtor_number = null where id = $1', [customers.home])
  expect([tooShort.status, tooShort.body.data.errors]).toEqual([
    422,
    { account_length: 'Debtor number 100000 has more digits.' },
  ])
  const stale = await set({ client_number: 1, updated_at: before.updated_at })
  expect(stale.status).toBe(409)
  expect(stale.body.message).toMatch(/^Changed by/)
})

test('the files have suppliers’ credits: CSV, Excel and DATEV, in which signs make the columns add up', async () => {
  const item = await boughtFrom('=Files Ltd', {
    ...{ purchase_price: 20_000, purchase_date: '2064-01-05', purchase_treatment: 'margin', imei: '490154203237518' },
  })
  const id = await claimed(item, '2064-02-10', 3000)
  const period = 'from=2064-02-01&to=2064-02-29'
  const csv = await admin.get(`/api/accounting/supplier-credits/csv?${period}`)
  expect(csv.headers['content-disposition']).toBe('attachment; filename="supplier-credits-2064-02.csv"')
  expect(csv.raw.toString().split('\r\n')).toEqual([
    '\uFEFFdate,kind,claim,reference,supplier,item,imei,serial_number,bought_under,credit,purchase,invoice,sale,' +
      'sold_under,purchase_of_sale,margin,vat_in_margin',
    `2064-02-10,Credit,${id},GS ${id};' =1,'=Files Ltd,${item},490154203237518,,Margin scheme,-30.00,-30.00,,,,0.00,0.00,0.00`,
    '',
  ])
  const { raw } = await admin.get(`/api/accounting/excel?${period}`)
  expect(readSheet(raw, 5).rows[1]!.slice(0, 6)).toEqual(['Margin scheme', 0, 0, 0, -30, -30])
  expect(readSheet(raw, 8).rows[1]!.slice(2, 11)).toEqual([
    ...[id, `GS ${id}; =1`, '=Files Ltd', item, '490154203237518', null, 'Margin scheme', -30, -30],
  ])

  await set({
    consultant_number: 29_098,
    client_number: 55_003,
    debtor_account: 10_000,
    fiscal_month: 1,
    account_length: 4,
  })
  const refused = await admin.get(`/api/accounting/datev?${period}`)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'A DATEV file needs the suppliers’ account and the account of suppliers’ credits for ‘Bought: Margin scheme’.',
  ])
  const tooLong = await set({ creditor_account: 700_000, credit_accounts: [{ treatment: 'margin', account: 37_700 }] })
  expect(Object.keys(tooLong.body.data.errors)).toEqual(['creditor_account', 'credit_accounts.0.account'])
  await set({ creditor_account: 70_000, credit_accounts: [{ treatment: 'margin', account: 3770 }] })
  const file = new TextDecoder('windows-1252').decode((await admin.get(`/api/accounting/datev?${period}`)).raw)
  const cells = file.split('\r\n')[2]!.split(/;(?! =)/)
  expect([...cells.slice(0, 3), ...cells.slice(6, 11), cells[13]]).toEqual([
    ...['30,00', '"S"', '"EUR"', '70000', '3770', '', '1002', `"GS${id}1"`, `"'=Files Ltd"`],
  ])

  // A claim without a reference, about items that were bought in two ways.
  const first = await boughtFrom('Mixed Ltd', { purchase_price: 20_000, purchase_treatment: 'margin' })
  const { supplier_id } = (await admin.get(`/api/stock/find?id=${first}`)).body.data[0]
  const bought = { supplier_id, purchase_price: 10_000, purchase_treatment: 'standard' } as const
  const [second] = await stockItems(t.db, shop, 1, bought)
  const both = { supplier_id, items: [first, second], reason: 'Faulty' }
  const claim: number = (await admin.post('/api/supplier-claim/create', both)).body.data.id
  expect((await admin.post(`/api/supplier-claim/${claim}/send`)).status).toBe(200)
  await settle(claim, '2064-04-10', { credit_received: 3000 })
  await set({ credit_accounts: [{ treatment: 'standard', account: 3771 }] })
  expect(await bookings('2064-04-01', '2064-04-30')).toEqual([
    ['10,00', 'S', '70000', '3771', '1004', `claim-${claim}`, 'Mixed Ltd'],
    ['20,00', 'S', '70000', '3770', '1004', `claim-${claim}`, 'Mixed Ltd'],
  ])
})

test('the file of suppliers’ credits is read some hundred rows at a time, each once and in the order of days', async () => {
  const item = await boughtFrom('Many Ltd', { purchase_price: 20_000, purchase_treatment: 'margin' })
  const claim = await claimed(item, '2066-01-01', 100)
  await t.db.pool.query(
    `insert into supplier_credit (booked_on, claim_id, stock_id, amount, lowers)
     select date '2066-01-31' - n % 3, $1, $2, n, n from generate_series(1, 1300) n`,
    [claim, item],
  )
  const period = { from: '2066-01-29', to: '2066-01-31' }
  const snapshot = await t.db.snapshot()
  const pieces: number[] = []
  for await (const some of creditsOf(snapshot.read, period)) pieces.push(some.length)
  await snapshot.end()
  expect(pieces).toEqual([500, 500, 300])

  // The page has the first days, and the number and the sum of all.
  const other = await claimed(await boughtFrom('Earlier Ltd', { purchase_price: 20_000 }), '2066-01-28', 100)
  expect(await summaryOf(t.db.read, { ...period, from: '2066-01-28' }, 2)).toMatchObject({
    supplier_credits: [
      { booked_on: '2066-01-28', claim_id: other, items: 1, amount: 100 },
      { booked_on: '2066-01-29', claim_id: claim, items: 1 },
    ],
    ...{ supplier_credits_total: 4, supplier_credited: 100 + (1300 * 1301) / 2 },
  })
  expect(await countCredits(t.db.read, period)).toBe(1300)

  const { raw } = await admin.get('/api/accounting/supplier-credits/csv?from=2066-01-29&to=2066-01-31')
  const rows = raw.toString().trimEnd().split('\r\n').slice(1)
  const amounts = [2, 1, 0].flatMap((day) => Array.from({ length: 1300 }, (_, n) => n + 1).filter((n) => n % 3 === day))
  expect(rows.map((row) => Math.round(-100 * Number(row.split(',')[9])))).toEqual(amounts)
})

test('more documents and payments than are read at a time: each file has each once, in the order of days', async () => {
  const { id: sale, number } = await sold([{ price: 100 }], '2080-01-01')
  // The days run against the ids.
  const { rows: made } = await t.db.pool.query<{ id: number; issued_on: string }>(
    `with note as (
       insert into document (series, year, number, kind, sale_id, credits_id, reason, status, issued_on, due_on, customer_id,
         buyer_name, buyer_country, buyer_vat_number, total_net, total_gross)
       select 'credit_note', 2080, n, 'credit_note', $1, (select id from document where sale_id = $1), 'return', 'pending',
         date '2080-01-31' - n % 3, '2080-02-28', $2, 'Bea', 'DE', 'DE' || n, 100, 100 from generate_series(1, 1300) n
       returning id, issued_on),
     vat as (insert into document_vat (document_id, treatment, rate, net, vat) select id, 'intra_community', 0, 100, 0 from note)
     select * from note`,
    [sale, customers.german],
  )
  await t.db.pool.query(
    `insert into payment (sale_id, amount, paid_on) select $1, n, date '2080-01-31' - n % 3 from generate_series(1, 1300) n`,
    [sale],
  )
  const period = { from: '2080-01-29', to: '2080-01-31' }
  const inOrder = made
    .toSorted((one, other) => one.issued_on.localeCompare(other.issued_on) || one.id - other.id)
    .map(({ id }) => id)
  const amounts = [2, 1, 0].flatMap((day) => Array.from({ length: 1300 }, (_, n) => n + 1).filter((n) => n % 3 === day))

  const snapshot = await t.db.snapshot()
  const documents = await Array.fromAsync(documentsOf(snapshot.read, period))
  const payments = await Array.fromAsync(postedPayments(snapshot.read, period))
  await snapshot.end()
  for (const pieces of [documents, payments]) expect(pieces.map((some) => some.length)).toEqual([500, 500, 300])
  expect(documents.flat().map(({ id }) => id)).toEqual(inOrder)
  expect(payments.flat().map(({ amount }) => amount)).toEqual(amounts)
  expect(payments.flat().every((payment) => payment.number === number)).toBe(true)

  // A file that people have asked for leaves time to their other requests.
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  async function* asking(pieces: AsyncIterable<BookedDocument[]>) {
    for await (const some of pieces) {
      pace.asked()
      yield some
    }
  }
  const file = documentExports(t.db, pace, exportLimit(1))(period, (_, all) => documentsCsv(asking(all)))
  const lines = (await Array.fromAsync(file)).join('').split('\r\n')
  expect([lines.length, rests.length > 0]).toEqual([1302, true])

  const ids = await documentIds(t.db.read, period)
  const files = await Array.fromAsync(archiveOf(t.db, ids, t.app.pace.longWork()))
  expect(files.map(({ name }) => name)).toEqual(['index.csv'])
  const index = Buffer.concat(await Array.fromAsync(files[0]!.content)).toString()
  const places = index.trimEnd().split('\r\n').slice(1)
  expect(places.map((row) => row.split(',', 2).join(' of '))).toEqual(ids.map((_, n) => `${n + 1} of 1300`))

  const { buyers, buyers_total } = await booksOf(period.from, period.to)
  expect([buyers.length, buyers_total]).toEqual([1000, 1300])
  const { raw } = await admin.get(`/api/accounting/excel?from=${period.from}&to=${period.to}`)
  // Each buyer of the period is in the recapitulative statement.
  expect([1, 4, 6].map((nth) => readSheet(raw, nth).rows.length)).toEqual([1301, 1301, 1301])
})

test('an Excel file takes 20,000 rows of a kind; with more, people are told what to use instead', async () => {
  for (const what of ['documents', 'payments', 'supplier credits'] as const)
    expect(() => refuseTooMany(what, 20_000)).not.toThrow()
  const { id: sale } = await sold([{ price: 100 }], '2090-01-01')
  const item = await boughtFrom('Most Ltd', { purchase_price: 20_000 })
  const claim = await claimed(item, '2090-01-01', 100)
  // No trigger and no key is needed for rows that are only counted.
  const insert = (into: string) =>
    t.db.pool.query(
      `begin; set local session_replication_role = replica; insert into ${into} from generate_series(1, 20001) n; commit`,
    )
  await insert(
    `supplier_credit (booked_on, claim_id, stock_id, amount, lowers) select '2090-02-01', ${claim}, ${item}, 1, 1`,
  )
  await insert(`payment (sale_id, amount, paid_on) select ${sale}, 1, '2090-03-01'`)
  await insert(`document (series, year, number, kind, sale_id, credits_id, reason, status, issued_on, due_on, customer_id,
      buyer_name, buyer_country, total_net, total_gross)
    select 'credit_note', 2090, n, 'credit_note', ${sale}, 0, 'return', 'pending', '2090-04-01', '2090-04-01',
      ${customers.german}, 'Bea', 'DE', 0, 0`)
  const answers = []
  for (const month of ['02', '03', '04'])
    answers.push(await admin.get(`/api/accounting/excel?from=2090-${month}-01&to=2090-${month}-28`))
  const shorter = ' Please use the CSV file, or choose a shorter period.'
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [409, `An Excel file takes at most 20,000 supplier credits; this period has 20,001.${shorter}`],
    [409, 'An Excel file takes at most 20,000 payments; this period has 20,001. Please choose a shorter period.'],
    [409, `An Excel file takes at most 20,000 documents; this period has 20,001.${shorter}`],
  ])
})
