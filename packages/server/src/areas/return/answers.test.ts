import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let silent: Client
let shop: Shop
let other: number
/** The IMEI of an item that is sold for nothing. */
let free: string
let supplier: number

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  await query('update company set margin_rate = 2300')
  user = await tape.person('Person')
  silent = await tape.t.user()
  const buyer = { first_name: 'Otto', last_name: 'Other', email: 'otto@example.test', company_name: 'Other GmbH' }
  other = (await silent.post('/api/customer/create', buyer)).body.data.id
  supplier = (await silent.post('/api/supplier/create', { company_name: 'Palettes SA' })).body.data.id
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
type Sold = { id: number; items: number[] }
/** Makes a dispatched sale of new items, or of these. */
async function sent(
  n: number | number[],
  columns: Parameters<typeof stockItems>[3] = {},
  options: object = {},
): Promise<Sold> {
  const items =
    typeof n === 'number' ? await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, ...columns }) : n
  const { status, body } = await silent.post('/api/sale/create', {
    stock_items: items.map((id) => ({ id })),
    ...{ customer_id: shop.customer, send_email: false, create_invoice: false, remove_from_batch: false, ...options },
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  for (const one of ['Awaiting Dispatch', 'Dispatched'])
    await silent.post(`/api/sale/${body.data.id}/edit`, { status: one })
  await tape.forgetChanges()
  return { id: body.data.id, items }
}
const some = (ids: readonly (number | undefined)[], more: object = {}) => ids.map((id) => ({ id, ...more }))
const create = (body: object, headers?: Record<string, string>) =>
  user.post('/api/return/create', { customer_id: shop.customer, ...body }, headers)
const edit = (id: number, body: object) => user.post(`/api/return/${id}/edit`, body)
const receive = (id: number, body: object = {}, headers?: Record<string, string>) =>
  user.post(`/api/return/${id}/receive`, body, headers)
const remove = (id: number) => user.delete(`/api/return/${id}/delete`)
const OLD = '2001-01-01T00:00:00.000Z'

testInTurn('returns: the answers and the rows that they leave', async () => {
  await lookingUp()
  await announcing()
  await receiving()
  await outcomes()
  await lists()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function lookingUp(): Promise<void> {
  tape.title('Pasted lines: sold, not sold, not dispatched, returned, sold twice, unknown, of several items, awaited')
  const lookUp = (lines: unknown[]) => user.post('/api/return/look-up', { lines })
  free = newImei()
  const [imei, unsold, open, returned, again] = Array.from({ length: 5 }, newImei) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const grade = (await query(`insert into grade (name, position) values ('B+', 9) returning id`))[0].id
  const bought = { supplier_id: supplier, purchase_date: '2001-02-03', serial_number: 'SERIAL1', grade_id: grade }
  const one = await sent(1, { ...bought, imei }, { create_invoice: true, customer_id: other })
  const zero = await sent(1, { imei: free, purchase_treatment: 'standard' }, { includeVat: true, salesPrice: 0 })
  const [plain] = await stockItems(tape.t.db, shop, 1, { imei: unsold })
  const [waiting] = await stockItems(tape.t.db, shop, 1, { imei: open })
  await silent.post('/api/sale/create', { stock_items: [{ id: waiting }], customer_id: other, send_email: false })
  const back = await sent(1, { imei: returned })
  await silent.post(`/api/sale/${back.id}/return-item/${back.items[0]}`)
  await sent(1, { imei: again })
  await sent(1, { imei: again })
  const [unknown, mistyped] = [newImei(), '350000900000042']
  await lookUp([
    `${imei.slice(0, 6)} ${imei.slice(6)}`,
    ...[free, unsold, open, returned, again, imei, 'serial1', 'SERIAL1', unknown, unknown, mistyped],
  ])
  await stockItems(tape.t.db, shop, 1, { imei })
  await sent(1, { imei: null, serial_number: 'DOUBLE' })
  const product = (
    await query(
      `insert into product (make_id, category_id, model, display_name) values (1, 1, 'SE', 'Apple SE') returning id`,
    )
  )[0].id
  await stockItems(tape.t.db, shop, 1, { imei: null, serial_number: 'DOUBLE', actual_product_id: product })
  await tape.forgetChanges()
  await lookUp([imei, 'DOUBLE', `#${plain}`, ''])
  await lookUp(['x'.repeat(300)])
  await user.post('/api/return/look-up', { lines: 'x' })
  await silent.post('/api/return/create', { customer_id: shop.customer, items: some(zero.items) })
  await tape.forgetChanges()
  await lookUp([free])
  expect(one.id).toBe(1)
}

async function announcing(): Promise<void> {
  tape.title('Returns that are refused')
  const mine = await sent(3, {}, { create_invoice: true })
  const [first, second, third] = mine.items as [number, number, number]
  const his = await sent(1, {}, { customer_id: other })
  const [unsold] = await stockItems(tape.t.db, shop, 1)
  await tape.forgetChanges()
  await create({ items: [] })
  await create({ items: 'x', customer_id: 'x', received: 'x' })
  await create({
    items: [{ id: first, reason: 'x', condition: 'x', outcome: 'x', price: -1, sale_id: 'x' }],
    note: 'x'.repeat(10_001),
  })
  await create({ items: some([first, first]) })
  await create({ items: some([999, 998]) })
  await create({ items: [...some([unsold]), { id: first, sale_id: 999 }, { id: second, sale_id: mine.id }] })
  await create({ items: some([first]), customer_id: 999 })
  await create({ items: [...some(his.items), { id: first, price: 30_001 }, { id: second, outcome: 'to_supplier' }] })
  tape.title('Announced, with all fields; then edited: its note, its items, a stale edit, states')
  const { body } = await create(
    {
      items: [
        { id: first, sale_id: mine.id, reason: 'faulty', condition: 'used', outcome: 'inbound', price: 25_000 },
        { id: second },
      ],
      note: ' Says\nnothing ',
    },
    { 'idempotency-key': 'a' },
  )
  const { id, updated_at } = body.data
  await create({ items: some([first, third]) })
  await edit(id, { note: null })
  await edit(id, { note: 'late', updated_at: updated_at ?? OLD })
  await edit(id, { items: some([third, second], { reason: 'other' }) })
  await edit(id, { items: [] })
  await edit(id, { state: 'settled' })
  await edit(id, { state: 'gone' })
  await edit(999, { note: 'x' })
  await edit(id, { items: [...some(his.items), ...some([unsold])] })
  tape.title('Refused: nobody expects its items any longer; deleted')
  await edit(id, { state: 'refused', note: 'No receipt' })
  await edit(id, { items: some([first]) })
  await receive(id)
  await create({ items: some([second]) })
  await remove(id)
  await remove(id)
}

async function receiving(): Promise<void> {
  tape.title('Received: refusals, one of two items with other facts, the same again, the rest; settled')
  const sale = await sent(2, { purchase_treatment: 'margin' }, { create_invoice: true })
  const [first, second] = sale.items as [number, number]
  const { id } = (await create({ items: [{ id: first, price: 20_000 }, { id: second }] })).body.data
  await receive(999)
  await receive(id, { items: 'x', send_email: 'x' })
  await receive(id, { items: some([999, first, 998]) })
  await receive(id, { updated_at: OLD })
  await receive(id, { items: [{ id: first, price: 30_001 }] })
  await receive(
    id,
    { items: [{ id: first, reason: 'faulty', condition: 'defective', outcome: 'scrap' }], send_email: true },
    { 'idempotency-key': 'r' },
  )
  await receive(
    id,
    { items: [{ id: first, reason: 'faulty', condition: 'defective', outcome: 'scrap' }], send_email: true },
    { 'idempotency-key': 'r' },
  )
  await receive(id, { items: some([first]) })
  await edit(id, { items: [] })
  await edit(id, { items: some([second], { price: 0 }) })
  await receive(id, { items: [{ id: second, price: 0 }] })
  await receive(id)
  await remove(id)
  await edit(id, { state: 'announced' })
  await edit(id, { state: 'settled' })
  await receive(id)
  tape.title('Received at once, from three sales, one of them without an invoice, with emails')
  const [one, two, plain] = [
    await sent(2, {}, { create_invoice: true }),
    await sent(1, {}, { create_invoice: true }),
    await sent(1),
  ]
  await create({
    items: some([...one.items, two.items[0], plain.items[0]]),
    received: true,
    send_email: 'true',
    note: 'At the counter',
  })
  tape.title('An item was sold again after it came back')
  const again = await sent([one.items[0]!])
  await create({ items: some(again.items) })
  const { body } = await create({ items: some(again.items), received: true })
  tape.line(`  ${body.message}`)
}

async function outcomes(): Promise<void> {
  tape.title('What becomes of items: inbound from a batch, scrapped, to two suppliers with open claims, a locked batch')
  const batch = await batchOf(tape.t.db, shop, user.id, 3)
  const locked = await batchOf(tape.t.db, shop, user.id, 2, true)
  const second = (await silent.post('/api/supplier/create', { company_name: 'Also SA' })).body.data.id
  const sale = await sent([...batch.items, ...locked.items])
  const [inbound, scrapped, restocked] = batch.items as [number, number, number]
  const [held, kept] = locked.items as [number, number]
  await create({
    items: [
      { id: held, outcome: 'inbound' },
      { id: kept, outcome: 'inbound' },
    ],
    received: true,
  })
  await create({
    items: [
      { id: inbound, outcome: 'inbound' },
      { id: scrapped, outcome: 'scrap' },
      { id: restocked },
      { id: held, outcome: 'scrap' },
      { id: kept },
    ],
    received: true,
  })
  const claimed = await sent(1, { supplier_id: second })
  const more = await sent(2, { supplier_id: supplier })
  await create({
    items: [...claimed.items, ...more.items].map((id, n) => ({
      id,
      outcome: 'to_supplier',
      reason: n ? 'faulty' : 'wrong_item',
    })),
    received: true,
  })
  tape.title('Twins: one item, two items')
  const twin = newImei()
  const [one, two] = [await sent(1, { imei: twin }), await sent(1, { imei: null, serial_number: 'TWIN' })]
  await stockItems(tape.t.db, shop, 1, { imei: twin })
  await stockItems(tape.t.db, shop, 1, { imei: null, serial_number: 'TWIN' })
  await tape.forgetChanges()
  await create({ items: some(one.items), received: true })
  await create({ items: some([...one.items, ...two.items]), received: true })
  tape.title('Two items of one sale came back already, and one that nobody sold')
  await user.post(`/api/sale/${sale.id}/return-item/${inbound}`)
  await create({ items: some([inbound, scrapped]) })
}

async function lists(): Promise<void> {
  tape.title('The list of returns: whole rows, orders, filters and searches')
  const find = (text: string) => user.get(`/api/return/find?${text}`)
  await find('per_page=3')
  await find('state=settled&per_page=1')
  await find('order=x&state=x&customer_id=x')
  await find('id=1')
  await find('id=999')
  await query(`update customer_return set created_at = '2001-01-01' where id = 2`)
  const ids = async (text: string) =>
    tape.line(
      `${text}: ${(await silent.get(`/api/return/find?${text}`)).body.data.map(({ id }: { id: number }) => id)}`,
    )
  for (const text of [
    'order=created_at_asc&per_page=3',
    'order=id_desc&per_page=3',
    'state=announced,refused',
    `customer_id=${other}`,
    `customer_id=${other},${shop.customer}`,
  ])
    await ids(text)
  for (const text of [
    'search=counter',
    'search=other',
    `search=${free}`,
    `search=${free}0`,
    'search=serial1',
    'search=2',
    'search=zażółć counter',
    'search=nothing',
  ])
    await ids(text)
}
