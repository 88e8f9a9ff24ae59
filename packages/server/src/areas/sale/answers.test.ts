import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let shop: Shop
/** The ids of VAT types, products, grades and customers beside those of the shop. */
const made = { margin: 0, exempt: 0, unsaid: 0, phone: 0, grade: 0, german: 0, irish: 0, british: 0, nowhere: 0 }

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  await openFurther()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const idOf = async (text: string, values: unknown[] = []): Promise<number> => (await query(text, values))[0].id

/** Makes VAT types, a product that comes under reverse charge, and customers of several states. */
async function openFurther(): Promise<void> {
  const vat =
    'insert into vat (name, rate, treatment, exemption_text, exemption_code) values ($1, 0, $2, $3, $4) returning id'
  made.margin = await idOf(vat, ['Margin', 'margin', null, null])
  made.exempt = await idOf(vat, ['Exempt', 'exempt', 'Article 132', 'VATEX-EU-132'])
  made.unsaid = await idOf(vat, ['Unsaid', 'standard', null, null])
  made.grade = await idOf(`insert into grade (name, position) values ('B+', 9) returning id`)
  const colour = await idOf(`insert into colour (name) values ('Blue') returning id`)
  const category = await idOf(
    `insert into category (name, is_reverse_charge_good) values ('Tablet', true) returning id`,
  )
  made.phone = await idOf(
    `insert into product (make_id, category_id, colour_id, model, capacity, capacity_unit, display_name)
    values (1, $1, $2, 'iPad', 64, 'GB', 'Apple iPad 64 GB Blue') returning id`,
    [category, colour],
  )
  const admin = await tape.t.user('ROLE_ADMIN')
  const customer = async (last_name: string, country_code: string | null, more: object = {}): Promise<number> => {
    const billing_address = { address_1: '1 Street', city: 'Town', postal_code: '10115', country_code }
    const address = country_code === null ? {} : { billing_address }
    const named = { first_name: 'Bea', last_name, email: `${last_name.toLowerCase()}@example.test` }
    return (await admin.post('/api/customer/create', { ...named, ...address, ...more })).body.data.id
  }
  const german = {
    company_name: 'Müller GmbH',
    vat_number: 'DE136695976',
    lang: 'de',
    payment_days: 30,
    phone: '+49 1',
  }
  made.german = await customer('Berger', 'DE', german)
  made.irish = await customer('Burke', 'IE', { company_name: 'Burke Ltd', vat_number: 'IE6388047V' })
  made.british = await customer('Brown', 'GB')
  made.nowhere = await customer('Blank', null)
  await tape.forgetChanges()
}

/** Makes items without writing them down. */
async function items(n: number, columns: Parameters<typeof stockItems>[3] = {}): Promise<number[]> {
  const ids = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  await tape.forgetChanges()
  return ids
}
const quiet = { create_invoice: false, send_email: false }
const listed = (ids: readonly number[], more: object = {}) => ids.map((id) => ({ id, ...more }))
const create = (body: object, headers?: Record<string, string>) => user.post('/api/sale/create', body, headers)

