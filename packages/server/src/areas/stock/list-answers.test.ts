import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { listIds } from '../../testing/list-ids.ts'

// Lists, searches and files of stock, quick orders and scans, compared with `list-answers.txt`. `npm run words` stores
// it anew.

let tape: Tape
let user: Client
let quiet: Client
let list: (url: string) => Promise<void>
let today: string
/** A time early on today's day in the company's zone. */
let made: string

const run = (sql: string, ...values: unknown[]) => tape.t.db.pool.query(sql, values)
const imei = (n: number) => {
  const first = `35600000${String(n).padStart(6, '0')}`
  return first + luhnCheckDigit(first)
}
const day = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10)

type Columns = Record<string, string | number | boolean | null | object>
/** The items in the order of their ids; `null` for a status means In Stock. */
const ITEMS = (): Columns[] => [
  {
    imei: imei(1),
    sales_price: 300,
    purchase_price: 250,
    purchase_date: day(30),
    supplier_id: 2,
    grade_id: 1,
    vat_id: 1,
  },
  { imei: imei(2), sales_price: null, purchase_price: 100, purchase_date: day(91), supplier_id: 1, grade_id: 3 },
  {
    ...{ imei: imei(3), imei2: imei(103), serial_number: 'AB-123 45', backstock_id: 'b-1', meid: 'A1000012345678' },
    ...{ eid: '89049032000000000000000000000001', sales_price: 500, purchase_price: 200, purchase_date: day(60) },
    ...{
      product: 2,
      supplier_id: 3,
      grade_id: 2,
      functional: 'minor faults',
      battery_health: 90,
      location: '=Shelf;+3',
    },
    ...{ network_locked: true, engineer_notes: 'One, "two"\nthree', purchase_currency: 'USD', fx_rate: 2 },
    ...{ attributes: { shelf: 'A1', Status: '=1', long: 'y'.repeat(205) }, grading_data: { screen: 'B' } },
  },
  {
    serial_number: 'SN100000',
    status: 'Inbound',
    purchase_price: 400,
    sales_price: 100,
    purchase_date: day(31),
    product: 3,
  },
  {
    imei: imei(5),
    status: 'In Batch',
    batch_id: 1,
    sales_price: 450,
    purchase_price: 50,
    purchase_date: day(61),
    product: 2,
  },
  {
    imei: imei(6),
    status: 'In Batch',
    batch_id: 2,
    sales_price: 300,
    purchase_price: 0,
    supplier_id: 2,
    attributes: { shelf: 'B2' },
  },
  { imei: imei(7), status: 'Deleted', in_hand: false, purchase_price: 20, backstock_id: 'SN100000', grade_id: 2 },
  {
    imei: imei(3),
    status: 'Deleted',
    in_hand: false,
    purchase_price: 30,
    sales_price: 10,
    vat_id: 2,
    purchase_date: day(90),
  },
  {
    imei: imei(9),
    serial_number: 'ab-123 46',
    purchase_price: 260,
    sales_price: 310,
    supplier_id: 1,
    meid: '99000012345678',
  },
  {
    serial_number: '12345678',
    status: 'Inbound',
    purchase_price: 70,
    sales_price: 700,
    supplier_id: 3,
    purchase_date: day(1),
  },
  { serial_number: 'XS777', status: 'Deleted', in_hand: false, purchase_price: 1, product: 3 },
  { serial_number: 'xs777', status: 'Deleted', in_hand: false, purchase_price: 2, product: 3 },
  { backstock_id: 'X 888', imei: imei(13), status: 'Deleted', in_hand: false, purchase_price: 3 },
  { backstock_id: 'x 888', imei: imei(14), status: 'Deleted', in_hand: false, purchase_price: 4 },
]

