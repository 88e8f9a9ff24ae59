import type { Document } from '@backstock/contract/document.ts'
import type { SaleItem } from '@backstock/contract/sale.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop

beforeAll(async () => {
  t = await testApp()
  client = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  await client.post('/api/company/edit', company)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

async function germanCustomer(vat_number: string | null): Promise<number> {
  const billing_address = { address_1: 'Straße 1', city: 'Berlin', postal_code: '10115', country_code: 'DE' }
  const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
  return (await client.post('/api/customer/create', { ...names, vat_number, billing_address })).body.data.id
}

/** Makes a customer that is a business in the shop's own country. */
async function business(): Promise<number> {
  const billing_address = { address_1: 'Straat 1', city: 'Utrecht', postal_code: '3511', country_code: 'NL' }
  const fields = { last_name: 'Koper', email: 'koper@example.test', vat_number: 'NL123456782B90', billing_address }
  return (await client.post('/api/customer/create', { first_name: 'Bob', ...fields })).body.data.id
}

async function sell(n: number, options: object = {}, columns: Parameters<typeof stockItems>[3] = {}) {
  const items = await stockItems(t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const { body } = await client.post('/api/sale/create', {
    stock_items: items.map((id) => ({ id })),
    customer_id: shop.customer,
    send_email: false,
    ...options,
  })
  return { id: body.data.id as number, items, number: body.data.invoice_number as string }
}

const correct = (id: number, body: object, headers = {}) => client.post(`/api/sale/${id}/correct`, body, headers)
const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]
/** Makes the documents of a sale final, as a download does. */
const leave = (id: number) => t.db.pool.query('update document set left_at = now() where sale_id = $1', [id])
const mails = async (id: number) =>
  (await t.db.pool.query('select subject, state, document_ids from mail where sale_id = $1 order by id', [id])).rows

test('a wrong price: what has left is credited and invoiced anew, what has not is made again', async () => {
  for (const isFinal of [false, true]) {
    const { id, items, number } = await sell(2)
    if (isFinal) await leave(id)
    const { status, body } = await correct(id, { items: [{ id: items[0], sales_price: 25_000 }] })
    expect(status).toBe(200)
    expect(body.data.sale).toMatchObject({
      total_sales_price: 55_000,
      total_sales_price_vat: 67_650,
      invoiced_total: 67_650,
      items: [{ sales_price: 25_000 }, { sales_price: 30_000 }],
    })
    if (!isFinal) {
      expect(body.data).toMatchObject({ credit_note: null, invoice: { number, total_net: 55_000 } })
      expect(body.data.sale.documents).toHaveLength(1)
      continue
    }
    expect(body.data).toMatchObject({
      credit_note: { credits_number: number, total_gross: 73_800, reason: 'correction' },
      invoice: { total_gross: 67_650, kind: 'invoice', credits_id: null },
    })
    expect(body.data.invoice.number).not.toBe(number)
    expect(body.data.sale.invoice_number).toBe(body.data.invoice.number)
    expect(body.data.sale.documents[0].replaced_by_id).toBe(body.data.invoice.id)
    const said = body.data.sale.logs.flatMap(
      (log: { content: { data: { message?: string } } }) => log.content.data.message ?? [],
    )
    expect(said).toContain(`Invoice ${body.data.invoice.number} was requested in place of ${number}, in English.`)
    expect(said).toContain(`Credit note ${body.data.credit_note.number} of 738.00 EUR was made for invoice ${number}.`)
  }
})

test('a VAT number that came later: what differs is named, and every line is taxed afresh', async () => {
  const customer = await germanCustomer(null)
  const { id } = await sell(1, { customer_id: customer })
  await leave(id)
  expect(await sale(id)).toMatchObject({ total_sales_price_vat: 36_900, invoice_differs: [] })
  await client.post(`/api/customer/${customer}/edit`, { vat_number: 'DE136695976' })
  expect((await sale(id)).invoice_differs).toEqual(['the buyer’s VAT number'])
  const generated = await client.post(`/api/sale/${id}/invoice/generate`, {})
  expect(generated.status).toBe(200)
  expect(generated.body.message).toContain('the buyer’s VAT number')

  const { body } = await correct(id, { customer: true })
  expect([body.type, body.message]).toEqual([
    'warning',
    expect.stringContaining('Intra-Community supply: keep the proof of transport.'),
  ])
  expect(body.data.sale).toMatchObject({
    total_sales_price_vat: 30_000,
    invoice_differs: [],
    items: [{ vat_treatment: 'intra_community', vat_rate: 0 }],
    customer: { vat_number: 'DE136695976' },
  })
  const { rows } = await t.db.pool.query('select data from document_version where document_id = $1', [
    body.data.invoice.id,
  ])
  expect(rows[0].data).toMatchObject({ buyer: { vat_number: 'DE136695976' }, total_vat: 0 })
  // A new price alone repeats no note about the VAT.
  const [{ stock_id }] = body.data.sale.items
  const cheaper = (await correct(id, { items: [{ id: stock_id, sales_price: 20_000 }] })).body
  expect([cheaper.type, cheaper.message]).toEqual(['success', expect.stringMatching(/ being made\.$/)])
})

test('a check of the same VAT number after the sale is not the one that the sale was made with', async () => {
  const customer = await germanCustomer('DE136695976')
  const check = (days: number) =>
    t.db.pool.query(
      `insert into vat_check (customer_id, vat_number, checked_on, is_valid, source, reference)
      select $1, 'DE136695976', (now() at time zone time_zone)::date - $2::int, true, 'typed', 'R' || $2 from company`,
      [customer, days],
    )
  await check(2)
  const { id } = await sell(1, { customer_id: customer })
  await leave(id)
  await check(1)
  await client.post(`/api/customer/${customer}/edit`, { first_name: 'Bob' })
  const checks = { vat_check: { reference: 'R2' }, later_vat_check: { reference: 'R1' } }
  expect(await sale(id)).toMatchObject(checks)
  expect((await correct(id, { customer: true })).body.data.sale).toMatchObject({
    ...checks,
    customer: { first_name: 'Bob' },
  })
})

test('a reference number that was wrong on a final invoice is named, and is on the new one', async () => {
  const { id } = await sell(1, { reference_number: 'PO 71' })
  await leave(id)
  await client.post(`/api/sale/${id}/edit`, { reference_number: 'PO 17' })
  expect((await sale(id)).invoice_differs).toEqual(['the reference number'])
  expect((await correct(id, {})).body.message).toBe('The correction would change nothing.')
  const { body } = await correct(id, { customer: true })
  expect(body.data.sale.invoice_differs).toEqual([])
  const { rows } = await t.db.pool.query(
    `select data ->> 'reference_number' as said from document_version where document_id = any($1) order by document_id`,
    [body.data.sale.documents.map((document: Document) => document.id)],
  )
  expect(rows.map(({ said }) => said)).toEqual(['PO 71', 'PO 71', 'PO 17'])
  expect((await correct(id, { customer: true })).body.message).toBe('The correction would change nothing.')
})

test('how a line is taxed: what the rules allow, with the VAT in the margin; all else is refused by name', async () => {
  const { id, items } = await sell(2, {}, { purchase_treatment: 'margin' })
  await leave(id)
  const refused = await correct(id, { items: [{ id: items[0], vat_treatment: 'intra_community' }] })
  expect(refused.status).toBe(422)
  expect(refused.body.data.errors.items).toContain(`Item #${items[0]}: Intra-Community is not possible`)
  expect((await sale(id)).documents).toHaveLength(1)

  const { body } = await correct(id, { items: [{ id: items[0], vat_treatment: 'standard' }] })
  expect(body.data.sale).toMatchObject({
    total_sales_price_vat: 66_900,
    total_margin_vat: 1736,
    items: [
      { vat_treatment: 'standard', vat_rate: 23, margin_vat: 0 },
      { vat_treatment: 'margin', margin_vat: 1736 },
    ],
  })
})

test('a rule that was in force on the day of dispatch still is for what was sent then', async () => {
  await t.db.pool.query('update category set is_reverse_charge_good = true')
  // The rule of a new installation ends with 2026.
  await t.db.pool.query(`update reverse_charge_rule set valid_to = null where country_code = 'NL'`)
  const customer_id = await business()
  const { id, items } = await sell(1, { customer_id }, { sales_price: 1_000_000 })
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  await t.db.pool.query(
    `with sent as (update sale set dispatched_on = dispatched_on - 40 where id = $1 returning dispatched_on)
     update reverse_charge_rule set valid_from = dispatched_on - 9, valid_to = dispatched_on from sent where country_code = 'NL'`,
    [id],
  )
  const rule = async (body: object) => (await client.post('/api/sale/tax-facts', { items, ...body })).body.data.rule
  expect([await rule({}), await rule({ sale_id: id })]).toMatchObject([null, { country_code: 'NL' }])
  await client.post(`/api/customer/${customer_id}/edit`, { first_name: 'Rob' })
  expect((await correct(id, { customer: true })).body.data.sale).toMatchObject({
    customer: { first_name: 'Rob' },
    items: [{ vat_treatment: 'reverse_charge' }],
  })
  await t.db.pool.query('update category set is_reverse_charge_good = false')
})

test('a rule that is entered after a sale does not hold for it, unless the goods left on another day', async () => {
  const rulesFrom = (from: string, to: string | null) =>
    t.db.pool.query(`update reverse_charge_rule set valid_from = $1, valid_to = $2 where country_code = 'NL'`, [
      from,
      to,
    ])
  await rulesFrom('2020-01-01', '2020-12-31')
  const { id, items } = await sell(1)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  await rulesFrom('2020-01-01', null)
  const rule = async () => (await client.post('/api/sale/tax-facts', { items, sale_id: id })).body.data.rule
  expect(await rule()).toBeNull()
  await t.db.pool.query('update sale set dispatched_on = dispatched_on - 1 where id = $1', [id])
  expect(await rule()).toMatchObject({ country_code: 'NL' })
})

test('returned items count towards the sum from which reverse charge is the law', async () => {
  await t.db.pool.query(`update category set is_reverse_charge_good = true`)
  await t.db.pool.query(
    `update reverse_charge_rule set valid_from = '2020-01-01', valid_to = null where country_code = 'NL'`,
  )
  const customer_id = await business()
  const { id, items } = await sell(2, { customer_id }, { sales_price: 500_000 })
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  await client.post(`/api/sale/${id}/return-item/${items[0]}`)
  await client.post(`/api/customer/${customer_id}/edit`, { first_name: 'Rob' })
  expect((await correct(id, { customer: true })).body.data.sale.items).toMatchObject([
    { vat_treatment: 'reverse_charge', returned: true },
    { vat_treatment: 'reverse_charge', returned: false },
  ])
  await t.db.pool.query('update category set is_reverse_charge_good = false')
})

describe('the decision of the day of the sale', () => {
  /** Changes the shop's settings, calls `ask`, and restores the settings. */
  async function afterwards<Value>(ask: () => Promise<Value>): Promise<Value> {
    const vat = (rate: number) => client.post(`/api/vat/${shop.vat.standard}/edit`, { rate })
    const company = (fields: object) => client.post('/api/company/edit', fields)
    expect([(await vat(25)).status, (await company({ margin_rate: 25, payment_days: 60 })).status]).toEqual([200, 200])
    await t.db.pool.query('update category set is_reverse_charge_good = true')
    try {
      return await ask()
    } finally {
      await vat(23)
      await company({ margin_rate: 21, payment_days: 14 })
      await t.db.pool.query('update category set is_reverse_charge_good = false')
    }
  }
  const due = async (id: number) =>
    (
      await t.db.pool.query(
        `select due_on - issued_on as days from document where sale_id = $1 and kind = 'invoice' order by id desc limit 1`,
        [id],
      )
    ).rows[0].days

  test('stays when the customer’s data are taken over: rate, scheme, why, terms, whatever the shop says today', async () => {
    await client.post('/api/company/edit', { payment_days: 14 })
    const customer_id = await business()
    const items = await stockItems(t.db, shop, 4, { vat_id: shop.vat.standard, sales_price: 1_200_000 })
    await t.db.pool.query("update stock set purchase_treatment = 'margin' where id = any($1)", [items.slice(1, 3)])
    await t.db.pool.query('update stock set vat_id = null where id = $1', [items[3]])
    const stock_items = items.map((id, n) => ({ id, ...(n === 1 && { vat_treatment: 'standard' }) }))
    const { body } = await client.post('/api/sale/create', { stock_items, customer_id, send_email: false })
    const id: number = body.data.id
    await leave(id)
    const before = await sale(id)
    expect(before.items).toMatchObject([
      { vat_treatment: 'standard', vat_rate: 23 },
      { vat_treatment: 'standard', vat_rate: 23, why: 'Chosen by hand.' },
      { vat_treatment: 'margin', vat_rate: 0 },
      { vat_treatment: 'none', vat_rate: 0 },
    ])
    await client.post(`/api/customer/${customer_id}/edit`, { first_name: 'Rob', payment_days: 90 })
    const after = await afterwards(async () => (await correct(id, { customer: true })).body.data.sale)
    expect(after.customer.first_name).toBe('Rob')
    const taxOf = ({ items, total_sales_price_vat, total_margin_vat }: typeof before) => [
      items.map(({ vat_treatment, vat_rate, why, margin_vat }: SaleItem) => [vat_treatment, vat_rate, why, margin_vat]),
      ...[total_sales_price_vat, total_margin_vat],
    ]
    expect(taxOf(after)).toEqual(taxOf(before))
    expect(await due(id)).toBe(14)
  })

  test('is made anew if the change forces it, with the rate of that day', async () => {
    const customer = await germanCustomer('DE136695976')
    const items = await stockItems(t.db, shop, 2, { vat_id: shop.vat.standard })
    const stock_items = items.map((id, n) => ({ id, ...(n === 1 && { vat_treatment: 'standard' }) }))
    const { body } = await client.post('/api/sale/create', { stock_items, customer_id: customer, send_email: false })
    const id: number = body.data.id
    await leave(id)
    await client.post(`/api/customer/${customer}/edit`, { vat_number: 'DE811907980' })
    // The new VAT number is from the same state, so the chosen treatment stays.
    const same = (await afterwards(() => correct(id, { customer: true }))).body.data.sale.items
    expect(same).toMatchObject([{ vat_treatment: 'intra_community' }, { vat_treatment: 'standard', vat_rate: 23 }])
    await client.post(`/api/customer/${customer}/edit`, { vat_number: null })
    const { sale: gone } = (await afterwards(() => correct(id, { customer: true }))).body.data
    expect(gone.items).toMatchObject([
      { vat_treatment: 'standard', vat_rate: 23 },
      { vat_treatment: 'standard', vat_rate: 23, why: 'Chosen by hand.' },
    ])
    expect(gone.total_sales_price_vat).toBe(73_800)
  })

  test('holds for a line of which a person chooses something else, and for the reason for an exemption', async () => {
    const exempt = {
      name: 'Free',
      rate: 0,
      treatment: 'exempt',
      exemption_text: 'Article 132',
      exemption_code: 'VATEX-EU-132',
    }
    const vat_id = (await client.post('/api/vat/create', exempt)).body.data.id
    const { id, items } = await sell(2, {}, { purchase_treatment: 'margin' })
    const free = await sell(1, {}, { vat_id, purchase_treatment: 'standard' })
    await leave(id)
    const rates = await afterwards(async () => {
      await client.post(`/api/vat/${vat_id}/edit`, { exemption_text: 'Article 135', exemption_code: 'VATEX-EU-135-1' })
      await client.post(`/api/sale/${free.id}/invoice/generate`, {})
      await correct(id, { items: [{ id: items[0], vat_treatment: 'standard' }] })
      return (
        await correct(id, {
          items: [
            { id: items[0], vat_treatment: 'margin' },
            { id: items[1], sales_price: 40_000 },
          ],
        })
      ).body
    })
    expect(rates.data.sale.items).toMatchObject([
      { vat_treatment: 'margin', margin_vat: 1736 },
      { vat_treatment: 'margin', margin_vat: 3471 },
    ])
    const { rows } = await t.db.pool.query(
      `select v.data -> 'lines' -> 0 as line from document d join document_version v on v.document_id = d.id
       where d.sale_id = $1 order by v.version desc limit 1`,
      [free.id],
    )
    expect(rows[0].line).toMatchObject({ vat_name: 'Article 132', exemption_code: 'VATEX-EU-132' })
  })
})

test('prices that include VAT stay so, and lines that have come back stay as they are', async () => {
  const { id, items } = await sell(3, { includeVat: true })
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  await client.post(`/api/sale/${id}/return-item/${items[0]}`)
  expect((await correct(id, { items: [{ id: items[0], sales_price: 1 }] })).body.data.errors.items).toContain(
    `item #${items[0]}`,
  )
  const { body } = await correct(id, { items: [{ id: items[1], sales_price: 20_000 }] })
  expect(body.data.sale).toMatchObject({ total_sales_price_vat: 80_000, invoiced_total: 50_000 })
  expect(body.data.credit_note).toMatchObject({ total_gross: 60_000 })
  expect(body.data.invoice).toMatchObject({ total_gross: 50_000 })
})

test('a correction leaves the earlier sale of an item as it was', async () => {
  const earlier = await sell(1)
  const [item] = earlier.items
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await client.post(`/api/sale/${earlier.id}/edit`, { status })
  await client.post(`/api/sale/${earlier.id}/return-item/${item}`)
  const again = await client.post('/api/sale/create', {
    ...{ stock_items: [{ id: item, sales_price: 22_000 }], customer_id: shop.customer, send_email: false },
  })
  const before = await sale(earlier.id)
  const { body } = await correct(again.body.data.id, { items: [{ id: item, sales_price: 15_000 }] })
  expect(body.data.sale.items).toMatchObject([{ sales_price: 15_000 }])
  expect(await sale(earlier.id)).toEqual(before)
})

test('the kept part of an item that comes back after a correction stays on the new invoice', async () => {
  const { id, items } = await sell(2)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  await correct(id, { items: [{ id: items[1], sales_price: 20_000 }] })
  const back = { customer_id: shop.customer, items: [{ id: items[0], price: 0 }], received: true }
  expect((await client.post('/api/return/create', back)).status).toBe(201)
  await client.post(`/api/sale/${id}/invoice/generate`, {})
  const { invoiced_total, documents } = await sale(id)
  expect([invoiced_total, documents.at(-1).total_gross]).toEqual([61_500, 61_500])
})

test('a sale that was credited in part and then corrected asks for one sum, on one document', async () => {
  const { id, items } = await sell(2)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  const back = { customer_id: shop.customer, items: [{ id: items[0], price: 20_000 }], received: true }
  expect((await client.post('/api/return/create', back)).status).toBe(201)
  const { body } = await correct(id, { items: [{ id: items[1], sales_price: 25_000 }] })
  // The invoice has the 100.00 that the shop kept, and the other item at 250.00.
  expect(body.data.invoice).toMatchObject({ total_net: 35_000, total_gross: 43_050 })
  expect(body.data.credit_note).toMatchObject({ total_gross: 73_800 - 24_600, reason: 'correction' })
  const { rows } = await t.db.pool.query(
    `select l.document_id, l.stock_id, l.price - l.credited as owed, l.cost from document d join document_line l on
      l.document_id = d.id where d.sale_id = $1 and d.kind = 'invoice' and l.price > l.credited order by l.position`,
    [id],
  )
  expect(rows).toEqual([
    { document_id: body.data.invoice.id, stock_id: items[0], owed: 10_000, cost: 0 },
    { document_id: body.data.invoice.id, stock_id: items[1], owed: 25_000, cost: 20_000 },
  ])
  expect(body.data.sale).toMatchObject({ invoiced_total: 43_050, open_amount: 43_050 })
})

test('both papers go out in one mail; a mail with the invoice of before does not go out any more', async () => {
  const { id, items } = await sell(1, { send_email: true })
  await leave(id)
  const { body } = await correct(id, { items: [{ id: items[0], sales_price: 100 }] })
  expect(await mails(id)).toMatchObject([
    { state: 'failed' },
    { state: 'waiting', document_ids: [body.data.credit_note.id, body.data.invoice.id] },
  ])
})

test('the email after a correction names both papers and the sum to pay, also if it is corrected again', async () => {
  const { id, items, number } = await sell(1)
  await leave(id)
  const price = (sales_price: number) =>
    correct(id, { items: [{ id: items[0], sales_price }], send_email: sales_price === 20_000 })
  const { credit_note, invoice } = (await price(20_000)).body.data
  const email = async () => {
    const { rows } = await t.db.pool.query(`select subject, body from mail where sale_id = $1 and state = 'waiting'`, [
      id,
    ])
    return rows
  }
  const subject = expect.stringContaining(`Credit note ${credit_note.number} and invoice ${invoice.number} from `)
  const both = (sum: string) =>
    expect.stringMatching(
      new RegExp(
        `${credit_note.number} for invoice ${number}\\. Our new invoice ${invoice.number} of EUR.${sum}, which replaces ` +
          `that invoice, is attached, too\\.[^]*Invoice ${invoice.number}: EUR.${sum}\n`,
      ),
    )
  expect(await email()).toEqual([{ subject, body: both('246.00') }])
  expect((await price(10_000)).body.data).toMatchObject({ credit_note: null, invoice: { number: invoice.number } })
  expect((await email())[0]).toEqual({ subject, body: both('123.00') })
})

test('an email names the invoice that it carries, though another has replaced it or an item came back', async () => {
  const { id, items, number } = await sell(2)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
  const back = { customer_id: shop.customer, items: [{ id: items[0] }], received: true }
  expect((await client.post('/api/return/create', back)).status).toBe(201)
  const { body } = await correct(id, { items: [{ id: items[1], sales_price: 25_000 }] })
  const [replaced] = body.data.sale.documents
  expect((await client.post(`/api/document/${replaced.id}/send`)).status).toBe(200)
  expect((await client.post(`/api/sale/${id}/invoice/resend`)).status).toBe(200)
  const { rows } = await t.db.pool.query('select subject, body from mail where sale_id = $1 order by id', [id])
  expect(rows).toEqual([
    { subject: expect.stringContaining(number), body: expect.stringMatching(/Devices: 2\n.*738\.00/) },
    {
      subject: expect.stringContaining(body.data.invoice.number),
      body: expect.stringMatching(/Devices: 1\n.*307\.50/),
    },
  ])
})

test('a sale without invoice is corrected without papers; the same key corrects once', async () => {
  const { id, items } = await sell(1, { create_invoice: false })
  const headers = { 'idempotency-key': `correct-${id}` }
  const body = { items: [{ id: items[0], sales_price: 100 }] }
  const answers = [await correct(id, body, headers), await correct(id, body, headers)]
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ credit_note: null, invoice: null, sale: { total_sales_price: 100 } })
  }
})

