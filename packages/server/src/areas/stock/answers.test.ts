import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'

// Stock items, their lists, files and look-ups, compared with `answers.txt`. `npm run words` stores it anew.

let tape: Tape
let user: Client
let quiet: Client
let today: string

const MADE: Record<string, object[]> = {
  make: [{ name: 'Apple' }, { name: 'Samsung' }],
  category: [{ name: 'Phone' }, { name: 'Tablet' }],
  colour: [{ name: 'Black' }],
  grade: [
    { name: 'B', position: 2 },
    { name: 'A', position: 1 },
    { name: '=C', position: 2 },
  ],
  product: [
    { make_id: 1, category_id: 1, colour_id: 1, model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' },
    { make_id: 2, category_id: 1, model: 'Galaxy 13' },
    { make_id: 1, category_id: 2, model: 'iPad 9', capacity: 1, capacity_unit: 'TB' },
  ],
  supplier: [
    { company_name: 'Handel 13' },
    { company_name: 'Amber Ltd', default_purchase_treatment: 'margin', receipt_kind: 'private' },
    { company_name: '+Plus GmbH', default_purchase_treatment: 'standard', first_name: 'Iphone', last_name: 'Miller' },
  ],
  vat: [
    { name: 'Standard', rate: 23 },
    { name: 'Zero', rate: 0 },
  ],
  batch: [{ name: 'Open' }, { name: 'Locked', is_locked: true }, { name: '@Other' }],
  customer: [{ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.test', ...addresses() }],
}
function addresses() {
  const address = { address_1: '1 Quay', city: 'Cork', postal_code: 'T12', country_code: 'IE' }
  return { billing_address: address, delivery_address: address }
}

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  quiet = await tape.t.user('ROLE_ADMIN')
  await tape.t.db.pool.query(
    `update company set name = 'Phones Ltd', country_code = 'IE', address_1 = '1 Quay', city = 'Cork'`,
  )
  await tape.t.db.pool.query('truncate grade restart identity cascade')
  for (const [area, records] of Object.entries(MADE))
    for (const record of records) {
      const { status, body } = await quiet.post(`/api/${area}/create`, record)
      if (status !== 201) throw new Error(JSON.stringify(body))
    }
  today = (await tape.t.db.pool.query(`select (now() at time zone time_zone)::date::text as day from company`)).rows[0]
    .day
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const STALE = '2020-01-01T00:00:00.000Z'
const imei = (n: number) => {
  const first = `35600000${String(n).padStart(6, '0')}`
  return first + luhnCheckDigit(first)
}
const day = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10)
const create = (body: object, client = user) =>
  client.post('/api/stock/create', { actual_product_id: 1, purchase_price: 10_000, ...body })
const edit = (id: number, body: object) => user.post(`/api/stock/${id}/edit`, body)
const quietly = async (work: () => Promise<unknown>) => {
  await work()
  await tape.forgetChanges()
}
const run = (sql: string, ...values: unknown[]) => tape.t.db.pool.query(sql, values)

/** Makes an item without writing it down, and returns its id. */
async function made(body: object): Promise<number> {
  const answer = await create(body, quiet)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  await tape.forgetChanges()
  return answer.body.data.id
}

test('stock items: the answers and the rows that they leave', async () => {
  await creations()
  await edits()
  await places()
  await others()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function creations() {
  tape.title('A new item: with each field, with the least, and with what follows from its supplier')
  await create({
    ...{
      expected_product_id: 2,
      supplier_id: 2,
      batch_id: 1,
      vat_type_id: 1,
      status: 'In Stock',
      backstock_id: ' b-1 ',
    },
    ...{
      imei: imei(1),
      serial_number: 'ab 12345',
      engineer_notes: 'One\n two ',
      purchase_currency: 'USD',
      fx_rate: 1.25,
    },
    ...{ purchase_date: day(40), sales_price: 25_050, sales_currency: 'EUR', network_locked: true, grade_id: 2 },
    ...{
      purchase_treatment: 'standard',
      functional: 'working',
      battery_health: '87',
      imei2: imei(2),
      location: ' Shelf 3 ',
    },
    ...{ meid: 'a1000012345678', eid: '89049032000000000000000000000001' },
  })
  await user.put('/api/stock/create', { actual_product_id: 2, purchase_price: '0', imei: imei(3) })
  await create({ serial_number: 'SERIAL-4', supplier_id: 2, supplier_return_id: 5, grade_id: '', purchase_date: null })
  await create({
    imei: imei(5),
    supplier_id: 1,
    purchase_currency: 'EUR',
    status: 'Inbound',
    functional: '',
    vat_type_id: 0,
  })

  tape.title('A new item that is refused')
  await create({ actual_product_id: undefined, purchase_price: undefined })
  await create({
    ...{
      actual_product_id: 'x',
      expected_product_id: -1,
      supplier_id: 'x',
      batch_id: 'x',
      vat_type_id: 'x',
      grade_id: {},
    },
    ...{ status: 'Sold', backstock_id: 5, imei: '123', serial_number: 5, engineer_notes: 5, purchase_price: -1 },
    ...{ purchase_currency: 'XXX', fx_rate: -1, purchase_date: '2011-02-30', sales_price: 'x', sales_currency: 'USD' },
    ...{
      network_locked: 'x',
      purchase_treatment: 'x',
      functional: 'x',
      battery_health: 101,
      imei2: `${imei(1).slice(0, 14)}0`,
    },
    ...{ meid: 'x', eid: 'x', location: 5 },
  })
  await create({
    ...{
      actual_product_id: 99,
      expected_product_id: 99,
      supplier_id: 99,
      vat_type_id: 99,
      grade_id: 99,
      imei: imei(2),
    },
    ...{ serial_number: 'AB 12345', backstock_id: 'B-1', meid: 'A1000012345678', purchase_date: day(-1), fx_rate: 2 },
  })
  await create({ imei: imei(9), purchase_currency: 'USD' })
  await create({ imei: imei(9), batch_id: 99, status: 'In Stock' })
  await create({ imei: imei(9), batch_id: 2, status: 'In Stock' })
  await create({ imei: imei(9), batch_id: 1 })
  await create({ serial_number: '2011-01-31' })
  await create({ serial_number: 'n/a' })
  await create({ serial_number: 'various' })
  await create({ serial_number: '12' })
  await create({ serial_number: imei(1) })
  await create({
    imei: imei(1),
    imei2: imei(3),
    serial_number: 'ab 12345',
    backstock_id: 'b-1',
    meid: 'a1000012345678',
  })
  await create({ imei: imei(9), purchase_date: day(0) })
}

async function edits() {
  tape.title('Each field of an item is changed and cleared')
  await edit(2, {
    ...{
      actual_product_id: 1,
      expected_product_id: 3,
      supplier_id: 3,
      vat_type_id: 2,
      backstock_id: 'b-2',
      imei: imei(20),
    },
    ...{
      serial_number: 'CD 1',
      engineer_notes: 'Scratched',
      purchase_price: 100,
      purchase_currency: 'GBP',
      fx_rate: '0.8',
    },
    ...{ purchase_date: day(3), sales_price: '300', network_locked: '1', purchase_treatment: 'margin', grade_id: 1 },
    ...{ functional: 'minor faults', battery_health: 0, imei2: imei(21), meid: '99000012345678', location: 'Box' },
    ...{ eid: '89049032000000000000000000000002' },
  })
  await edit(2, {
    ...{ expected_product_id: '', supplier_id: null, vat_type_id: 0, backstock_id: '', imei: '', engineer_notes: '' },
    ...{ purchase_currency: 'EUR', purchase_date: '', sales_price: '', network_locked: false, grade_id: null },
    ...{
      purchase_treatment: 'unknown',
      functional: '',
      battery_health: '',
      imei2: '',
      meid: '',
      eid: '',
      location: '',
    },
  })
  await edit(2, { serial_number: 'CD 1', location: null })
  await user.patch('/api/stock/2/edit', { serial_number: 'cd 1' })
  await edit(4, { purchase_currency: 'PLN' })
  await edit(4, { purchase_currency: 'PLN', fx_rate: 4.3 })
  await edit(4, { fx_rate: null })
  await edit(4, { purchase_currency: 'USD' })
  await edit(4, { purchase_price: 200 })

  tape.title('An edit that is refused')
  await edit(4, { imei: null })
  await edit(4, {
    imei: imei(1),
    serial_number: 'ab 12345',
    backstock_id: 'B-1',
    meid: 'A1000012345678',
    imei2: imei(2),
  })
  await edit(4, {
    serial_number: imei(1),
    purchase_date: day(-1),
    supplier_id: 99,
    expected_product_id: 99,
    grade_id: 99,
  })
  await edit(4, { imei: null, serial_number: '7' })
  await edit(4, { serial_number: '31.12.2011', vat_type_id: 99, actual_product_id: 99 })
  await edit(4, { actual_product_id: null, purchase_price: '', status: 'x' })
  await edit(4, { location: 'Late', updated_at: STALE })
  await edit(4, { location: 'Early', updated_at: 'x' })
  await edit(99, { location: 'Nowhere' })
  await quietly(() =>
    run(`update stock set serial_number = '5', imei = null, purchase_date = $1 where id = 4`, day(-9)),
  )
  await edit(4, { location: 'An old serial number and a day to come stay' })
  const { updated_at } = (await quiet.get('/api/stock/find?id=4')).body.data[0]
  await edit(4, { location: 'Shelf', updated_at })
}

async function places() {
  tape.title('Status and batch of an item')
  const one = await made({ imei: imei(30), status: 'In Stock' })
  const coming = await made({ imei: imei(31) })
  for (const status of ['In Batch', 'Sold', 'Inbound', 'Returned to Supplier']) await edit(one, { status })
  await edit(one, { batch_id: 99 })
  await edit(one, { batch_id: 2 })
  await edit(one, { batch_id: 1 })
  await edit(one, { status: 'Deleted' })
  await edit(one, { status: 'In Stock' })
  await edit(one, { batch_id: 3 })
  await edit(one, { batch_id: 2 })
  await edit(one, { batch_id: null })
  await edit(coming, { batch_id: 1 })
  await edit(coming, { status: 'In Stock', batch_id: 1 })
  await quietly(() => run(`update batch set is_locked = true where id = 1`))
  await edit(coming, { batch_id: null })
  await edit(coming, { batch_id: 3 })
  await edit(coming, { batch_id: 1, location: 'In a locked batch' })
  await quietly(() => run(`update batch set is_locked = false where id = 1`))

  tape.title('A deleted item comes back, unless another item has its number')
  await edit(one, { status: 'Deleted' })
  await edit(one, { status: 'Inbound' })
  await edit(one, { imei2: imei(1), location: 'Bin' })
  await edit(one, { status: 'In Stock' })
  await edit(one, { status: 'In Stock', imei2: null, serial_number: imei(9) })
  await quietly(() => run(`update stock set batch_id = 3, imei2 = null where id = $1`, one))
  await edit(one, { status: 'In Stock' })

  tape.title('An item that is sold, or returned to its supplier, keeps what its invoice says')
  const sold = await made({ imei: imei(32), status: 'In Stock', supplier_id: 1 })
  const claimed = await made({ imei: imei(33), status: 'In Stock', supplier_id: 1 })
  const drafted = await made({ imei: imei(34), status: 'In Stock', supplier_id: 1 })
  await quietly(async () => {
    const lines = [{ id: sold, sales_price: 20_000 }]
    await quiet.post('/api/sale/create', { customer_id: 1, stock_items: lines, create_invoice: false })
    await quiet.post('/api/supplier-claim/create', { supplier_id: 1, items: [claimed], reason: 'Faulty' })
    await quiet.post('/api/supplier-claim/1/send')
    await quiet.post('/api/supplier-claim/create', { supplier_id: 1, items: [drafted], reason: 'Late' })
  })
  const invoiced = {
    ...{ actual_product_id: 2, vat_type_id: 1, backstock_id: 'x', imei: imei(35), serial_number: 'NEW-35', fx_rate: 2 },
    ...{ purchase_price: 1, purchase_currency: 'USD', purchase_treatment: 'margin' },
    ...{ imei2: imei(36), meid: '99000012345678', eid: '89049032000000000000000000000001' },
  }
  await edit(sold, invoiced)
  await edit(claimed, invoiced)
  await edit(sold, { status: 'In Stock' })
  await edit(claimed, { status: 'Deleted' })
  await edit(sold, { sales_price: 5, location: 'Van', engineer_notes: 'Gone', supplier_id: 3, grade_id: 1 })
  await edit(sold, { batch_id: 1 })
  await user.get(`/api/stock/find?id=${claimed}`)
  await user.get(`/api/stock/find?id=${drafted}`)
  await quietly(() => run(`update stock set status = 'Deleted', in_hand = false, sale_id = null where id = $1`, sold))
  await quietly(() => run(`update sale_item set released = 'lost' where stock_id = $1`, sold))
  await user.get(`/api/stock/find?id=${sold}`)
  await quietly(() => run(`update sale set status = 'Requires Attention'`))
  await user.get(`/api/stock/find?id=${sold}`)
  await quietly(() => run(`update sale_item set released = 'removed' where stock_id = $1`, sold))
  await user.get(`/api/stock/find?id=${sold}`)

  tape.title('An item with a purchase receipt that no longer says what the item is')
  const bought = await made({
    imei: imei(40),
    serial_number: 'RECEIPT-1',
    status: 'In Stock',
    supplier_id: 2,
    grade_id: 1,
  })
  await user.get(`/api/stock/find?id=${bought}`)
  await quietly(async () => {
    const { token, seller } = (await quiet.get(`/api/purchase-receipt/proposal?ids=${bought}`)).body.data
    const by = { name: 'Ann', address_1: '1 Quay', city: 'Cork', country_code: 'IE' }
    const { status, body } = await quiet.post('/api/purchase-receipt/create', {
      ...{ items: [bought], seller: { ...seller, ...by }, bought_on: today, paid_by: 'cash', lang: 'en', token },
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
  })
  await edit(bought, { sales_price: 1234 })
  await edit(bought, { purchase_price: 1234, grade_id: 2 })
  await edit(bought, {
    ...{ supplier_id: 1, imei: imei(41), serial_number: null, actual_product_id: 3, purchase_treatment: 'standard' },
    ...{ purchase_currency: 'USD', fx_rate: 1.1, grade_id: null },
  })
  await edit(bought, { location: 'Shelf' })
  await edit(bought, { purchase_price: 5, status: 'Deleted' })
}

async function others() {
  tape.title('The product that is proposed for an IMEI, and the last rate of a currency')
  await quietly(() => run(`update stock set actual_product_id = 2 where id in (4, 6)`))
  for (const query of [
    'imei=35600000',
    `imei=${imei(77)}`,
    'imei=99000000',
    'imei=1234567',
    'imei=x',
    '',
    'imei=3560-0000+12',
  ])
    await user.get(`/api/stock/proposed-product?${query}`)
  for (const query of [
    'currency=USD',
    'currency=gbp',
    'currency=PLN',
    'currency=EUR',
    'currency=CHF',
    'currency=x',
    '',
  ])
    await user.get(`/api/stock/fx-rate?${query}`)
  await user.get('/api/stock/further-columns')

  tape.title('The value of stock, for administrators')
  await user.get(`/api/stock/value?at=${today}`)
  const admin = await tape.person('Admin', 'ROLE_ADMIN')
  for (const at of [today, day(1), day(-1), 'x', '']) await admin.get(`/api/stock/value?at=${at}`)
}