async function insert({ product = 1, ...columns }: Columns) {
  const row: Columns = {
    status: 'In Stock',
    actual_product_id: product,
    created_at: made,
    updated_at: made,
    ...columns,
  }
  const names = Object.keys(row)
  await run(`insert into stock (${names}) values (${names.map((_, n) => `$${n + 1}`)})`, ...Object.values(row))
}

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  quiet = await tape.t.user('ROLE_ADMIN')
  list = listIds(tape, quiet)
  const { rows } = await run(`
    select (now() at time zone time_zone)::date::text as day,
      ((now() at time zone time_zone)::date + interval '1 hour') at time zone time_zone as made from company`)
  today = rows[0].day
  made = rows[0].made
  await run('truncate grade restart identity cascade')
  await run(`insert into make (name) values ('Apple'), ('Samsung')`)
  await run(`insert into category (name) values ('=Phone'), ('Tablet')`)
  await run(`insert into colour (name) values ('Black')`)
  await run(`insert into grade (name, position) values ('B', 2), ('-A', 1), ('C 10', 2)`)
  await run(`insert into product (make_id, category_id, colour_id, model, capacity, capacity_unit, display_name) values
    (1, 1, 1, 'iPhone 13', 128, 'GB', 'Apple iPhone 13 128 GB Black'), (2, 1, null, '@Galaxy', null, null, 'Samsung @Galaxy'),
    (1, 2, null, 'iPad 9', 1, 'TB', 'Apple iPad 9 1 TB')`)
  await run(
    `insert into supplier (company_name, last_name) values ('Handel 13', 'Apple'), ('Amber Ltd', null), ('+Plus', null)`,
  )
  await run(`insert into vat (name, rate) values ('Standard', 2300), ('+Zero', 0)`)
  await run(`insert into batch (user_id, name, is_locked) values (1, 'Open', false), (1, '@Locked', true)`)
  await run(`insert into attribute_name (kind, name) values
    ('attribute', 'shelf 10'), ('attribute', 'Shelf 9'), ('attribute', 'shelf'), ('attribute', 'Status'), ('attribute', 'long'),
    ('grading', 'screen'), ('attribute', '=sum')`)
  for (const item of ITEMS()) await insert(item)
  const head = 'imei,make,model,capacity,capacity_unit,category,purchase_price'
  const rowOf = (number: string) => `${number},Apple,iPad 9,1,TB,Tablet,8`
  await importCsv(tape.t, quiet, { csv: [head, rowOf(imei(15)), rowOf(imei(5))].join('\n') })
  await tape.forgetChanges()
})
afterAll(() => tape.close())

test('lists of stock: the answers', async () => {
  await lists()
  await searches()
  await files()
  await codes()
  await manyItems()
  await expect(tape.text()).toMatchFileSnapshot('list-answers.txt')
})

const find = (query: string) => list(`/api/stock/find?${query}`)