test('new sales: the answers and the rows that they leave', async () => {
  tape.title('A sale of two items, with an invoice')
  const sale = { customer_id: shop.customer, stock_items: [] as object[] }
  sale.stock_items = (await items(2)).map((id) => ({ id, sales_price: 25_000 + id }))
  await create({ ...sale, create_invoice: true })
  tape.title('The same items again')
  await create(sale)
  await refusals()
  await customersTyped()
  await treatments()
  await batchesAndBaskets()
  await forms()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function refusals(): Promise<void> {
  tape.title('Sales that are refused: fields that are missing or wrong')
  const [one, other] = (await items(2, { sales_price: null })) as [number, number]
  const [priced] = (await items(1)) as [number]
  await create({})
  await create({ stock_items: 'x', customer_id: 'x', batch_id: 'x', salesPrice: -1, includeVat: 'x', send_email: 'x' })
  await create({ stock_items: [], customer_id: 0, customer_first_name: ' ', reference_number: 'x'.repeat(256) })
  await create({ stock_items: [null, { id: 'x' }, { id: priced, sales_price: -1 }], customer_id: shop.customer })
  await create({ stock_items: listed([priced, priced, 998, 999]), customer_id: 99, invoice_lang: 'xx' })
  await create({ stock_items: listed([priced], { vat_treatment: 'free' }), customer_id: 2_147_483_648, batch_id: 77 })
  tape.title('Items without a price: one, two, and one whose price is wrong')
  await create({ stock_items: listed([one]), customer_id: shop.customer })
  await create({ stock_items: listed([one, other, priced]), customer_id: shop.customer })
  await create({ stock_items: [{ id: one, sales_price: 'x' }, { id: other }], customer_id: shop.customer })
  await create({ stock_items: listed([priced], { sales_price: 1.5 }), customer_id: shop.customer })
  tape.title('Sold and deleted items, alone and beside another error')
  const [deleted] = (await items(1, { status: 'Deleted', in_hand: false, imei: null, serial_number: 'SN-1' })) as [
    number,
  ]
  await create({ stock_items: listed([deleted, 1, priced]), customer_id: shop.customer })
  await create({ stock_items: listed([deleted]), customer_id: 99 })
}

const typed = {
  customer_first_name: 'Ann',
  customer_last_name: 'Archer',
  customer_email: 'ann@example.test',
  customer_address1: '2 Lane',
  customer_postal_code: 'T12',
  customer_city: 'Cork',
}

async function customersTyped(): Promise<void> {
  tape.title('A typed customer, with the fields that must be there and with all')
  const [first, second, third] = (await items(3)) as [number, number, number]
  await create({
    ...quiet,
    stock_items: listed([first]),
    customer_first_name: 'Ann',
    customer_email: 'no',
    customer_city: '',
  })
  await create({ ...quiet, stock_items: listed([first]), ...typed, customer_country_code: 'XX' })
  await create({ ...quiet, stock_items: listed([first]), ...typed })
  const more = {
    customer_phone: '1',
    customer_company_name: 'Archer',
    customer_vat_number: 'PL 5260001246',
    customer_address2: 'B',
  }
  const there = { customer_state: 'Mazowsze', customer_country_code: 'pl' }
  await create({ ...quiet, stock_items: listed([second]), ...typed, ...more, ...there, reference_number: ' PO 7 ' })
  tape.title('A typed customer, while the company has no country')
  await query('update company set country_code = null')
  await create({ ...quiet, stock_items: listed([third]), ...typed })
  await query(`update company set country_code = 'IE', vat_number = null`)
  await tape.forgetChanges()
  tape.title('A seller without a VAT number, a buyer without an address')
  await create({ ...quiet, stock_items: listed([third]), customer_id: made.nowhere })
  await query(`update company set vat_number = 'IE1234567T'`)
}

async function treatments(): Promise<void> {
  tape.title('Treatments that are not possible')
  const bought = (purchase_treatment: 'margin' | 'standard', vat_id: number | null) =>
    items(1, { purchase_treatment, vat_id })
  const [margin] = (await bought('margin', shop.vat.standard)) as [number]
  const [exempt] = (await bought('standard', made.exempt)) as [number]
  const [unsaid] = (await bought('standard', made.unsaid)) as [number]
  const [plain] = (await bought('standard', null)) as [number]
  const [wrong] = (await bought('standard', made.margin)) as [number]
  const sold = { customer_id: made.irish, ...quiet }
  await create({
    ...sold,
    stock_items: [{ id: margin }, { id: wrong }, ...listed([exempt], { vat_treatment: 'export' })],
  })
  await create({
    ...sold,
    customer_id: made.nowhere,
    stock_items: [...listed([exempt], { vat_treatment: 'standard' })],
  })
  tape.title('A margin with its rate, and the treatments of other VAT types, with prices that include VAT')
  await query('update company set margin_rate = 2300')
  const prices = { salesPrice: 43_000, includeVat: true }
  const taxed = [{ id: margin }, { id: exempt, sales_price: 12_345 }, { id: unsaid }, { id: plain }]
  await create({ ...sold, ...prices, stock_items: taxed, create_excel: true })
  tape.title('To another member state: the check of the number is missing, too old, wrong and good')
  const grade_id = made.grade
  const [first, second, third, fourth] = (await items(4, { grade_id })) as [number, number, number, number]
  await query(`update company set vat_check_days = 10`)
  const german = { ...quiet, customer_id: made.german }
  const check = (days: number, isValid: boolean) =>
    query(
      `insert into vat_check (customer_id, vat_number, checked_on, is_valid, source, reference)
      select $1, 'DE136695976', (now() at time zone time_zone)::date - $2::int, $3, 'typed', 'R' || $2 from company`,
      [made.german, days, isValid],
    )
  await create({ ...german, stock_items: listed([first]) })
  await check(11, true)
  await create({ ...german, stock_items: listed([second]), create_invoice: true })
  await check(9, false)
  await create({ ...german, stock_items: listed([third], { vat_treatment: 'standard' }) })
  await check(8, true)
  await create({ ...german, stock_items: listed([fourth]), create_invoice: true, invoice_lang: 'nl', send_email: true })
  tape.title('Outside the EU')
  await create({ ...quiet, customer_id: made.british, stock_items: listed(await items(1)) })
  tape.title('Reverse charge at home, with a rule that ends soon: below the threshold, chosen, and from it on')
  await query(
    `insert into reverse_charge_rule (country_code, valid_from, valid_to, threshold, threshold_currency, resellers_any, series)
    select 'IE', '2001-01-01', (now() at time zone time_zone)::date + 20, 50000, 'EUR', true, 'RC' from company`,
  )
  const tablets = (await items(4, { actual_product_id: made.phone })) as [number, number, number, number]
  const [own, chosen, ...both] = tablets
  await create({ ...sold, stock_items: listed([own]) })
  await create({ ...sold, stock_items: listed([chosen], { vat_treatment: 'reverse_charge' }), create_invoice: true })
  await create({ ...sold, stock_items: listed([...both, ...(await items(1))]) })
  tape.title('A VAT number that cannot be right, and a seller who lacks data')
  await query(`update customer set vat_number = 'DE123' where id = $1`, [made.german])
  await query('update company set iban = null, address_1 = null')
  await create({ ...german, stock_items: listed(await items(1)), create_invoice: true })
  await query(`update customer set vat_number = 'DE136695976' where id = $1`, [made.german])
  await query(`update company set iban = 'IE29AIBK93115212345678', address_1 = '1 Quay'`)
}

async function batchesAndBaskets(): Promise<void> {
  const open = await batchOf(tape.t.db, shop, user.id, 3)
  const locked = await batchOf(tape.t.db, shop, user.id, 4, true)
  const other = await batchOf(tape.t.db, shop, user.id, 2)
  const sold = { ...quiet, customer_id: shop.customer }
  const [first, second] = open.items as [number, number]
  await query(`insert into basket (user_id, items) values ($1, $2)`, [user.id, [first, second, locked.items[0]!]])
  await query(`insert into basket (user_id, items) select id, $2 from app_user where id <> $1`, [
    user.id,
    [first, second],
  ])
  await tape.forgetChanges()
  tape.title('Items of an open batch: they leave it and the basket, or stay in both')
  await create({ ...sold, stock_items: listed([first]), batch_id: open.id })
  await create({ ...sold, stock_items: listed([second]), remove_from_batch: false, remove_from_basket: 0 })
  tape.title('Items of a locked batch stay in it')
  await create({ ...sold, stock_items: listed(locked.items.slice(0, 1)) })
  await create({ ...sold, stock_items: listed([...locked.items.slice(1, 3), ...(await items(1))]) })
  tape.title(
    'The batch is deleted with the sale: a locked one, an open one of which an item stays, one of another sale',
  )
  await create({ ...sold, stock_items: listed(locked.items.slice(3)), batch_id: locked.id, delete_batch: true })
  await create({ ...sold, stock_items: listed(other.items.slice(1)), batch_id: other.id, delete_batch: 'true' })
  await create({ ...sold, stock_items: listed(await items(1)), batch_id: 99, delete_batch: true })
  await create({ ...sold, stock_items: listed(await items(1)), delete_batch: true })
}

async function forms(): Promise<void> {
  tape.title('The same with PUT, as a form, and twice with one key')
  const [first, second, third] = (await items(3)) as [number, number, number]
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const sent = (payload: string, type: string) =>
    user.send({ method: 'PUT', url: '/api/sale/create', payload, headers: { 'content-type': type } })
  const fields = { customer_id: String(shop.customer), create_invoice: '', send_email: '0', create_excel: '' }
  await sent(form({ ...fields, stock_items: '{' }), 'application/x-www-form-urlencoded')
  await sent(form({ ...fields, stock_items: JSON.stringify(listed([first])) }), 'application/x-www-form-urlencoded')
  const part = (name: string, value: string) => `--x\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`
  const file = `--x\nContent-Disposition: form-data; name="file"; filename="a.txt"\n\nabc\n`
  const parts = [
    part('stock_items', JSON.stringify(listed([second]))),
    file,
    part('customer_id', String(shop.customer)),
  ]
  const whole = `${[...parts, part('create_invoice', '0'), part('send_email', 'false')].join('')}--x--\n`
  await sent(whole.replaceAll('\n', '\r\n'), 'multipart/form-data; boundary=x')
  const once = { 'idempotency-key': 'once' }
  const sale = { ...quiet, customer_id: shop.customer, stock_items: listed([third]) }
  await create(sale, once)
  await create(sale, once)
  await create({ ...sale, reference_number: 'other' }, once)
}
