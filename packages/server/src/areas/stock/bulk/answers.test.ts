import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../../testing/answers.ts'
import type { Client } from '../../../testing/app.ts'
import { applyUndo, importCsv, uploadCsv } from '../../../testing/csv-upload.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { listIds } from '../../../testing/list-ids.ts'

// Bulk edits, their undo, and the receipt of imports, compared with `answers.txt`. `npm run words` stores it anew.

let tape: Tape
let user: Client
let quiet: Client
let customer: number

const run = async (sql: string, ...values: unknown[]) => (await tape.t.db.pool.query(sql, values)).rows
const imei = (n: number) => {
  const first = `35600000${String(n).padStart(6, '0')}`
  return first + luhnCheckDigit(first)
}
const quietly = async (work: () => Promise<unknown>) => {
  await work()
  await tape.forgetChanges()
}

type Columns = Record<string, string | number | boolean | null>
let items = 0
/** Makes an item with the next id, without writing it down. */
async function item(columns: Columns = {}): Promise<number> {
  const row = {
    status: 'In Stock',
    actual_product_id: 1,
    purchase_price: 20_000,
    sales_price: 30_000,
    imei: imei(++items),
    ...columns,
  }
  const names = Object.keys(row)
  const [made] = await run(
    `insert into stock (${names}) values (${names.map((_, n) => `$${n + 1}`)}) returning id`,
    ...Object.values(row),
  )
  await tape.forgetChanges()
  return made.id
}
const gone = { status: 'Deleted', in_hand: false }

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  quiet = await tape.t.user('ROLE_ADMIN')
  await run('truncate grade restart identity cascade')
  await run(`insert into make (name) values ('Apple')`)
  await run(`insert into category (name) values ('Phone')`)
  await run(`insert into grade (name, position) values ('B', 2), ('A', 1)`)
  await run(`insert into product (make_id, category_id, model, capacity, capacity_unit, display_name) values
    (1, 1, 'iPhone 13', 128, 'GB', 'Apple iPhone 13 128 GB'), (1, 1, 'iPad 9', 1, 'TB', 'Apple iPad 9 1 TB')`)
  await run(
    `insert into supplier (company_name, receipt_kind) values ('Handel', null), ('Amber Ltd', 'private'), ('Third', null)`,
  )
  await run(`insert into vat (name, rate) values ('Standard', 2300), ('Zero', 0)`)
  await run(
    `insert into batch (user_id, name, is_locked) values (1, 'Open', false), (1, 'Locked', true), (1, 'Other', false)`,
  )
  await run(`update company set name = 'Phones Ltd', country_code = 'IE', address_1 = '1 Quay', city = 'Cork'`)
  const address = { address_1: '1 Quay', city: 'Cork', postal_code: 'T12', country_code: 'IE' }
  const person = {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@example.test',
    billing_address: address,
    delivery_address: address,
  }
  customer = (await quiet.post('/api/customer/create', person)).body.data.id
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const preview = (body: object) => user.post('/api/stock/bulk/preview', body)
const tokenFor = async (body: object) =>
  (await quiet.post('/api/stock/bulk/preview', body)).body.data?.token ?? '0'.repeat(64)
/** Carries out a bulk edit as its preview shows it, and returns its id. */
async function bulk(body: object, client = user): Promise<number> {
  const { body: answer } = await client.post('/api/stock/bulk', { ...body, token: await tokenFor(body) })
  return answer.data?.bulk_id
}
const undo = (id: number) => user.post(`/api/stock/bulk/${id}/undo`)