async function lists() {
  tape.title('Rows of a list, with the columns that only some lists have')
  await user.get('/api/stock/find?ids=3,9')
  await user.get('/api/stock/find?ids=3,6&also=category,vat,age&further=shelf,grading_screen,Status,long,none')
  await user.get('/api/stock/find?ids=1,2&also=age')
  await user.get('/api/stock/find?ids=1,2&also=vat&order=id_asc')
  await user.get('/api/stock/find?quick=1&ids=3')
  await user.get('/api/stock/find?quick=1&search=AB-123&per_page=1')
  await user.get('/api/stock/find?per_page=2&page=2&status=Inbound,Sold,Deleted')

  tape.title('Orders, of all items, of some statuses, of those that a filter leaves, and page by page')
  const orders = ['id', 'status', 'purchase_price', 'sales_price', 'purchase_date', 'margin', 'supplier', 'grade']
  for (const order of orders)
    for (const way of ['asc', 'desc'])
      for (const query of ['', '&status=In+Stock', '&status=In+Stock,Inbound,In+Batch', '&make_id=1&search=apple'])
        await find(`order=${order}_${way}&per_page=20${query}`)
  for (const order of [
    'id_asc',
    'status_asc',
    'status_desc',
    'purchase_price_desc',
    'sales_price_desc',
    'sales_price_asc',
    'grade_asc',
  ])
    for (const page of [1, 2, 3, 4, 9]) await find(`order=${order}&per_page=4&page=${page}`)
  for (const page of [1, 2, 3, 4]) await find(`order=sales_price_desc&per_page=3&page=${page}&status=In+Stock,Deleted`)
  for (const page of [1, 2, 9]) await find(`search=apple&per_page=4&page=${page}`)
  for (const query of [
    '',
    '&page=2',
    '&status=In+Stock',
    '&status=Inbound',
    '&search=apple',
    '&order=sales_price_desc',
    '&status=Sold',
  ])
    await find(`ajax_id=3&per_page=3${query}`)
  await find('ajax_id=99&per_page=3')
  await find('ajax_id=3&quick=1&search=ab-123')
  await find('order=x')

  tape.title('Filters')
  for (const query of [
    ...['id=3', 'ids=9,1', 'ids=', 'batch_id=1', 'batch_id=1,2', 'supplier_id=1', 'supplier_id=1,2,3,99,98,97'],
    ...['product_id=2', 'product_id=2,3', 'make_id=2', 'make_id=1,2', 'grade_id=2', 'grade_id=1,3', 'age=0-30'],
    ...['age=31-60', 'age=61-90', 'age=over-90', 'age=0-30,over-90', 'unpriced=1', 'unpriced=0', 'price_from=310'],
    ...['price_to=310', 'price_from=300&price_to=300', 'network_locked=1', 'network_locked=0', 'status=Sold'],
    ...[
      'age=0-30&unpriced=1',
      'age=31-60&unpriced=0&status=In+Stock',
      'status=In+Stock&unpriced=1',
      'import=1',
      'import=9',
    ],
    ...[
      'supplier_id=2&grade_id=1',
      'product_id=1&network_locked=0&make_id=1',
      'product_id=2&search=apple',
      'supplier_id=',
    ],
    ...['status=x', 'age=x', 'unpriced=x', 'price_from=-1', 'batch_id=x', 'also=x', 'page=0'],
  ])
    await find(`per_page=20&${query}`)
  await find('per_page=251')
}

async function searches() {
  tape.title('Searches')
  const eid = '89049032000000000000000000000001'
  for (const search of [
    ...[
      '3',
      '#3',
      'item 3',
      'stock 3',
      'order 3',
      '99',
      imei(3),
      imei(103),
      imei(3).slice(0, 14),
      `${imei(3).slice(0, 14)}07`,
    ],
    ...[
      `${imei(3).slice(0, 14)}${(Number(imei(3)[14]) + 1) % 10}`,
      imei(3).replace(/^(.{6})(.*)/, '$1-$2'),
      `IMEI: ${imei(5)}`,
    ],
    ...[
      eid,
      `${eid.slice(0, 31)}2`,
      'A1000012345678',
      'AB-123 45',
      'ab-123',
      '123 45',
      '12345678',
      '1234',
      '12',
      'ab',
      'a',
    ],
    ...[
      'SN100000',
      '10000',
      'b-1',
      'apple',
      'APPLE ipad',
      'iphone 13',
      'iphone #3',
      'galaxy #3',
      '#3 iphone',
      'handel',
      'ha',
      '13',
    ],
    ...[
      'handel 13',
      'amber iphone',
      'plus galaxy 45',
      'apple handel',
      'galaxy ab-123',
      'ab-123 46',
      'plus',
      'ltd',
      '%',
      '_',
      '@',
      '@galaxy',
    ],
    ...[
      '356000 000003',
      '35600000',
      'moon',
      'moon apple',
      '1 tb',
      'xs777',
      'x 888',
      'ipad 9 plus',
      'sn100000 ipad',
      '10000 moon',
    ],
  ]) {
    const text = encodeURIComponent(search)
    await find(`per_page=20&search=${text}`)
    if (/[a-z]{3}|^3/.test(search)) await find(`per_page=20&quick=1&status=In+Stock&search=${text}`)
  }

  tape.title('Items that a search finds in other statuses')
  for (const query of [
    ...[
      'search=apple&status=In+Stock',
      'search=apple&status=In+Stock,Deleted',
      'search=apple',
      'status=Sold',
      'product_id=1&status=Inbound',
    ],
    ...[`search=${imei(3)}&status=In+Stock`, 'status=Inbound,In+Stock,In+Batch,Sold,Returned+to+Supplier,Deleted'],
  ])
    await user.get(`/api/stock/elsewhere?${query}`)
}