test('an email that waits tells a corrected sale without invoice as it is now; one with an upload stops', async () => {
  const { id, items } = await sell(1, { create_invoice: false, send_email: true })
  const price = (sales_price: number) => correct(id, { items: [{ id: items[0], sales_price }] })
  expect((await price(12_300)).status).toBe(200)
  const email = async () => (await t.db.pool.query('select state, error, body from mail where sale_id = $1', [id])).rows
  expect(await email()).toEqual([{ state: 'waiting', error: null, body: expect.stringContaining('151.29') }])

  const { rows } = await t.db.pool.query(
    `with made as (
       insert into file (name, media_type, size, sha256) values ('own.pdf', 'application/pdf', 0, '') returning id),
     put as (insert into sale_file (sale_id, slot, file_id) select $1::int, 'invoice', id from made)
     update mail set file_ids = array[made.id] from made where mail.sale_id = $1::int returning made.id`,
    [id],
  )
  expect(rows).toHaveLength(1)
  expect((await price(12_400)).status).toBe(200)
  expect(await email()).toMatchObject([
    { state: 'failed', error: 'The sale has changed since its invoice was uploaded.' },
  ])
  expect((await sale(id)).logs[0].content.data).toEqual({
    message: 'The uploaded invoice is still the old one: upload a new one.',
  })
})

