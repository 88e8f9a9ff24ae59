import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let other: Client
let shop: Shop
const LONG_AGO = '2001-01-01T00:00:00.000Z'

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  other = await tape.person('Colleague')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const today = async (days = 0) =>
  (await query('select ((now() at time zone time_zone)::date + $1::int)::text as day from company', [days]))[0].day
const items = (n: number, columns: object = {}) => stockItems(tape.t.db, shop, n, columns)

testInTurn('suppliers and their claims: the answers and the rows that they leave', async () => {
  tape.title('Suppliers: made, edited, found')
  const supplier = async (fields: object) => (await user.post('/api/supplier/create', fields)).body.data?.id
  await supplier({})
  await supplier({
    ...{ company_name: ' ', email_address: 'x', vat_number: 'x'.repeat(300), country_code: 'XX' },
    ...{ default_purchase_treatment: 'x', receipt_kind: 'x', first_name: 1, phone_number: 'x'.repeat(300) },
  })
  const whole = await supplier({
    ...{ company_name: 'Foxway 10', first_name: 'Eva', last_name: 'Mets', email_address: 'Eva@foxway.test' },
    ...{ phone_number: '+372 1', vat_number: 'ee 100594102', country_code: 'EE' },
    ...{ default_purchase_treatment: 'reverse_charge', receipt_kind: 'self_billed' },
  })
  const plain = await supplier({ company_name: 'foxway 9', vat_number: 'EE1', first_name: 'Adam' })
  const third = await supplier({
    company_name: 'Zoë',
    receipt_kind: '',
    email_address: '',
    vat_number: 'DE136695976',
    country_code: 'FR',
  })
  await user.patch(`/api/supplier/${plain}/edit`, {
    company_name: 'Foxway 9',
    last_name: 'Zed',
    receipt_kind: 'private',
  })
  await user.post(`/api/supplier/${plain}/edit`, { company_name: 'Foxway 9' })
  await user.post(`/api/supplier/${plain}/edit`, {
    first_name: null,
    last_name: '',
    vat_number: null,
    receipt_kind: null,
  })
  await other.post(`/api/supplier/${plain}/edit`, { phone_number: '1', updated_at: LONG_AGO })
  await user.post(`/api/supplier/${plain}/edit`, { vat_number: 'EE2' })
  await user.post('/api/supplier/999/edit', { company_name: 'x' })
  for (const find of [
    'order_by=company_name_asc',
    'order_by=first_name_desc',
    'order_by=last_name_asc&per_page=1&page=2',
    'order_by=email_address_asc&search=foxway',
    'search=eva@foxway',
    'search=supplier 2',
    'search=zoe&quick=1',
    `ids=${third},${whole}&quick=1`,
    `ajax_id=${whole}&quick=1&per_page=1`,
    'order_by=phone_asc',
  ])
    await user.get(`/api/supplier/find?${find}`)
  await user.get(`/api/supplier/find?id=${plain}`)
  await user.delete(`/api/supplier/${third}/delete`)
  await user.delete(`/api/supplier/${third}/delete`)

  tape.title('Claims: made')
  const [a, b, c, d] = (await items(4, { supplier_id: whole })) as [number, number, number, number]
  const [alien] = await items(1, { supplier_id: plain })
  const [orphan] = await items(1)
  const [deleted] = await items(1, { supplier_id: whole, status: 'Deleted', in_hand: false })
  const batch = await batchOf(tape.t.db, shop, user.id, 1)
  await query('update stock set supplier_id = $1 where batch_id = $2', [whole, batch.id])
  await query('update stock set purchase_price = 10001, serial_number = $2, purchase_date = $3 where id = $1', [
    ...[a, '=SN-1', '2001-02-03'],
  ])
  await tape.forgetChanges()
  const create = (fields: object) => user.post('/api/supplier-claim/create', fields)
  await create({})
  await create({ supplier_id: 999 })
  await create({ supplier_id: 'x', reference: 'x'.repeat(300), note: 1, credit_expected: -1, items: 'x', reason: '' })
  await create({ supplier_id: whole, items: [a] })
  await create({ supplier_id: whole, items: [a, 998, 999], reason: 'Faulty' })
  await create({ supplier_id: whole, items: [a, alien, orphan], reason: 'Faulty' })
  await create({ supplier_id: whole, items: [a, deleted], reason: 'Faulty' })
  const empty = (await create({ supplier_id: plain, reference: '', note: '', credit_expected: '' })).body.data.id
  const claim = (
    await create({
      ...{ supplier_id: whole, reference: 'R-1', note: 'Two dead', credit_expected: '30000' },
      ...{ items: [b, a, b], reason: 'Faulty' },
    })
  ).body.data.id
  await create({ supplier_id: whole, items: [b, c], reason: 'Faulty' })

  tape.title('Claims: edited, their items')
  const at = (id: number, what: string, body: object, who = user) => who.post(`/api/supplier-claim/${id}/${what}`, body)
  await at(claim, 'edit', { reference: 'R-2', note: null, credit_expected: null })
  await at(claim, 'edit', { reference: 'R-2' })
  await at(claim, 'edit', { supplier_id: plain })
  await at(claim, 'edit', { credit_received: 1 })
  await at(claim, 'edit', { settled_on: await today() })
  await at(claim, 'edit', { note: 'x', updated_at: LONG_AGO }, other)
  await at(999, 'edit', { note: 'x' })
  await at(empty, 'edit', { supplier_id: 999 })
  await at(empty, 'edit', { supplier_id: whole })
  await at(claim, 'add-items', {})
  await at(claim, 'add-items', { items: [], reason: 'x' })
  await at(999, 'add-items', { items: [c], reason: 'x' })
  await at(empty, 'add-items', { items: [a, c], reason: 'x' })
  await at(claim, 'add-items', { items: [c, b, a], reason: 'Faulty' })
  await at(claim, 'add-items', { items: [c, b], reason: 'Too old' })
  await at(claim, 'add-items', { items: [c], reason: 'Too old' })
  await at(claim, 'remove-items', {})
  await at(claim, 'remove-items', { items: [c, d] })
  await at(claim, 'remove-items', { items: [c] })
  await at(999, 'remove-items', { items: [c] })
  await user.get(`/api/supplier-claim/${claim}/csv`)
  await user.get('/api/supplier-claim/999/csv')

  tape.title('A claim is sent: its items leave their batch and all baskets')
  await at(claim, 'add-items', { items: [batch.items[0]], reason: 'Too old' })
  await at(empty, 'send', {})
  await at(999, 'send', {})
  await at(claim, 'send', { updated_at: LONG_AGO }, other)
  await query('update batch set is_locked = true')
  await query('update stock set supplier_id = $1 where id = $2', [plain, b])
  await tape.forgetChanges()
  await at(claim, 'send', {})
  await query('update batch set is_locked = false')
  await query('update stock set supplier_id = $1 where id = $2', [whole, b])
  await query(`insert into basket (user_id, items) values ($1, $2), ($3, $4)`, [user.id, [a, d], other.id, [b]])
  await tape.forgetChanges()
  await at(claim, 'send', {})
  await at(claim, 'send', {})
  await at(claim, 'add-items', { items: [c], reason: 'x' })
  await at(claim, 'remove-items', { items: [a] })
  await user.delete(`/api/supplier-claim/${claim}/delete`)
  await at(claim, 'edit', { credit_received: 5 })
  await user.get(`/api/stock/find?id=${a}`)
  await user.get('/api/log/find?loggable_type=Batch')

  tape.title('A claim is settled: refused input')
  const day = await today(-3)
  await at(empty, 'settle', { settled_on: day, credit_received: 1 })
  await at(999, 'settle', { settled_on: day, credit_received: 1 })
  await at(claim, 'settle', {})
  await at(claim, 'settle', {
    state: 'sent',
    settled_on: 'x',
    credit_received: -1,
    items: [{ id: 'x', credit: 'x', is_back: 'x' }],
  })
  await at(claim, 'settle', { settled_on: await today(2), credit_received: 1 })
  await at(claim, 'settle', { settled_on: day })
  await at(claim, 'settle', { settled_on: day, credit_received: 1, items: [{ id: c }] })
  await at(claim, 'settle', { settled_on: day, items: [{ id: a, credit: 1 }, { id: a }] })
  await at(claim, 'settle', { settled_on: day, credit_received: 3, items: [{ id: a, credit: 1 }] })
  await at(claim, 'settle', { state: 'refused', settled_on: day, credit_received: 3 })
  await at(claim, 'settle', { state: 'refused', settled_on: day, items: [{ id: a, credit: 1 }] })
  await at(claim, 'settle', { settled_on: day, credit_received: 1, updated_at: LONG_AGO }, other)
  const [{ imei }] = await query('select imei from stock where id = $1', [b])
  const [twin] = await items(1, { imei })
  await tape.forgetChanges()
  await at(claim, 'settle', { settled_on: day, credit_received: 1, items_back: true })
  await query('update stock set imei = $2 where id = $1', [twin, newImei()])
  await tape.forgetChanges()

  tape.title('A claim is settled as a whole, and corrected')
  await at(claim, 'settle', {
    settled_on: day,
    credit_received: 20_000,
    reference: 'CN-7',
    items: [{ id: b, is_back: true }],
  })
  await at(claim, 'settle', { settled_on: day, credit_received: 20_000 })
  await at(claim, 'edit', { credit_received: 15_000 })
  await at(claim, 'edit', { settled_on: await today(-2) })
  await at(claim, 'edit', { settled_on: await today(-4), credit_received: 15_003, note: 'x' })
  await at(claim, 'edit', { credit_received: null })
  await at(claim, 'edit', { settled_on: null })
  await at(claim, 'edit', { settled_on: await today(2) })
  await at(claim, 'edit', { credit_expected: 1 })
  await user.get(`/api/log/find?loggable_type=Stock&loggable_id=${b}`)

  tape.title('Credits for items that were sold since, two of them under the margin scheme')
  await query('update company set margin_rate = 2300')
  const lot = [
    ...(await items(2, { supplier_id: whole, purchase_treatment: 'margin', vat_id: shop.vat.standard })),
    ...(await items(1, { supplier_id: whole, vat_id: shop.vat.standard })),
  ] as [number, number, number]
  await tape.forgetChanges()
  const sold = (await create({ supplier_id: whole, items: lot, reason: 'Scratched' })).body.data.id
  await at(sold, 'send', {})
  await at(sold, 'settle', { settled_on: day, credit_received: 3000, items_back: true })
  const sale = await user.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: lot.map((id, n) => ({ id, sales_price: n === 1 ? 19_500 : 30_000 })),
    create_invoice: true,
  })
  await user.post(`/api/sale/create`, { customer_id: shop.customer, stock_items: [{ id: c, sales_price: 1 }] })
  await at(sold, 'edit', { credit_received: 9000 })
  await user.get(`/api/sale/find?id=${sale.body.data?.id}`)
  await at(sold, 'edit', { settled_on: await today(-1) })
  await at(sold, 'edit', { credit_received: 60_000, reference: 'CN-8' })

  tape.title('Credits for each item')
  const [e, f] = (await items(2, { supplier_id: whole })) as [number, number]
  await tape.forgetChanges()
  const each = (await create({ supplier_id: whole, items: [e, f], reason: 'Wrong model' })).body.data.id
  await at(each, 'send', {})
  await at(each, 'settle', {
    settled_on: day,
    credit_received: 6000,
    items: [
      { id: f, credit: '5000', is_back: true },
      { id: e, credit: 1000 },
    ],
  })
  await at(each, 'edit', { credit_received: 1 })
  await at(each, 'edit', { credit_received: 6000, reference: 'CN-9' })

  tape.title('Claims that are refused, with and without items that come back')
  const again = (await create({ supplier_id: whole, items: [d], reason: 'Faulty' })).body.data.id
  await at(again, 'send', {})
  await at(again, 'settle', { state: 'refused', settled_on: await today(), items_back: true, reference: null })
  await at(again, 'edit', { credit_received: 1 })
  const lost = (await create({ supplier_id: whole, items: [d], reason: 'Faulty' })).body.data.id
  await at(lost, 'remove-items', { items: [d] })
  await at(lost, 'add-items', { items: [d], reason: 'Faulty' })
  await at(lost, 'send', {})
  await at(lost, 'settle', { state: 'refused', settled_on: await today(-1), credit_received: 0 })

  tape.title('Free goods: the credit is spread in equal parts')
  const free = (await items(2, { supplier_id: whole, purchase_price: 0 })) as number[]
  await tape.forgetChanges()
  const gift = (await create({ supplier_id: whole, items: free, reason: 'Faulty' })).body.data.id
  await at(gift, 'send', {})
  await at(gift, 'settle', { settled_on: await today(), credit_received: 5 })

  tape.title('The list of claims')
  for (const find of [
    '',
    'order_by=credit_received_desc',
    'order_by=sent_at_asc&per_page=2&page=2',
    'order_by=settled_on_asc',
    'state=draft,refused',
    'state=gone',
    `supplier_id=${plain}`,
    'search=cn-8',
    'search=foxway 10 R-2',
    'search=2',
    'search=%232',
    'search=faulty',
    'quick=1&search=CN',
    `ids=${gift},${claim}`,
  ])
    await user.get(`/api/supplier-claim/find?${find}`)
  await user.get('/api/supplier-claim/find?id=999')
  await user.get(`/api/supplier-claim/find?id=${gift}`)

  tape.title('Drafts are deleted; a supplier with goods, claims or receipts stays')
  await user.delete(`/api/supplier-claim/${empty}/delete`)
  await user.delete(`/api/supplier-claim/${empty}/delete`)
  await user.get(`/api/log/find?loggable_type=Supplier claim&loggable_id=${empty}`)
  await user.delete(`/api/supplier/${whole}/delete`)
  await user.delete(`/api/supplier/${plain}/delete`)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