async function files() {
  tape.title('Files with items')
  const file = '/api/stock/export/csv'
  await user.get('/api/stock/further-columns')
  await wholeFile(`${file}?network_locked=0`)
  await wholeFile(file)
  await user.get(
    `${file}?status=In+Stock,Inbound&columns=id,status,product,purchase_price,sales_price,grade,supplier,batch,age,margin,margin_percent`,
  )
  await user.get(
    `${file}?search=galaxy&columns=imei,imei2,serial_number,backstock_id,functional,battery_health,category,location`,
  )
  await user.get(
    `${file}?ids=1,3&columns=purchase_date,vat,network_locked,notes,created_at,attr:shelf,attr:Status,attr:grading_screen,attr:none,id,id`,
  )
  await user.get(`${file}?status=Sold&columns=id`)
  await user.get(`${file}?columns=`.concat('&id=1'))
  for (const query of ['columns=x', 'columns=attr:', 'status=x', 'search=%00&product_id=x'])
    await user.get(`${file}?${query}`)
}

/** The file that an import reads. Its rows have no order, except that those of items in the shop come first. */
async function wholeFile(url: string) {
  const { status, body, headers } = await quiet.get(url)
  const [head, ...rows] = String(body).trim().replace('\nthree', ' three').split('\n')
  const numberOf = (row: string) => Number(row.split(',')[0])
  const left = (row: string) => row.includes(',Deleted,')
  const firstLeft = rows.findIndex(left)
  tape.line(`GET ${url}: ${status} ${rows.length} rows, in the shop first: ${rows.slice(firstLeft).every(left)}`)
  tape.line(`${String(headers['content-disposition']).replace(today, '‹today›')} ${head}`)
  for (const row of rows.toSorted((a, b) => numberOf(a) - numberOf(b)))
    tape.line(
      row.replace(/\d{4}-\d{2}-\d{2}/, (date) => `today−${(Date.parse(today) - Date.parse(date)) / 86_400_000}`),
    )
}

