import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../../testing/answers.ts'
import type { Client } from '../../../testing/app.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { putSaleFile } from '../../document/sale-file.ts'
import { loseItems } from './lose-items.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let shop: Shop
let irish: number
let german: number

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  const admin = await tape.t.user('ROLE_ADMIN')
  const customer = async (last_name: string, country_code: string, more: object) => {
    const billing_address = { address_1: '1 Street', city: 'Town', postal_code: '10115', country_code }
    const named = { first_name: 'Bea', last_name, email: `${last_name.toLowerCase()}@example.test`, billing_address }
    return (await admin.post('/api/customer/create', { ...named, ...more })).body.data.id
  }
  irish = await customer('Burke', 'IE', { company_name: 'Burke Ltd' })
  german = await customer('Berger', 'DE', { payment_days: 30 })
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
type Columns = Parameters<typeof stockItems>[3]
type Sold = { id: number; items: number[]; updated_at: string }

/** Makes a sale without writing it down, and takes it through these statuses. */
async function sold(n: number, options: object = {}, columns: Columns = {}, statuses: string[] = []): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const seller = await silent()
  const { status, body } = await seller.post('/api/sale/create', {
    stock_items: items.map((id) => ({ id })),
    ...{ customer_id: irish, create_invoice: false, send_email: false, ...options },
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  let { updated_at } = body.data
  for (const one of statuses)
    ({ updated_at } = (await seller.post(`/api/sale/${body.data.id}/edit`, { status: one })).body.data)
  await tape.forgetChanges()
  return { id: body.data.id, items, updated_at }
}
const SENT = ['Awaiting Dispatch', 'Dispatched']
let seller: Client | undefined
/** A person whose requests are not written down. */
async function silent(): Promise<Client> {
  seller ??= await tape.t.user()
  return seller
}

/** Deletes items of sales as an import does. */
const lose = (...lost: { sale: Sold; at: number }[]) =>
  tape.act('an import deletes items', () =>
    tape.t.db.write(async (tx) => {
      const ids = lost.map(({ sale, at }) => sale.items[at]!)
      await tx
        .updateTable('stock')
        .set({ status: 'Deleted', sale_id: null, in_hand: false })
        .where('id', 'in', ids)
        .execute()
      const items = lost.map(({ sale, at }) => ({ id: sale.items[at]!, saleId: sale.id, productName: 'iPhone 13' }))
      await loseItems(tx, items, { userId: user.id })
    }),
  )
const edit = (id: number, body: object) => user.post(`/api/sale/${id}/edit`, body)
const correct = (id: number, body: object) => user.post(`/api/sale/${id}/correct`, body)
const allow = (id: number, body: object) => user.post(`/api/sale/${id}/allow`, body)
const final = (id: number) => query('update document set left_at = now() where sale_id = $1', [id])
const OLD = '2001-01-01T00:00:00.000Z'

testInTurn('changes of sales: the answers and the rows that they leave', async () => {
  await statuses()
  await voiding()
  await resubmitting()
  await correcting()
  await allowing()
  await returning()
  await removing()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function statuses(): Promise<void> {
  tape.title('Fields of a sale: filled, the same, cleared; a stale edit; no such sale')
  const one = await sold(1)
  const { body } = await edit(one.id, { reference_number: 'PO 1', courier: ' DHL ', outbound_tracking_number: 'T1' })
  await edit(one.id, { reference_number: 'PO 1', status: 'New', updated_at: body.data.updated_at })
  await user.patch(`/api/sale/${one.id}/edit`, { reference_number: null, courier: '', updated_at: OLD })
  await user.patch(`/api/sale/${one.id}/edit`, { reference_number: null, courier: '' })
  await edit(99, { courier: 'DHL' })
  await edit(99, { status: 'New' })
  await edit(one.id, { status: 'Gone', courier: 'x'.repeat(256), updated_at: 'x' })
  tape.title('From status to status: not allowed, awaiting payment, awaiting dispatch, dispatched, and back')
  await edit(one.id, { status: 'Dispatched' })
  await edit(one.id, { status: 'Awaiting Payment' })
  await edit(one.id, { status: 'Awaiting Dispatch', courier: 'UPS' })
  await edit(one.id, { status: 'Voided' })
  const { id } = one
  await edit(id, { status: 'Dispatched' })
  await edit(id, { status: 'New' })
  await edit(id, { status: 'Dispatched', outbound_tracking_number: null })
  tape.title('A new reference and the dispatch are in the draft of the invoice and in its email')
  const draft = await sold(1, { create_invoice: true, send_email: true }, {}, ['Awaiting Dispatch'])
  await edit(draft.id, { reference_number: 'PO 2' })
  await edit(draft.id, { status: 'Dispatched' })
  await edit(draft.id, { reference_number: 'PO 3' })
}

async function voiding(): Promise<void> {
  tape.title('A new sale is voided: items in stock and in a batch')
  const plain = await sold(2)
  const [{ id: batch }] = await query(`insert into batch (user_id, name) values ($1, 'B') returning id`, [user.id])
  await query('update stock set batch_id = $1 where id = $2', [batch, plain.items[1]])
  await edit(plain.id, { status: 'Voided', reference_number: 'gone' })
  await edit(plain.id, { status: 'New' })
  await edit(plain.id, { reference_number: 'gone again' })
  tape.title('With an invoice and its waiting email: a draft, and a final one')
  const draft = await sold(1, { create_invoice: true, send_email: true })
  await edit(draft.id, { status: 'Voided' })
  const sent = await sold(1, { create_invoice: true })
  await final(sent.id)
  await edit(sent.id, { status: 'Voided' })
  tape.title('Cancelled: only a sale that awaits dispatch, with its payments and its invoice')
  await user.post(`/api/sale/${sent.id}/cancel`)
  const paid = await sold(2, { create_invoice: true })
  await user.post(`/api/sale/${paid.id}/cancel`)
  const day = (await query('select (now() at time zone time_zone)::date::text as day from company'))[0].day
  await (await silent()).post(`/api/sale/${paid.id}/pay`, { paid_on: day, amount: 100 })
  await (await silent()).post(`/api/sale/${paid.id}/edit`, { status: 'Awaiting Dispatch' })
  await tape.forgetChanges()
  await user.post(`/api/sale/${paid.id}/cancel`, { updated_at: OLD })
  await user.post(`/api/sale/${paid.id}/cancel`)
  const one = await sold(1, {}, {}, ['Awaiting Dispatch'])
  await user.post(`/api/sale/${one.id}/cancel`, { updated_at: one.updated_at })
  await user.post(`/api/sale/${(await sold(1, {}, {}, SENT)).id}/cancel`)
  await user.post('/api/sale/99/cancel')
}

async function resubmitting(): Promise<void> {
  tape.title('Sales lose items: a new one, one that awaits dispatch, and a dispatched one')
  const both = await sold(2, { create_excel: true })
  const sent = await sold(3, { create_invoice: true, send_email: true }, {}, ['Awaiting Dispatch'])
  const gone = await sold(1, {}, {}, SENT)
  await lose({ sale: both, at: 0 }, { sale: sent, at: 1 }, { sale: gone, at: 0 }, { sale: both, at: 1 })
  tape.title('Neither corrected nor dispatched while it requires attention')
  await correct(sent.id, { items: [{ id: sent.items[0], sales_price: 1 }] })
  await edit(sent.id, { status: 'Dispatched' })
  tape.title('Resubmitted: without an item, with a draft of the invoice')
  await edit(sent.id, { status: 'Awaiting Dispatch' })
  tape.title('No item is left: resubmitted, voided')
  await edit(both.id, { status: 'Awaiting Dispatch' })
  await edit(both.id, { status: 'Voided' })
  tape.title('An item came back meanwhile, with another IMEI, cost and treatment; the final invoice is made anew')
  await query(`update company set margin_rate = 2300`)
  const back = await sold(3, { create_invoice: true, create_excel: true }, { purchase_treatment: 'standard' })
  await final(back.id)
  await lose({ sale: back, at: 0 }, { sale: back, at: 2 })
  await query(
    `update stock set status = 'In Stock', in_hand = true, imei = '350000900000018', purchase_price = 15000,
      purchase_treatment = 'margin', serial_number = 'SN' where id = $1`,
    [back.items[0]],
  )
  await edit(back.id, { status: 'Awaiting Dispatch', reference_number: 'again' })
  tape.title('An item came back with another VAT type; a margin without its rate; one that cannot be sold so')
  const typed = await sold(2)
  await lose({ sale: typed, at: 0 })
  const restored = `update stock set status = 'In Stock', in_hand = true, vat_id = $2, purchase_treatment = $3 where id = $1`
  await query(`update company set margin_rate = null`)
  const stored = `update sale set treatment_route = treatment_route - 'margin_rate' where id = $1`
  await query(stored, [typed.id])
  await query(restored, [typed.items[0], shop.vat.zero, 'margin'])
  await edit(typed.id, { status: 'Awaiting Dispatch' })
  const [{ id: exempt }] = await query(
    `insert into vat (name, rate, treatment, exemption_text, exemption_code)
    values ('Free', 0, 'exempt', 'Article 132', 'VATEX-EU-132') returning id`,
  )
  await query(restored, [typed.items[0], exempt, 'unknown'])
  await edit(typed.id, { status: 'Awaiting Dispatch' })
  await query(`update company set margin_rate = 2300`)
  const odd = await sold(1)
  const [{ id: scheme }] = await query(`insert into vat (name, rate, treatment) values ('M', 0, 'margin') returning id`)
  await lose({ sale: odd, at: 0 })
  await query(restored, [odd.items[0], scheme, 'standard'])
  await edit(odd.id, { status: 'Awaiting Dispatch' })
  tape.title('An uploaded invoice stays as it is, and the waiting email of the order is made anew')
  const uploaded = await sold(2, { send_email: true })
  await tape.t.db.write((tx) => putSaleFile(tx, uploaded.id, 'invoice', PDF))
  await lose({ sale: uploaded, at: 0 })
  await edit(uploaded.id, { status: 'Awaiting Dispatch' })
}
const PDF = { name: 'own.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7') }

async function correcting(): Promise<void> {
  tape.title('Corrections that are refused')
  const one = await sold(2, { create_excel: true })
  const [first, second] = one.items as [number, number]
  await correct(one.id, {})
  await correct(one.id, { customer: true })
  await correct(one.id, { items: [{ id: first }, { id: 99 }, { id: 98, sales_price: 1 }] })
  await correct(one.id, { items: [{ id: first, sales_price: -1, vat_treatment: 'x' }], customer: 'x', send_email: 'x' })
  await correct(one.id, {
    items: [
      { id: first, vat_treatment: 'export' },
      { id: second, vat_treatment: 'margin' },
    ],
  })
  await correct(one.id, { items: [{ id: first, sales_price: 1 }], updated_at: OLD })
  await correct(99, {})
  const voided = await sold(1, {}, {}, ['Voided'])
  await correct(voided.id, { customer: true })
  tape.title('A price, without an invoice, with a spreadsheet')
  await correct(one.id, {
    items: [
      { id: second, sales_price: 28_000 },
      { id: first, sales_price: '' },
    ],
  })
  tape.title('Two prices that cancel out: the totals stay the same')
  await correct(one.id, {
    items: [
      { id: first, sales_price: 29_000 },
      { id: second, sales_price: 29_000 },
    ],
  })
  tape.title('The draft of an invoice is made again, and its waiting email')
  const draft = await sold(1, { create_invoice: true, send_email: true, includeVat: true, salesPrice: 36_900 })
  await correct(draft.id, { items: [{ id: draft.items[0], sales_price: 24_600 }] })
  tape.title('The customer’s present data: a VAT number, which changes the treatment; the final invoice is credited')
  const changed = await sold(2, { create_invoice: true, customer_id: german, reference_number: 'R1' }, {}, [
    'Awaiting Dispatch',
  ])
  await final(changed.id)
  await query('update sale set email_sent = true where id = $1', [changed.id])
  await query(
    `update customer set vat_number = 'DE136695976', company_name = 'Müller GmbH', payment_days = 7, registration = 'HRB 1',
      e_invoice_profile = 'xrechnung', buyer_reference = '04011000-1234512345-06', lang = 'de' where id = $1`,
    [german],
  )
  await query(`update address set city = 'Berlin' where id = (select billing_address_id from customer where id = $1)`, [
    german,
  ])
  await query(
    `insert into vat_check (customer_id, vat_number, checked_on, is_valid, source)
    select $1, 'DE136695976', (now() at time zone time_zone)::date, true, 'typed' from company`,
    [german],
  )
  await user.get(`/api/sale/find?id=${changed.id}`)
  await correct(changed.id, { customer: true })
  tape.title('Another reference, and a treatment chosen by hand, sent by email')
  await edit(changed.id, { reference_number: 'R2' })
  await final(changed.id)
  await correct(changed.id, {
    customer: 'true',
    send_email: true,
    items: [{ id: changed.items[0], vat_treatment: 'standard' }],
  })
  tape.title('Margin goods: a price, with its rate of the day of the sale')
  const margin = await sold(2, { create_invoice: true }, { purchase_treatment: 'margin' })
  await query('update company set margin_rate = 1000')
  await correct(margin.id, {
    items: [
      { id: margin.items[0], vat_treatment: 'standard' },
      { id: margin.items[1], sales_price: 50_000 },
    ],
  })
  await correct(margin.id, { items: [{ id: margin.items[0], vat_treatment: 'margin' }] })
  await query('update company set margin_rate = 2300')
}

async function allowing(): Promise<void> {
  tape.title('Allowances that are refused')
  const sent = await sold(3, { create_invoice: true }, { purchase_treatment: 'margin' }, SENT)
  const [first, second, third] = sent.items as [number, number, number]
  await allow(sent.id, { items: [] })
  await allow(sent.id, { items: [{ id: first, price: 0 }, { id: 'x' }] })
  await allow(sent.id, {
    items: [
      { id: first, price: 30_001 },
      { id: 99, price: 1 },
      { id: second, price: 1 },
      { id: second, price: 1 },
    ],
  })
  await allow(sent.id, { items: [{ id: first, price: 1 }], updated_at: OLD })
  await allow((await sold(1)).id, { items: [{ id: first, price: 1 }] })
  await allow(99, { items: [{ id: first, price: 1 }] })
  tape.title('For one item; for two of them again, with an email')
  await allow(sent.id, { items: [{ id: first, price: 5_000 }] })
  await allow(sent.id, {
    items: [
      { id: first, price: 25_000 },
      { id: third, price: 12_050 },
    ],
    send_email: true,
  })
  tape.title('Corrected after it: the allowance becomes part of the price')
  await correct(sent.id, { items: [{ id: second, sales_price: 29_000 }] })
  tape.title('Without an invoice')
  const plain = await sold(1, { includeVat: true, salesPrice: 36_900 }, {}, SENT)
  await allow(plain.id, { items: [{ id: plain.items[0], price: '1230' }], send_email: true })
}

async function returning(): Promise<void> {
  const back = (sale: number, item: number) => user.post(`/api/sale/${sale}/return-item/${item}`)
  tape.title('Returns of an item that are refused')
  const waiting = await sold(1)
  await back(99, 1)
  await back(waiting.id, 1)
  await back(waiting.id, waiting.items[0]!)
  tape.title('One of two, the other, and the first again')
  const sent = await sold(2, { create_invoice: true, create_excel: true }, { purchase_treatment: 'margin' }, SENT)
  await back(sent.id, sent.items[1]!)
  await back(sent.id, sent.items[1]!)
  await back(sent.id, sent.items[0]!)
  await user.post(`/api/sale/${sent.id}/invoice/generate`)
  await correct(sent.id, { customer: true })
  tape.title('An announced item, on a sale without invoice')
  const plain = await sold(1, {}, {}, SENT)
  await (await silent()).post('/api/return/create', {
    customer_id: irish,
    items: [{ id: plain.items[0], price: 100, outcome: 'scrap' }],
  })
  await tape.forgetChanges()
  await back(plain.id, plain.items[0]!)
  tape.title('Another item has its IMEI meanwhile')
  const twin = await sold(1, {}, { imei: '350000900000026' }, SENT)
  await stockItems(tape.t.db, shop, 1, { imei: '350000900000026' })
  await tape.forgetChanges()
  await back(twin.id, twin.items[0]!)
}

async function removing(): Promise<void> {
  const remove = (id: number) => user.delete(`/api/sale/${id}/delete`)
  tape.title('Deleted: only a voided sale without number and payments')
  const voided = await sold(1, { send_email: true }, {}, [])
  await remove(voided.id)
  await (await silent()).post(`/api/sale/${voided.id}/edit`, { status: 'Voided' })
  await tape.t.db.write((tx) => putSaleFile(tx, voided.id, 'label', PDF))
  await query(`update mail set state = 'waiting', error = null where sale_id = $1`, [voided.id])
  await query(`insert into payment (sale_id, amount, paid_on) values ($1, 100, '2001-01-01')`, [voided.id])
  await remove(voided.id)
  await query('alter table payment disable trigger kept; delete from payment; alter table payment enable trigger kept')
  await remove(voided.id)
  await remove(voided.id)
  const numbered = await sold(1, { create_invoice: true }, {}, ['Voided'])
  await remove(numbered.id)
}
