import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { LABEL_FIELDS } from '@backstock/contract/label-text.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { textOnLabels } from '../../testing/printed-labels.ts'
import { readSheet } from '../../testing/sheet.ts'

// Offers and labels, compared with `answers.txt`. `npm run words` stores it anew.

let tape: Tape
let user: Client
let quiet: Client

const run = async (sql: string, ...values: unknown[]) => (await tape.t.db.pool.query(sql, values)).rows
const imei = (n: number) => {
  const first = `35600000${String(n).padStart(6, '0')}`
  return first + luhnCheckDigit(first)
}
type Columns = Record<string, string | number | boolean | null>
let items = 0
async function item(columns: Columns = {}): Promise<void> {
  const row = {
    status: 'In Stock',
    actual_product_id: 1,
    purchase_price: 100,
    sales_price: 10_000,
    imei: imei(++items),
    ...columns,
  }
  const names = Object.keys(row)
  await run(`insert into stock (${names}) values (${names.map((_, n) => `$${n + 1}`)})`, ...Object.values(row))
}

beforeAll(async () => {
  tape = await openTape()
  user = await tape.person('Person')
  quiet = await tape.t.user('ROLE_ADMIN')
  await run('truncate grade restart identity cascade')
  await run(`update company set name = 'Phones Ltd', country_code = 'IE', address_1 = '1 Quay', city = 'Cork'`)
  await run(`insert into make (name) values ('Apple')`)
  await run(`insert into category (name) values ('Phone')`)
  await run(`insert into grade (name, position) values ('Grade B', 2), ('C', 2), ('A', 1)`)
  await run(`insert into product (make_id, category_id, model, display_name) values
    (1, 1, 'iPhone 13', 'Apple iPhone 13'), (1, 1, 'iPhone 9', 'Apple iPhone 9'), (1, 1, 'iPad', 'apple iPad')`)
  await run(`insert into batch (user_id, name) values (1, 'Pallet')`)
  await item({ grade_id: 2, location: 'Shelf 1', backstock_id: 'B-1' })
  await item({ grade_id: 1, sales_price: 12_345 })
  await item({ grade_id: 1, sales_price: 20_000 })
  await item({ grade_id: 1, sales_price: null })
  await item({ grade_id: 3, imei: null, serial_number: 'SN-5', backstock_id: 'ζ-5' })
  await item({ sales_price: null, actual_product_id: 2 })
  await item({ actual_product_id: 2, status: 'In Batch', batch_id: 1 })
  await item({ actual_product_id: 3, status: 'Inbound' })
  await item({ actual_product_id: 3, status: 'Deleted', in_hand: false })
  await item({ actual_product_id: 3, sales_price: 0 })
  await run(`insert into basket (user_id, items, version) values (1, '{9,5,1,7}', 1)`)
  await tape.forgetChanges()
})
afterAll(() => tape.close())

test('offers and labels: the answers', async () => {
  await offers()
  await labels()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function offers() {
  tape.title('Offers of what a list shows, of a batch, of items, and of a basket')
  for (const query of [
    ...[
      '',
      'status=In+Stock',
      'status=Inbound',
      'status=In+Batch,Deleted',
      'search=iphone',
      'grade_id=1',
      'batch_id=1',
      'id=9',
    ],
    ...[
      'ids=1,8,9,10',
      'ids=',
      'basket=1',
      'basket=1&status=In+Stock',
      'basket=0&product_id=2',
      'unpriced=1',
      'basket=x',
      'status=x',
    ],
  ])
    await user.get(`/api/offer?${query}`)

  tape.title('Offers as sheets')
  for (const query of [
    '',
    'prices=0',
    'unpriced=0&lang=de',
    'percent=-10.5',
    'product_id=3&lang=pl&percent=3',
    'status=Inbound',
  ]) {
    const { status, headers, raw } = await quiet.get(`/api/offer/xlsx?${query}`)
    const [{ today }] = (await run('select (now() at time zone time_zone)::date::text as today from company')) as [
      { today: string },
    ]
    const [year, month, day] = today.split('-') as [string, string, string]
    const dateless = (text: string) =>
      text
        .replaceAll(today, '‹today›')
        .replace(new RegExp(`\\d[^,]*${year}`), (date) =>
          date.includes(String(Number(day))) && month ? '‹today›' : date,
        )
    tape.line(
      `GET /api/offer/xlsx?${query}: ${status} ${headers['content-type']} ${dateless(String(headers['content-disposition']))}`,
    )
    for (const row of readSheet(raw).rows) tape.line(dateless(JSON.stringify(row)))
  }
  for (const query of ['percent=x', 'lang=xx', 'prices=x', 'status=x']) await user.get(`/api/offer/xlsx?${query}`)
  await user.get('/api/offer/pdf?lang=de&product_id=2')
  await user.get('/api/offer/pdf?percent=x')
}

async function labels() {
  tape.title('Labels: the lines on each, in their order')
  const sheet = { paper: 'a4-3x8', code: 'code128', fields: LABEL_FIELDS }
  const print = (body: object) => user.post('/api/stock/labels', { ...sheet, ...body })
  await importCsv(tape.t, quiet, {
    csv: `imei,make,model,category,purchase_price\n${imei(50)},Apple,iPhone 13,Phone,8\n${imei(51)},Apple,iPad,Phone,8`,
  })
  await uploadCsv(quiet, { csv: `imei,make,model,category,purchase_price\n${imei(52)},Apple,iPad,Phone,8` })
  await tape.forgetChanges()
  for (const body of [
    { items: [5, 1, 5] },
    { items: [4, 6], fields: ['identifier', 'price', 'grade'] },
    { items: '1', holds: 'backstock_id', code: 'qr', fields: [], first: 3 },
    {
      items: [1, 2],
      paper: 'own',
      width: 60,
      height: '20',
      dpi: 300,
      code: 'datamatrix',
      fields: ['shop', 'location', 'backstock_id'],
    },
    { import_id: 1, fields: ['identifier'] },
  ]) {
    const { status, headers, raw } = await quiet.post('/api/stock/labels', { ...sheet, ...body })
    tape.line(
      `POST /api/stock/labels ${JSON.stringify(body)}: ${status} ${headers['content-type']} ${headers['content-disposition']}`,
    )
    for (const { page, text, left, top } of await textOnLabels(raw))
      tape.line(`page ${page}, ${left.toFixed(1)} ${top.toFixed(1)}: ${text}`)
  }
  for (const body of [
    { items: [99] },
    { items: [99, 1, 98, 99] },
    { import_id: 2 },
    { import_id: 99 },
    {},
    { items: [1], import_id: 1 },
    { items: [1], paper: 'x', code: 'x', holds: 'x', fields: ['x'], first: 'x', dpi: 1 },
    { items: [1], paper: 'own', width: 5, height: 500 },
    { items: [1], paper: 'own' },
    { items: [1], first: 25 },
  ])
    await print(body)
}
