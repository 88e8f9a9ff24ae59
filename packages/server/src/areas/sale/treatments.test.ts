import type { ReverseChargeRule } from '@backstock/contract/reverse-charge-rule.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { loseItems } from './change/lose-items.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let admin: Client
let shop: Shop
/** The Dutch rule of a new installation. It gets no last day here, so that the tests do not depend on today's date. */
let rule: ReverseChargeRule
/**
 * The customers of a Dutch shop: two in the Netherlands, without and with a VAT number, one in Germany, and one in
 * Switzerland.
 */
const customers = { home: 0, business: 0, german: 0, swiss: 0 }

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  expect((await admin.post('/api/company/edit', company)).status).toBe(200)
  expect((await admin.get('/api/company')).body.data.margin_rate).toBe(21)
  rule = (await admin.get('/api/reverse-charge-rule/find?search=NL')).body.data[0]
  await admin.post(`/api/reverse-charge-rule/${rule.id}/edit`, { valid_to: null })
  const customer = async (country_code: string, vat_number: string | null) => {
    const address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
    const { body } = await client.post('/api/customer/create', {
      ...{ first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test', vat_number, billing_address: address },
    })
    return body.data.id as number
  }
  customers.home = await customer('NL', null)
  customers.business = await customer('NL', 'NL123456789B01')
  customers.german = await customer('DE', 'DE136695976')
  customers.swiss = await customer('CH', null)
})
afterAll(() => t.close())

const phones = (n: number, columns: Parameters<typeof stockItems>[3] = {}) =>
  stockItems(t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
type Item = { id: number; sales_price?: number; vat_treatment?: string }
const sell = (customer: number, items: Item[], options: object = {}) =>
  client.post('/api/sale/create', { customer_id: customer, send_email: false, stock_items: items, ...options })
const sold = async (customer: number, items: Item[], options: object = {}) => {
  const { status, body } = await sell(customer, items, options)
  expect([status, body.data.errors]).toEqual([201, undefined])
  return body.data
}

test('to a German business no VAT is charged, and the sale keeps why and what decided', async () => {
  const [id] = await phones(1)
  const { status, body } = await sell(customers.german, [{ id: id! }])
  expect(status).toBe(201)
  expect(body.message).toContain('VIES')
  expect(body.data).toMatchObject({
    total_sales_price: 30_000,
    total_sales_price_vat: 30_000,
    vat_totals: [{ treatment: 'intra_community', rate: 0, net: 30_000, vat: 0 }],
    items: [{ vat_treatment: 'intra_community', vat_rate: 0, why: expect.stringContaining('Germany') }],
  })
  const { rows } = await t.db.pool.query('select treatment_route from sale where id = $1', [body.data.id])
  expect(rows[0].treatment_route).toMatchObject({
    seller: { country_code: 'NL', vat_number: 'NL810433941B01' },
    buyer: { country_code: 'DE', vat_number: 'DE136695976' },
    rule: { threshold: 1_000_000 },
  })
})

test('the customer’s changes since the sale are named, also while its invoice is a draft', async () => {
  const home = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code: 'NL' }
  const buyer = { first_name: 'Cas', last_name: 'Changed', email: 'cas@example.test', billing_address: home }
  const { body } = await client.post('/api/customer/create', buyer)
  const [id, other] = await phones(2, { purchase_treatment: 'import' })
  const made = await sold(body.data.id, [{ id: id! }])
  expect(made).toMatchObject({
    documents: [{ left_at: null }],
    invoice_differs: [],
    items: [{ vat_type_id: shop.vat.standard, purchase_treatment: 'import' }],
  })
  const plain = await sold(body.data.id, [{ id: other! }], { create_invoice: false })
  const moved = {
    ...buyer,
    vat_number: 'NL123456789B01',
    billing_address: { ...home, address_1: 'Street 2' },
    delivery_address: home,
  }
  expect((await client.post(`/api/customer/${body.data.id}/edit`, moved)).status).toBe(200)
  const differs = async (sale: number) => (await client.get(`/api/sale/find?id=${sale}`)).body.data[0].invoice_differs
  expect(await differs(made.id)).toEqual(['the buyer’s VAT number', 'the billing address', 'the delivery address'])
  expect(await differs(plain.id)).toEqual([])
  // Each setting of e-invoices alone is such a fact.
  for (const changes of [
    { ...buyer, delivery_address: null, vat_number: null, electronic_address: '0106:12345678' },
    { electronic_address: null, buyer_reference: 'Dept. 7' },
    { buyer_reference: null, e_invoice_profile: 'peppol' },
  ]) {
    expect((await client.post(`/api/customer/${body.data.id}/edit`, changes)).status).toBe(200)
    expect([changes, await differs(made.id)]).toEqual([changes, ['the buyer’s e-invoice settings']])
  }
  expect((await client.post(`/api/customer/${body.data.id}/edit`, { e_invoice_profile: null })).status).toBe(200)
  expect(await differs(made.id)).toEqual([])
})