test('the log has each corrected line, also if the totals stay the same', async () => {
  const { id, items } = await sell(2, {}, { vat_id: shop.vat.zero })
  const prices = [31_000, 29_000]
  expect((await correct(id, { items: items.map((item, n) => ({ id: item, sales_price: prices[n] })) })).status).toBe(
    200,
  )
  const { logs, total_sales_price } = await sale(id)
  expect(total_sales_price).toBe(60_000)
  const price = (item: number) => `item_#${item}_sales_price`
  const [first, second] = items as [number, number]
  expect(logs.slice(0, 3).map((log: { content: { data: unknown } }) => log.content.data)).toEqual([
    { message: `Corrected: items #${first}, #${second}.` },
    [{ attributeName: price(second), from: 30_000, to: 29_000 }],
    [{ attributeName: price(first), from: 30_000, to: 31_000 }],
  ])
  const { recent_logs } = (await client.get('/api/auth')).body.user
  expect(recent_logs[0].content.data).toEqual({ message: `Corrected: items #${first}, #${second}.` })
  expect(recent_logs[1].content.data).not.toEqual([expect.objectContaining({ attributeName: price(second) })])
})

test('a correction below the paid sum says how much is to be refunded', async () => {
  const { id, items } = await sell(1)
  expect((await client.post(`/api/sale/${id}/pay`, { paid_on: '2026-01-05' })).status).toBe(200)
  const { body } = await correct(id, { items: [{ id: items[0], sales_price: 20_000 }] })
  expect(body.data.sale.open_amount).toBe(-12_300)
  expect([body.type, body.message]).toEqual(['warning', expect.stringMatching(/ 123\.00 EUR is to be refunded\.$/)])
})