testInTurn('bulk edits: the answers and the rows that they leave', async () => {
  await everyState()
  await prices()
  await refusals()
  await undos()
  await imports()
  await severalReceipts()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

/** Items in all states: 1 to 3 In Stock, 4 and 5 in batches, 6 sold, 7 Deleted, 8 its twin, 9 Inbound and in dollars. */
async function everyState() {
  tape.title('Each change on items in all states')
  await item({ supplier_id: 1, grade_id: 1, location: 'Shelf 1', engineer_notes: 'Old', vat_id: 1 })
  await item({ sales_price: null, supplier_id: 2, purchase_treatment: 'margin' })
  await item({ functional: 'faulty', network_locked: true, purchase_price: 0 })
  await item({ status: 'In Batch', batch_id: 1 })
  await item({ status: 'In Batch', batch_id: 2 })
  await item()
  await quietly(() =>
    quiet.post('/api/sale/create', {
      customer_id: customer,
      stock_items: [{ id: 6, sales_price: 5 }],
      create_invoice: false,
    }),
  )
  await item({ ...gone, imei: imei(1), location: 'Bin' })
  await item({ ...gone, imei: imei(70) })
  await item({ status: 'Inbound', purchase_currency: 'USD', fx_rate: 2, engineer_notes: 'x'.repeat(9_998) })
  await item({ ...gone, imei: imei(70), serial_number: 'TWIN' })
  const all = [9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 99]
  for (const changes of [
    { status: 'In Stock' },
    { status: 'Deleted' },
    { supplier_id: 3, grade_id: 2, functional: 'working', network_locked: 1, purchase_treatment: 'standard' },
    { vat_type_id: 2 },
    { batch_id: 3 },
    { batch_id: 2 },
    { batch_id: null },
    { location: 'Shelf 2' },
    { location: null },
    { note: 'New' },
  ])
    await preview({ items: all, changes })

  tape.title('Bulk edits with all fields, and the sentences about them')
  await bulk({
    items: [1, 2],
    changes: { status: 'In Stock', supplier_id: 3, vat_type_id: 2, grade_id: 2, batch_id: 3 },
  })
  await bulk({
    items: [3, 6, 99],
    changes: {
      ...{ supplier_id: null, vat_type_id: null, grade_id: null, batch_id: null, purchase_treatment: 'reverse_charge' },
      ...{ functional: '', location: '', network_locked: false, note: 'Looked at\nagain' },
    },
  })
  await bulk({
    items: [1, 4, 2],
    changes: { functional: 'untested', location: 'Box', network_locked: true, batch_id: 1 },
  })
  await bulk({ items: [1, 3, 4], changes: { batch_id: 3 } })
  await bulk({ items: [1, 2, 4], changes: { batch_id: null, purchase_price: { set: 100 }, sales_price: { set: 250 } } })
  await bulk({
    filter: { ids: '8', status: 'Deleted', page: 5, per_page: 1, order: 'id_asc', also: 'x' },
    changes: { location: null },
  })
  await bulk({
    filter: { status: ['In Stock', 'Inbound'], supplier_id: 3, search: 'apple' },
    changes: { location: 'Found' },
  })
}

/** Makes a purchase receipt of an item, without writing it down. */
const receiptOf = (id: number) =>
  quietly(async () => {
    const { token } = (await quiet.get(`/api/purchase-receipt/proposal?ids=${id}`)).body.data
    const seller = { name: 'Ann', address_1: '1 Quay', city: 'Cork', country_code: 'IE' }
    const [{ today }] = await run('select (now() at time zone time_zone)::date::text as today from company')
    const { status, body } = await quiet.post('/api/purchase-receipt/create', {
      ...{ items: [id], seller, bought_on: today, paid_by: 'cash', lang: 'en', token },
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
  })

async function prices() {
  tape.title('Prices')
  const [a, b, c] = [
    await item({ purchase_price: 10_000, sales_price: 12_345, serial_number: 'PRICE-A' }),
    await item({
      purchase_price: 10_100,
      sales_price: null,
      supplier_credit: 100,
      supplier_id: 2,
      purchase_treatment: 'margin',
    }),
    await item({ purchase_price: 0, sales_price: 90, purchase_currency: 'USD', fx_rate: 4 }),
  ]
  const three = [c, a, b]
  for (const changes of [
    { purchase_price: { set: '1000' } },
    { purchase_price: { add: -10_050 } },
    { purchase_price: { percent: -12.25, of: 'purchase_price', round: '.99' } },
    { purchase_price: { percent: 50, of: 'sales_price' } },
    { sales_price: { set: null } },
    { sales_price: { set: 5_049, round: '5.00' } },
    { sales_price: { add: 655, round: '.00', never_below_cost: true } },
    { sales_price: { add: -100 } },
    { sales_price: { percent: 35, of: 'purchase_price', round: '.99' } },
    { sales_price: { percent: -90, of: 'sales_price', never_below_cost: 'true' } },
    { sales_price: { percent: 1000, of: 'sales_price' }, purchase_price: { set: 5_000 } },
    { sales_price: { add: 99_999_999 } },
    { sales_price: { pasted: [`${imei(11)}\t249,90`, 'PRICE-A\t5', 'nothing 7', `#${b} 8.50`, '', 'x', '#1 5', '9'] } },
    { sales_price: { pasted: ['1', '2.50', '3,75'], round: '.99' } },
    { sales_price: { pasted: ['1', 'x', '3'] } },
    { sales_price: { pasted: ['1', '', '3', '4'] } },
    { sales_price: { pasted: ['1', '2'] } },
    { sales_price: { pasted: [`${imei(12).slice(0, 14)}${(Number(imei(12)[14]) + 1) % 10} 5`, 'x'.repeat(1001)] } },
    {
      sales_prices: [
        { items: [a, 6], set: 700 },
        { items: [b], set: null },
      ],
    },
    { sales_prices: [{ items: [a, 4], set: 700, seen: ['2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'] }] },
  ])
    await preview({ items: three, changes })
  await preview({ filter: { ids: `${a}` }, changes: { sales_price: { pasted: ['1'] } } })
  await preview({ items: [a, 6], changes: { sales_prices: [{ items: [a, 6], set: 700 }] } })

  for (const changes of [
    {
      purchase_price: { percent: 10, of: 'purchase_price' },
      sales_price: { percent: 40, of: 'purchase_price', round: '.99', never_below_cost: true },
    },
    { purchase_price: { add: 50, round: '.00' }, sales_price: { add: -5 } },
    { purchase_price: { percent: -5.5, of: 'sales_price' }, sales_price: { percent: -2, of: 'sales_price' } },
    { sales_price: { set: null } },
    { sales_price: { pasted: [`#${a} 5`, `#${b} 6`], round: '.99' } },
    { sales_prices: [{ items: [a], set: 1_234 }] },
    { sales_prices: [{ items: [a], set: null }] },
    {
      sales_prices: [
        { items: [a], set: 11 },
        { items: [b, c], set: 12 },
      ],
    },
  ])
    await bulk({ items: three, changes })
  const groups = Array.from({ length: 22 }, (_, n) => ({ items: n === 0 ? [a, 1001] : [1100 + n], set: 50 + n }))
  await bulk({ items: [a], changes: { sales_prices: groups } })

  tape.title('Items on a purchase receipt')
  await receiptOf(b)
  await preview({ items: [a, b], changes: { grade_id: 1 } })
  const graded = await bulk({ items: [a, b], changes: { grade_id: 1 } })
  await undo(graded)
  await bulk({ items: [b], changes: { location: 'No matter' } })
}

async function refusals() {
  tape.title('Bulk edits that are refused')
  const change = { location: 'X' }
  for (const body of [
    {},
    { items: [1], filter: {}, changes: change },
    { items: [], changes: change },
    { items: ['x'], changes: {} },
    { items: [1], changes: { moon: 1 } },
    {
      items: [1],
      changes: {
        ...{
          status: 'Sold',
          supplier_id: 'x',
          vat_type_id: 'x',
          purchase_treatment: 'x',
          batch_id: 'x',
          grade_id: 'x',
        },
        ...{
          functional: 'x',
          location: 5,
          network_locked: 'x',
          note: ' ',
          purchase_price: { set: null },
          sales_price: { set: 1, add: 1 },
        },
        sales_prices: [
          { items: [1], set: 1 },
          { items: [1], set: 2 },
        ],
      },
    },
    {
      items: [1],
      changes: { purchase_price: { percent: 5 }, sales_price: { percent: 1001, of: 'x', round: 'x', add: 0.5 } },
    },
    { items: [1], changes: { sales_price: { percent: 0.001, of: 'sales_price' }, purchase_price: { add: 1e9 } } },
    { items: [1], changes: { sales_price: { percent: 'x', of: 'sales_price' }, purchase_price: { add: -1e9 } } },
    { items: [1], changes: { sales_price: { pasted: [5] } } },
    {
      items: [1],
      changes: {
        sales_prices: [
          { items: [1], set: 1, seen: ['x'] },
          { items: [2, 3], set: -1, seen: [] },
        ],
      },
    },
    { items: [1], changes: { sales_prices: [{ items: [1], set: 1 }], sales_price: { set: 1 } } },
    { items: [1], changes: { supplier_id: 99, vat_type_id: 99, batch_id: 99, grade_id: 99 } },
    { filter: { moon: 1 }, changes: change },
    { filter: { 'a b': 1 }, changes: change },
    { filter: { id: 1 }, changes: change },
    { filter: { status: 'x', age: 'x' }, changes: change },
    { filter: { search: 'a\u0001b' }, changes: change },
    { filter: { search: {} }, changes: change },
  ])
    await preview(body)
  const body = { items: [1], changes: change }
  await user.post('/api/stock/bulk', body)
  await user.post('/api/stock/bulk', { ...body, token: 'x' })
  await user.post('/api/stock/bulk', { ...body, token: '0'.repeat(64) })
  await bulk({ items: [1], changes: { status: 'In Stock' } })
  await bulk({ items: [99], changes: change })
}

async function undos() {
  tape.title('Undo: what is given back, and what stays')
  const two = [
    await item({ supplier_id: 1, grade_id: 1 }),
    await item({ sales_price: null, engineer_notes: 'Old' }),
  ] as const
  const first = await bulk({ items: two, changes: { sales_price: { set: 100 }, note: 'New', supplier_id: 2 } })
  const second = await bulk({ items: two, changes: { location: 'Shelf', grade_id: 2 } })
  await undo(second)
  await undo(first)
  await undo(first)
  await undo(99)
  const late = await bulk({ items: two, changes: { location: 'Late' } })
  await quietly(() => run(`update bulk_edit set created_at = now() - interval '31 days' where id = $1`, late))
  await undo(late)

  const many: number[] = []
  for (let n = 0; n < 6; n++) many.push(await item({ supplier_id: 1 }))
  const [byPerson, byNobody, untouched, , sold] = many as [number, number, number, number, number]
  const touched = await bulk({ items: many, changes: { location: 'Table' } })
  await quietly(async () => {
    await quiet.post(`/api/stock/${byPerson}/edit`, { location: 'Chair' })
    await run(`update stock set location = 'Nowhere' where id = $1`, byNobody)
    await quiet.post('/api/sale/create', {
      customer_id: customer,
      stock_items: [{ id: sold, sales_price: 5 }],
      create_invoice: false,
    })
    await run('delete from stock where id = $1', many[5])
  })
  await undo(touched)

  const [b1, b2, b3] = [
    await item(),
    await item({ status: 'In Batch', batch_id: 1 }),
    await item({ status: 'In Batch', batch_id: 3 }),
  ]
  const intoOpen = await bulk({ items: [b1], changes: { batch_id: 1 } })
  const outOfOpen = await bulk({ items: [b2, b3], changes: { batch_id: null } })
  await quietly(() => run('update batch set is_locked = true where id = 1'))
  await undo(intoOpen)
  await quietly(() => quiet.delete('/api/batch/3/delete'))
  await undo(outOfOpen)

  const [g1, g2, g3] = [
    await item({ grade_id: 2 }),
    await item({ vat_id: 2 }),
    await item({ supplier_id: 3, grade_id: 1 }),
  ]
  const regraded = await bulk({ items: [g1, g2, g3], changes: { grade_id: 1, vat_type_id: 1, supplier_id: 1 } })
  await quietly(async () => {
    await run('update stock set grade_id = null where grade_id = 2')
    await run('update stock set vat_id = null where vat_id = 2')
    await run('update stock set supplier_id = null where supplier_id = 3')
    await run('delete from grade where id = 2')
    await run('delete from vat where id = 2')
    await run('delete from supplier where id = 3')
  })
  await undo(regraded)

  const [inBasket, claimed, coming] = [
    await item({ status: 'Inbound' }),
    await item({ ...gone, supplier_id: 1 }),
    await item({ status: 'Inbound' }),
  ]
  const back = await bulk({ items: [inBasket, claimed, coming], changes: { status: 'In Stock' } })
  const moved = await bulk({ items: [two[0], two[1]], changes: { supplier_id: 2 } })
  await quietly(async () => {
    await quiet.put(`/api/user/${quiet.id}/basket`, { items: [untouched, inBasket] })
    await quiet.post('/api/supplier-claim/create', { supplier_id: 1, items: [claimed], reason: 'Late' })
    await quiet.post('/api/supplier-claim/create', { supplier_id: 2, items: [two[0]], reason: 'Late' })
  })
  await undo(back)
  await undo(moved)

  const [left, stays] = [await item({ serial_number: 'LEFT-1', imei: null }), await item()]
  const deleted = await bulk({ items: [left, stays], changes: { status: 'Deleted' } })
  await item({ serial_number: 'left-1', imei: null })
  await undo(deleted)

  const [printed, other] = [
    await item({ supplier_id: 2, purchase_treatment: 'margin', grade_id: 1 }),
    await item({ grade_id: 1 }),
  ]
  const priced = await bulk({
    items: [printed, other],
    changes: { purchase_price: { set: 7_000 }, grade_id: null, location: 'P' },
  })
  await receiptOf(printed)
  await undo(priced)

  await quietly(() =>
    run(`insert into batch (id, user_id, name) overriding system value
    values (14, 1, 'Fourth'), (15, 1, 'Fifth'), (16, 1, 'Sixth')`),
  )
  const fromFifth = await item({ status: 'In Batch', batch_id: 15 })
  await bulk({ items: [fromFifth, await item({ status: 'In Batch', batch_id: 14 })], changes: { batch_id: 16 } })

  tape.title('The list of bulk edits')
  await user.get('/api/stock/bulk/find?per_page=3')
  const list = listIds(tape, quiet)
  for (const query of [
    'per_page=50',
    'order=id_asc&per_page=3&page=2',
    'kind=edit&per_page=2',
    'kind=receive',
    'kind=x',
    'search=shelf',
    'ids=3,1',
    'check_id=1',
    'import_id=1',
  ])
    await list(`/api/stock/bulk/find?${query}`)
}

async function imports() {
  tape.title('The items of an import are received')
  const head = 'imei,make,model,capacity,capacity_unit,category,purchase_price,status'
  const row = (n: number, status = 'Inbound') => `${imei(n)},Apple,iPad 9,1,TB,Phone,8,${status}`
  const csv = (...rows: string[]) => ({ csv: [head, ...rows].join('\n'), name: 'delivery.csv' })
  let [done, waiting, undone] = [0, 0, 0]
  await quietly(async () => {
    done = (await importCsv(tape.t, quiet, csv(row(201), row(202), row(203, 'In Stock'), row(204)))).id
    await importCsv(tape.t, quiet, { ...csv(row(201)), update_existing: '1' })
    undone = (await importCsv(tape.t, quiet, csv(row(302)))).id
    waiting = (await uploadCsv(quiet, csv(row(301)))).body.data.import_id
  })
  const receivable = (id: unknown) => user.get(`/api/stock/bulk/receivable?import_id=${id}`)
  const receive = (import_id: unknown) => user.post('/api/stock/bulk/receive', { import_id })
  for (const id of [done, waiting, 99, 'x', '']) await receivable(id)
  await receive(done)
  await receivable(done)
  for (const id of [done, done + 1, waiting, 99, 'x', undefined]) await receive(id)
  const [{ id: last }] = (await run('select max(id) as id from bulk_edit')) as [{ id: number }]
  await undo(last)
  await quietly(async () => {
    const [first] = await run('select id from stock where imei = $1', imei(201))
    await quiet.post(`/api/stock/${first.id}/edit`, { status: 'Deleted' })
  })
  await receive(done)
  await quietly(() => quiet.post(`/api/stock/import/history/${undone}/undo`))
  await receive(undone)
  await receivable(undone)
  await quietly(() => applyUndo(tape.t, undone))
  await receive(undone)
  await receivable(undone)
  const list = listIds(tape, quiet)
  for (const query of [
    'kind=receive',
    `import_id=${done}`,
    `import_id=${undone},${done}`,
    'kind=receive&order=id_asc',
    'kind=receive,edit&per_page=4',
  ])
    await list(`/api/stock/bulk/find?${query}`)
}

async function severalReceipts() {
  tape.title('Items on several purchase receipts')
  const bought: number[] = []
  for (let n = 0; n < 6; n++) bought.push(await item({ supplier_id: 2, purchase_treatment: 'margin' }))
  for (const one of bought) await receiptOf(one)
  for (const n of [2, 5, 6]) await preview({ items: bought.slice(0, n), changes: { grade_id: 1 } })
}