test('a customer at home pays VAT, abroad outside the EU none', async () => {
  const [a, b] = await phones(2)
  expect(await sold(customers.home, [{ id: a! }])).toMatchObject({
    total_sales_price_vat: 36_900,
    items: [{ vat_treatment: 'standard', vat_rate: 23 }],
  })
  expect(await sold(customers.swiss, [{ id: b! }])).toMatchObject({
    total_sales_price_vat: 30_000,
    items: [{ vat_treatment: 'export' }],
  })
})

test('margin goods: no VAT on the invoice, that in the margin off the profit, also after a return', async () => {
  const [loss, used] = await phones(2, { purchase_treatment: 'margin' })
  const [normal] = await phones(1)
  const items = [{ id: loss!, sales_price: 15_000 }, { id: used! }, { id: normal! }]
  const made = await sold(customers.home, items)
  // 100.00 × 21 / 121 = 17.355; the loss of 50.00 on the other item does not lower it.
  expect(made).toMatchObject({
    total_sales_price: 75_000,
    total_sales_price_vat: 81_900,
    total_margin_vat: 1736,
    total_profit: 75_000 - 60_000 - 1736,
    items: [
      { vat_treatment: 'margin', margin_vat: 0 },
      { margin_vat: 1736 },
      { vat_treatment: 'standard', margin_vat: 0 },
    ],
  })
  for (const status of ['Awaiting Payment', 'Awaiting Dispatch', 'Dispatched'])
    await client.post(`/api/sale/${made.id}/edit`, { status })
  const back = await client.post(`/api/sale/${made.id}/return-item/${used}`)
  expect(back.body.data.total_profit).toBe(15_000 + 30_000 - 40_000)
  const { rows } = await t.db.pool.query(
    'select data from document_version v join document i on i.id = v.document_id where sale_id = $1',
    [made.id],
  )
  expect(rows[0].data.lines.map((line: { treatment: string }) => line.treatment)).toEqual([
    'margin',
    'margin',
    'standard',
  ])
  expect(rows[0].data.total_vat).toBe(6900)
})

test('a typed price that includes VAT is the price of margin goods as it stands', async () => {
  const [used] = await phones(1, { purchase_treatment: 'margin' })
  expect(await sold(customers.home, [{ id: used! }], { includeVat: true })).toMatchObject({
    total_sales_price: 30_000,
    total_sales_price_vat: 30_000,
    items: [{ sales_price: 30_000, sales_price_vat: 30_000, margin_vat: 1736 }],
  })
})

test('a person chooses among what is allowed; all else is refused and names the item', async () => {
  const [used, phone] = await phones(2, { purchase_treatment: 'margin' }).then(async ([id]) => [
    id!,
    (await phones(1))[0]!,
  ])
  expect(await sold(customers.home, [{ id: used!, vat_treatment: 'standard' }])).toMatchObject({
    total_sales_price_vat: 36_900,
    items: [{ vat_treatment: 'standard', why: 'Chosen by hand.', margin_vat: 0 }],
  })
  const refused = async (customer: number, vat_treatment: string) => {
    const { status, body } = await sell(customer, [{ id: phone!, vat_treatment }])
    expect(status).toBe(422)
    return body.data.errors.stock_items
  }
  expect(await refused(customers.home, 'margin')).toMatch(
    new RegExp(`^Item #${phone} \\(\\d+\\): Margin scheme is not possible because the item was not bought under`),
  )
  expect(await refused(customers.home, 'intra_community')).toMatch(/another member state/)
  expect(await refused(customers.german, 'export')).toMatch(/outside the EU/)
  expect(await refused(customers.business, 'reverse_charge')).toMatch(/VAT numbers of the same country/)
  expect(await refused(customers.home, 'nonsense')).toMatch(/Must be one of standard/)
  expect((await client.get(`/api/stock/find?id=${phone}`)).body.data[0].status).toBe('In Stock')
})