test('the log says with which VAT a line was sold before its correction', async () => {
  const { id, items } = await sell(1, { customer_id: await germanCustomer('DE136695976') })
  expect((await correct(id, { items: [{ id: items[0], vat_treatment: 'standard' }] })).status).toBe(200)
  expect(JSON.stringify((await sale(id)).logs)).toContain(
    `{"attributeName":"item_#${items[0]}_vat_treatment","from":"Intra-Community","to":"VAT 23%"}`,
  )
})

test('a correction that is not allowed is refused, and nothing of it is written', async () => {
  const { id, items } = await sell(1)
  await leave(id)
  const other = await sell(1)
  const nothing = await correct(id, {})
  expect([nothing.status, nothing.body.message]).toEqual([409, 'The correction would change nothing.'])
  expect((await correct(id, { items: [{ id: items[0], sales_price: 30_000 }] })).status).toBe(409)
  const strange = await correct(id, { items: [{ id: other.items[0], sales_price: 1 }] })
  expect([strange.status, strange.body.data.errors]).toEqual([
    ...[422, { items: `Not on this sale, or returned: item #${other.items[0]}.` }],
  ])
  expect((await correct(id, { items: [{ id: items[0], sales_price: -1 }] })).status).toBe(422)
  expect((await correct(999_999, { customer: true })).status).toBe(404)
  expect((await sale(id)).documents.map((one: Document) => one.kind)).toEqual(['invoice'])
  await client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
  expect((await correct(id, { items: [{ id: items[0], sales_price: 1 }] })).status).toBe(409)
})

test('a correction after somebody else’s is told so, and overwrites nothing', async () => {
  const { id, items } = await sell(2)
  const { updated_at } = await sale(id)
  const price = (at: number, sales_price: number) =>
    correct(id, { items: [{ id: items[at]!, sales_price }], updated_at })
  expect((await price(0, 10_000)).status).toBe(200)
  const late = await price(0, 20_000)
  expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('Changed by')])
  expect((await price(1, 5_000)).status).toBe(409)
  expect((await sale(id)).total_sales_price).toBe(40_000)
})

test('two who correct one sale at once: each invoice but the last is credited in full', async () => {
  const { id, items } = await sell(2)
  await leave(id)
  const prices = [10_000, 20_000, 25_000]
  await Promise.all(prices.map((price) => correct(id, { items: [{ id: items[0], sales_price: price }] })))
  const after = await sale(id)
  expect(
    after.documents.filter(({ replaced_by_id, kind }: Document) => kind === 'invoice' && !replaced_by_id),
  ).toHaveLength(1)
  expect(after.invoiced_total).toBe(after.total_sales_price_vat)
})
