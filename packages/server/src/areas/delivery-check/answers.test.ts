import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { applyUndo, importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { listIds } from '../../testing/list-ids.ts'

// Delivery checks, compared with `answers.txt`. `npm run words` stores it anew.

let tape: Tape
let user: Client
let other: Client
let quiet: Client

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
async function item(columns: Columns): Promise<number> {
  const row = { status: 'Inbound', actual_product_id: 1, purchase_price: 20_000, ...columns }
  const names = Object.keys(row)
  const [made] = await run(
    `insert into stock (${names}) values (${names.map((_, n) => `$${n + 1}`)}) returning id`,
    ...Object.values(row),
  )
  await tape.forgetChanges()
  return made.id
}
let customer: number

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  other = await tape.person('Other')
  quiet = await tape.t.user('ROLE_ADMIN')
  await run('truncate grade restart identity cascade')
  await run(`insert into make (name) values ('Apple')`)
  await run(`insert into category (name) values ('Phone')`)
  await run(`insert into grade (name, position) values ('B', 2)`)
  await run(`insert into product (make_id, category_id, model, capacity, capacity_unit, display_name) values
    (1, 1, 'iPhone 13', 128, 'GB', '=Apple iPhone 13 128 GB'), (1, 1, 'iPad 9', 1, 'TB', 'Apple iPad 9 1 TB')`)
  await run(`insert into supplier (company_name) values ('Handel'), ('Amber Ltd')`)
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

const base = '/api/stock/check'
const begin = (body: object, client = user) => client.post(base, body)
const act = (id: number, verb: string, body: object = {}, client = user) => client.post(`${base}/${id}/${verb}`, body)
const scan = (id: number, codes: unknown, client = user) => act(id, 'scan', { codes }, client)

test('delivery checks: the answers and the rows that they leave', async () => {
  await ofFilters()
  await scans()
  await ofImports()
  await lists()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

/** Item 6 was sold and sent back, so it is in no delivery. Items 1 to 5 and 7 are Inbound. */
async function ofFilters() {
  await item({ imei: imei(1), imei2: imei(101), supplier_id: 1, grade_id: 1 })
  await item({
    imei: imei(2),
    serial_number: '=SN-2',
    supplier_id: 1,
    purchase_date: '2011-02-03',
    purchase_currency: 'USD',
    fx_rate: 2,
  })
  await item({ serial_number: 'SN-3000', supplier_id: 1, actual_product_id: 2 })
  await item({ imei: imei(4), supplier_id: 2, actual_product_id: 2 })
  await item({ imei: imei(5) })
  await item({ imei: imei(6), supplier_id: 1, status: 'In Stock' })
  await item({ imei: imei(7), supplier_id: 1 })
  await item({ imei: imei(8), status: 'In Stock' })
  await quietly(async () => {
    await quiet.post('/api/sale/create', {
      customer_id: customer,
      stock_items: [{ id: 6, sales_price: 5 }],
      create_invoice: false,
    })
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await quiet.post('/api/sale/1/edit', { status })
    const answer = await quiet.post('/api/return/create', {
      customer_id: customer,
      items: [{ id: 6, outcome: 'inbound' }],
      received: true,
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  })

  tape.title('Checks of Inbound items that match a filter')
  await begin({ filter: { supplier_id: 1 } })
  await begin({ filter: { product_id: 2, search: 'sn-3000' }, name: ' By hand ' }, other)
  await begin({ filter: { ids: '5,4,8' } })
  await begin({ filter: {} })
  for (const body of [
    {},
    { import_id: 1, filter: {} },
    { import_id: 99 },
    { filter: { ids: [8] } },
    { filter: { ids: [6] } },
    { filter: { search: 'moon' } },
    { filter: { supplier_id: 'x', product_id: 'x', ids: 'x', search: 5 }, name: 5 },
    { import_id: 'x' },
  ])
    await begin(body)
}

async function scans() {
  tape.title('Scans: expected, expected and in stock, of other items, unknown, and codes that are no identifier')
  await quietly(() => run(`update stock set status = 'In Stock' where id = 3`))
  await scan(1, [imei(1)])
  await scan(1, [
    imei(101),
    imei(2).slice(0, 14),
    imei(1),
    'sn-3000',
    imei(4),
    '#8',
    imei(99),
    `${imei(99).slice(0, 14)}07`,
  ])
  await scan(
    1,
    [
      '4006381333931',
      '#99',
      '89049032000000000000000000000009',
      '',
      `${imei(5).slice(0, 14)}${(Number(imei(5)[14]) + 1) % 10}`,
    ],
    other,
  )
  await scan(1, [imei(99), 'LATER-1'], other)
  await scan(1, [imei(7), 'LATER-1'])
  await user.get(`${base}/1`)
  for (const show of ['missing', 'unexpected', 'twice', 'received', ''])
    await user.get(`${base}/1?show=${show}&per_page=3`)
  await user.get(`${base}/1?show=unexpected&per_page=1&page=2`)
  await user.get(`${base}/1?show=x`)
  await user.get(`${base}/99`)
  await user.get(`${base}/x`)

  tape.title('An unknown code that has become an item’s, and an item that is expected and sent back')
  await quietly(() => scan(2, ['LATER-1'], quiet))
  await item({ serial_number: 'LATER-1', status: 'In Stock' })
  await scan(1, ['LATER-1'])
  await quietly(() => run('update delivery_check set expected = expected || 6 where id = 1'))
  await scan(1, [imei(6)])
  await scan(1, [])
  await scan(1, 'x')
  await scan(1, [5])
  await scan(99, [imei(1)])

  tape.title('The scanned items are received; those that are sold or deleted meanwhile are named')
  await quietly(() => run(`update stock set status = 'Deleted', in_hand = false where id = 2`))
  await act(1, 'receive')
  await scan(1, [imei(1)])
  await act(1, 'receive')
  await user.get(`${base}/1?show=received`)
  await user.get(`${base}/1/csv`)
  await user.post('/api/stock/bulk/1/undo')
  await quietly(() => run(`update stock set status = 'Inbound' where id = 3`))
  await scan(1, ['sn-3000'])
  await act(1, 'receive')
  await act(99, 'receive')

  tape.title('Checks are closed and opened again')
  await act(1, 'close')
  await act(1, 'close')
  await scan(1, [imei(1)])
  await act(1, 'receive')
  await act(1, 'reopen', {}, other)
  await act(1, 'reopen')
  await act(99, 'close')
  await act(99, 'reopen')
  await act(3, 'receive')
  await user.get(`${base}/3/csv`)
  await user.get(`${base}/99/csv`)
}

async function ofImports() {
  tape.title('Checks of imports')
  const head = 'imei,make,model,capacity,capacity_unit,category,purchase_price,status,supplier'
  const row = (n: number, status = 'Inbound') => `${imei(n)},Apple,iPad 9,1,TB,Phone,8,${status},Amber Ltd`
  const csv = (name: string, ...rows: string[]) => ({ csv: [head, ...rows].join('\n'), name })
  await quietly(async () => {
    await importCsv(tape.t, quiet, csv('delivery.csv', row(201), row(202), row(203, 'In Stock')))
    await importCsv(tape.t, quiet, csv('here.csv', row(204, 'In Stock')))
    await importCsv(tape.t, quiet, csv('gone.csv', row(205)))
    await run('update import set file_name = null where id = 3')
  })
  await begin({ import_id: 1 })
  await begin({ import_id: 1, name: 'Again' }, other)
  await begin({ import_id: 2 })
  await begin({ import_id: '3' })
  await scan(5, [imei(202)])
  await act(5, 'receive')
  await user.get('/api/stock/bulk/receivable?import_id=1')
  await act(5, 'close')
  await begin({ import_id: 1, name: 'The rest' })
  await act(5, 'reopen')
  await act(7, 'close')
  await act(5, 'reopen')
  await quietly(async () => {
    await quiet.post('/api/stock/import/history/3/undo')
  })
  await begin({ import_id: 3 })
  await act(6, 'close')
  await begin({ import_id: 3 })
  await act(6, 'reopen')
  await quietly(() => applyUndo(tape.t, 3))
  await scan(6, [imei(1)])
  await user.get(`${base}/6`)
  await act(6, 'close')
  await begin({ import_id: 3 })
  await quietly(async () => {
    await uploadCsv(quiet, csv('waiting.csv', row(206)))
  })
  await begin({ import_id: 4 })
}

async function lists() {
  await user.get(`${base}/4/csv`)

  tape.title('Lists of checks')
  await quietly(() => run(`update delivery_check set created_at = created_at - interval '1 day' where id = 5`))
  await user.get(`${base}/find?per_page=3`)
  const list = listIds(tape, quiet)
  for (const query of [
    ...[
      'order=id_asc',
      'order=created_at_desc',
      'order=created_at_asc&per_page=2&page=2',
      'search=hand',
      'search=%235',
      'state=open',
    ],
    ...[
      'state=closed',
      'state=open,closed',
      'state=x',
      'import_id=1',
      'import_id=1,3',
      'supplier_id=1',
      'supplier_id=2,1',
      'ids=5,2',
      'id=2',
    ],
  ])
    await list(`${base}/find?${query}`)
  await list('/api/stock/bulk/find?check_id=1')
  await list('/api/stock/bulk/find?check_id=5,1&kind=receive')
}