test('without the rate of margins nothing is sold under the scheme, and it is said who sets it', async () => {
  const [used] = await phones(1, { purchase_treatment: 'margin' })
  await t.db.pool.query('update company set margin_rate = null')
  const { status, body } = await sell(customers.home, [{ id: used! }])
  expect([status, body.data.errors.stock_items]).toEqual([422, expect.stringContaining('an administrator must set')])
  await t.db.pool.query('update company set margin_rate = 2100')
})

/** Deletes an item as an import does, brings it back as another purchase, and submits its sale again. */
async function boughtAnew(saleId: number, item: number, now: object) {
  await t.db.write(async (tx) => {
    const gone = { status: 'Deleted', sale_id: null, in_hand: false } as const
    await tx.updateTable('stock').set(gone).where('id', '=', item).execute()
    await loseItems(tx, [{ id: item, saleId, productName: 'Phone' }], { userId: null })
    await tx.updateTable('stock').set({ status: 'In Stock', in_hand: true }).where('id', '=', item).execute()
  })
  const edited = await client.post(`/api/stock/${item}/edit`, now)
  expect(edited.status, edited.body.message).toBe(200)
  return client.post(`/api/sale/${saleId}/edit`, { status: 'Awaiting Dispatch' })
}

test('an item that was bought otherwise before its sale is submitted again is taxed as it was bought then', async () => {
  const ids = await phones(3, { purchase_treatment: 'margin' })
  const [taken, byHand, other] = ids as [number, number, number]
  const items = [{ id: taken }, { id: byHand, vat_treatment: 'standard' }, { id: other }]
  const { id } = await sold(customers.home, items, { create_invoice: true })
  await t.db.pool.query('update document set left_at = now() where sale_id = $1', [id])
  const [before] = (await t.db.pool.query('select data from document_version order by document_id desc limit 1')).rows
  // The rate of today differs from that of the day of the sale.
  await t.db.pool.query('update vat set rate = 2500 where id = $1', [shop.vat.standard])
  try {
    const { status, body } = await boughtAnew(id, taken, { purchase_treatment: 'standard' })
    expect(status, body.message).toBe(200)
    expect(body.data.items).toMatchObject([
      { vat_treatment: 'standard', vat_rate: 23, purchase_treatment: 'standard', margin_vat: 0 },
      { vat_treatment: 'standard', vat_rate: 23, why: 'Chosen by hand.' },
      { vat_treatment: 'margin', purchase_treatment: 'margin', margin_vat: 1736 },
    ])
    // three items at 300.00, two of them with 23% VAT
    expect(body.data).toMatchObject({ total_sales_price_vat: 103_800, invoiced_total: 103_800, total_margin_vat: 1736 })
    expect(body.data.logs.map((log: { content: { data: object } }) => log.content.data)).toContainEqual({
      message: `‘Bought under’ of item #${taken} has changed: its VAT treatment is now With VAT instead of Margin scheme.`,
    })
    const old = body.data.documents[0].id
    const kept = await t.db.pool.query('select data from document_version where document_id = $1', [old])
    expect(kept.rows[0].data).toEqual(before.data)

    // The person had a choice only because the item was bought under the scheme. Now its VAT type decides.
    const again = (await boughtAnew(id, byHand, { purchase_treatment: 'unknown' })).body.data
    expect(again.items[1]).toMatchObject({ vat_treatment: 'standard', vat_rate: 23, why: 'As its VAT type says.' })
    const margin = (await boughtAnew(id, taken, { purchase_treatment: 'margin' })).body.data
    expect(margin.items[0]).toMatchObject({ vat_treatment: 'margin', vat_rate: 0, margin_vat: 1736 })
    expect(margin).toMatchObject({ total_sales_price_vat: 96_900, total_margin_vat: 2 * 1736 })
  } finally {
    await t.db.pool.query('update vat set rate = 2300 where id = $1', [shop.vat.standard])
  }
})