async function codes() {
  tape.title('A quick order: what each pasted line means')
  const order = (lines: unknown) => user.post('/api/stock/quick-order-find', lines as object)
  await order({ lines: [imei(1), '', '  ', imei(2).slice(0, 14), imei(1)] })
  const { body } = await quiet.post('/api/stock/quick-order-find', {
    lines: [
      ...[
        imei(103),
        `${imei(3).slice(0, 14)}07`,
        'ab-12345',
        'AB-123 45',
        'B-1',
        'a1000012345678',
        '#3',
        '#99',
        '#0',
        `${imei(5)} x`,
      ],
      ...[
        '89049032000000000000000000000001',
        'sn100000',
        imei(7),
        'xs777',
        'X888',
        'x 888',
        'nothing',
        ' Nothing ',
        imei(77),
        imei(77).slice(0, 14),
      ],
      ...[
        `${imei(5).slice(0, 14)}${(Number(imei(5)[14]) + 1) % 10}`,
        `IMEI ${imei(6)}`,
        'y'.repeat(1001),
        'z'.repeat(300),
        '12345678',
        '#7',
      ],
    ],
  })
  for (const { line, id, sellable, reason } of body.data) tape.line(`${line}: #${id}, ${sellable}, ${reason}`)
  tape.line(`not found: ${body.not_found.join(' | ')}`)
  tape.line(`duplicates: ${body.duplicates.join(' | ')}`)
  await order([imei(1)])
  await order({ lines: ['nothing'] })
  await order({ lines: 'x' })
  await order({ lines: [5] })
  await order({})

  tape.title('Scans: the one item that each code means')
  const scan = (codes: unknown) => user.post('/api/stock/scan-find', { codes })
  await scan([imei(1), 'nothing', ''])
  const { body: scanned } = await quiet.post('/api/stock/scan-find', {
    codes: [
      ...[
        imei(3),
        imei(103),
        imei(7),
        '#3',
        '#99',
        'sn100000',
        'SSN100000',
        'b-1',
        'xs777',
        'x 888',
        '4006381333931',
        '12345678',
      ],
      ...[
        '89049032000000000000000000000001',
        '89049032000000000000000000000009',
        `]C1${imei(1)}`,
        `(01)04006381333931(21)SN100000`,
      ],
      ...[
        `${imei(5).slice(0, 14)}${(Number(imei(5)[14]) + 1) % 10}`,
        imei(5).slice(0, 14),
        'q'.repeat(301),
        '99000012345678',
        'ab-123 46',
      ],
      ...['0104006381333931', 'A1000012345678'],
    ],
  })
  for (const { code, item, message } of scanned.data)
    tape.line(`${code.slice(0, 40)}: ${item ? `#${item.id}` : 'none'} ${message ?? ''}`)
  for (const wrong of [undefined, 'x', [5]]) await scan(wrong)
}

/** With a thousand items, counters give the totals, and pages are read in the order of an index. */
async function manyItems() {
  tape.title('Lists of a thousand items')
  await run(
    `insert into stock (status, actual_product_id, supplier_id, grade_id, serial_number, purchase_price, sales_price, purchase_date,
       created_at)
     select case when n % 4 = 0 then 'In Stock' else 'Inbound' end::stock_status, 1 + n % 2, 1, 1, 'MANY' || n, n % 7,
       case when n % 3 > 0 then n % 11 end, $1::date, $2
     from generate_series(1, 3000) n`,
    day(45),
    made,
  )
  for (const query of [
    ...[
      'product_id=1',
      'product_id=1&network_locked=0',
      'make_id=2',
      'make_id=2&order=id_asc',
      'product_id=2&ajax_id=20',
      'age=31-60',
    ],
    ...[
      'age=31-60&status=Inbound,In+Stock',
      'age=31-60&unpriced=1&status=Inbound',
      'unpriced=0&status=Inbound',
      'unpriced=1&status=Inbound&order=id_asc',
    ],
    ...[
      'supplier_id=1',
      'supplier_id=1&grade_id=1&status=Inbound',
      'grade_id=1&order=id_asc',
      'product_id=1&search=many',
      'product_id=1,2&page=300',
    ],
    ...[
      'status=Inbound',
      'status=Inbound,In+Stock&order=sales_price_desc&page=300',
      'search=samsung&order=id_desc',
      'search=samsung+many',
    ],
    ...['network_locked=0&order=purchase_price_desc', 'price_from=10', 'age=0-30', 'age=0-30&status=Inbound'],
  ])
    await find(`per_page=5&${query}`)
  for (const query of ['search=samsung&status=Sold', 'product_id=1&status=In+Stock'])
    tape.line(JSON.stringify((await quiet.get(`/api/stock/elsewhere?${query}`)).body.data))

  tape.title('Notes in lists that are longer than a page')
  await run(`update stock set engineer_notes = repeat('n', 201) where id = 1`)
  await run(`update stock set engineer_notes = repeat('n', 200) where id = 2`)
  const lines = Array.from({ length: 252 }, (_, n) => `#${n + 1}`)
  for (const asked of [lines.slice(0, 250), lines.slice(0, 251)]) {
    const { body } = await quiet.post('/api/stock/quick-order-find', { lines: asked })
    const items = asked.map((line) => Number(line.slice(1)))
    const basket = (await quiet.put(`/api/user/${quiet.id}/basket`, { items })).body
    for (const { data } of [body, basket])
      tape.line(
        data
          .slice(0, 2)
          .map(({ engineer_notes }: { engineer_notes: string }) => `${engineer_notes.length} ${engineer_notes.at(-1)}`)
          .join(', '),
      )
  }
}