test('a sale is not submitted again with an item that cannot be sold as it was bought then', async () => {
  const vat_id = (await admin.post('/api/vat/create', { name: 'Used goods', rate: 0, treatment: 'margin' })).body.data
    .id
  const [item] = await phones(1, { vat_id })
  const { id } = await sold(customers.home, [{ id: item! }])
  const refused = await boughtAnew(id, item!, { purchase_treatment: 'standard' })
  expect([refused.status, refused.body.data.errors.status]).toEqual([
    409,
    `Item #${item}: Margin scheme is not possible because the item was not bought under the margin scheme.`,
  ])
  expect((await client.post(`/api/stock/${item}/edit`, { vat_type_id: shop.vat.standard })).status).toBe(200)
  const { status, body } = await client.post(`/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
  expect(status, body.message).toBe(200)
  expect(body.data.items).toMatchObject([{ vat_treatment: 'standard', vat_rate: 23, vat_name: 'Standard' }])
})

test('the end of reverse charge is told on the sales under it, unless another rule follows', async () => {
  await t.db.pool.query('update category set is_reverse_charge_good = true')
  const { rows } = await t.db.pool.query(
    `select array(select (day + n)::text from generate_series(0, 11) n) as days
     from (select (now() at time zone time_zone)::date as day from company) today`,
  )
  const days: string[] = rows[0].days
  const url = `/api/reverse-charge-rule/${rule.id}/edit`
  const told = async () => {
    const [id] = await phones(1)
    const { body } = await sell(customers.business, [{ id: id! }])
    expect(body.data.items).toMatchObject([{ vat_treatment: 'reverse_charge' }])
    const facts = await client.post('/api/sale/tax-facts', { items: [id] })
    return {
      isTold: body.message.includes('Reverse charge in your country ends on'),
      ends: facts.body.data.reverse_charge_ends,
    }
  }
  expect((await admin.post(url, { threshold: null, valid_to: days[10] })).status).toBe(200)
  expect(await told()).toEqual({ isTold: true, ends: days[10] })
  const next = { country_code: 'NL', valid_from: days[11] }
  const follower = (await admin.post('/api/reverse-charge-rule/create', next)).body.data
  expect(await told()).toEqual({ isTold: false, ends: null })
  expect((await admin.delete(`/api/reverse-charge-rule/${follower.id}/delete`)).status).toBe(200)
  expect((await admin.post(url, { threshold: rule.threshold, valid_to: null })).status).toBe(200)
  await t.db.pool.query('update category set is_reverse_charge_good = false')
})

test('reverse charge at home from the sum of the rule on, as an administrator keeps it', async () => {
  await t.db.pool.query('update category set is_reverse_charge_good = true')
  const [a, b, c, d] = await phones(4)
  const lines = [
    { id: a!, sales_price: 600_000 },
    { id: b!, sales_price: 400_000 },
  ]
  expect((await client.post('/api/sale/tax-facts', { items: [a, b] })).body.data).toMatchObject({
    margin_rate: 2100,
    rule: { country_code: 'NL', threshold: 1_000_000 },
    reverse_charge_products: [shop.product],
  })
  expect(await sold(customers.business, lines)).toMatchObject({
    total_sales_price_vat: 1_000_000,
    vat_totals: [{ treatment: 'reverse_charge', net: 1_000_000, vat: 0 }],
  })
  expect(rule).toMatchObject({ country: 'Netherlands', threshold: 1_000_000, valid_to: '2026-12-31' })
  const url = `/api/reverse-charge-rule/${rule.id}/edit`
  expect((await client.post(url, { threshold: 1 })).status).toBe(403)
  expect((await admin.post(url, { valid_to: '2020-01-01' })).body.data.errors).toEqual({
    valid_to: 'Must not be before the first day.',
  })
  expect((await admin.post(url, { threshold: 1_000_001 })).status).toBe(200)
  expect(await sold(customers.business, [{ id: c!, sales_price: 1_000_000 }])).toMatchObject({
    items: [{ vat_treatment: 'standard' }],
  })
  const twin = { country_code: 'nl', valid_from: rule.valid_from }
  expect((await admin.post('/api/reverse-charge-rule/create', twin)).body.data.errors).toHaveProperty('valid_from')
  const [yesterday] = (
    await t.db.pool.query('select ((now() at time zone time_zone)::date - 1)::text as day from company')
  ).rows
  expect((await admin.post(url, { threshold: null, valid_to: yesterday.day })).status).toBe(200)
  expect(await sold(customers.business, [{ id: d!, sales_price: 1_000_000 }])).toMatchObject({
    items: [{ vat_treatment: 'standard' }],
  })
  await t.db.pool.query('update category set is_reverse_charge_good = false')
})

test('the rules of a new installation end with the directive, and have the sums that sources name', async () => {
  const { rows } = await t.db.pool.query('select country_code, valid_to, threshold, note from reverse_charge_rule')
  const found = new Map(rows.map((one) => [one.country_code, one]))
  expect([...found.keys()].toSorted().join(' ')).toBe('AT CY CZ DE DK ES GR IT LU LV NL RO SE SK')
  expect(found.get('CZ')).toMatchObject({ threshold: 10_000_001, note: expect.stringContaining('§ 92f') })
  expect(found.get('LU')).toMatchObject({ threshold: 1_000_001 })
  const others = rows.filter(({ country_code }) => country_code !== 'NL')
  expect(new Set(others.map(({ valid_to }) => valid_to))).toEqual(new Set(['2026-12-31']))
})

test('VAT types: a rate above 0 is standard; one of 0 is what an administrator says it means', async () => {
  const create = async (fields: object) => (await admin.post('/api/vat/create', fields)).body.data
  expect(await create({ name: 'Half', rate: 10, treatment: 'exempt' })).toMatchObject({ treatment: 'standard' })
  expect(await create({ name: 'Nothing said', rate: 0 })).toMatchObject({ treatment: null })
  const said = { treatment: 'exempt', exemption_text: 'Small business' }
  expect((await create({ name: 'Exempt', rate: 0, ...said, exemption_code: 'VATEX-EU-IC' })).errors).toEqual({
    exemption_code: 'Must be a VATEX code of EN 16931, such as VATEX-EU-132.',
  })
  const exempt = await create({ name: 'Exempt', rate: 0, ...said, exemption_code: ' vatex-fr-franchise ' })
  expect(exempt).toMatchObject({ ...said, exemption_code: 'VATEX-FR-FRANCHISE' })
  const scheme = await create({ name: 'Margin', rate: 0, treatment: 'margin' })
  const [a, b, c] = [
    await phones(1, { vat_id: exempt.id }),
    await phones(1, { vat_id: scheme.id }),
    await phones(1, { vat_id: scheme.id, purchase_treatment: 'import' }),
  ].flat()
  const made = await sold(customers.home, [{ id: a! }, { id: b! }])
  expect(made.items).toMatchObject([{ vat_treatment: 'exempt' }, { vat_treatment: 'margin', margin_vat: 1736 }])
  const { rows } = await t.db.pool.query(
    'select data from document_version v join document i on i.id = v.document_id where sale_id = $1',
    [made.id],
  )
  expect(rows[0].data.lines[0]).toMatchObject({ vat_name: 'Small business', exemption_code: 'VATEX-FR-FRANCHISE' })
  expect(rows[0].data.lines[1]).not.toHaveProperty('exemption_code')
  expect((await sell(customers.home, [{ id: c! }])).body.data.errors.stock_items).toMatch(/not bought under/)
})

test('an item is bought as its supplier says, unless it says otherwise: by hand and by import', async () => {
  const { id: supplier } = (
    await client.post('/api/supplier/create', { company_name: 'Buyback', default_purchase_treatment: 'margin' })
  ).body.data
  const make = async (fields: object) => {
    const item = {
      actual_product_id: shop.product,
      purchase_price: 1,
      imei: newImei(),
      supplier_id: supplier,
      ...fields,
    }
    return (await client.post('/api/stock/create', item)).body.data.purchase_treatment
  }
  expect(await make({})).toBe('margin')
  expect(await make({ purchase_treatment: 'import' })).toBe('import')
  expect(await make({ supplier_id: null })).toBe('unknown')
  const imeis = [newImei(), newImei(), newImei()]
  const rows = [
    `${imeis[0]},Buyback,`,
    `${imeis[1]},Buyback,Intra-Community`,
    `${imeis[2]},,reverse_charge`,
    `${newImei()},,free`,
  ]
  const csv = [
    'imei,supplier,purchase_vat,make,model,category,purchase_price',
    ...rows.map((row) => `${row},Apple,iPhone 13,Phone,1`),
  ]
  const entry = await importCsv(t, client, { csv: csv.join('\n') })
  expect(entry.content.data.details[0].message).toEqual({
    purchase_vat:
      "'free' is not a VAT treatment of a purchase: write Unknown, With VAT, Margin scheme, Reverse charge, Intra-Community or Import.",
  })
  const { rows: items } = await t.db.pool.query(
    'select purchase_treatment as bought from stock where imei = any($1) order by id',
    [imeis],
  )
  expect(items.map(({ bought }) => bought)).toEqual(['margin', 'intra_community', 'reverse_charge'])
  const exported = await client.get('/api/stock/export/csv')
  expect(String(exported.raw)).toContain('purchase_vat')
  const again = await importCsv(t, client, { csv: exported.raw, update_existing: 'true' })
  expect(again.content.data.failed_rows).toBe(0)
})
