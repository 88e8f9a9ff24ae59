import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { newImei } from '../../testing/shop.ts'

// Tests that no row of a file is lost, and that no row is reported under another row's number.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
})
afterAll(() => t.close())

const HEADER = 'imei,make,model,category,purchase_price,engineer_notes'
const row = (notes: string, imei = newImei()) => `${imei},Apple,iPhone 13,Phones,100,${notes}`
const refusal = async (csv: string, delimeter = ',') => {
  const { status, body } = await uploadCsv(user, { csv, delimeter })
  expect([status, body.message]).toEqual([422, expect.stringContaining('quotation mark')])
  return body.data.errors.csv
}
type Detail = { row: number; type: string; message: string | Record<string, string> }
const detailsOf = async (csv: string, update_existing = '0'): Promise<Detail[]> =>
  (await importCsv(t, user, { csv, update_existing })).content.data.details

test('a stray quotation mark swallows no rows: the file is refused with the row that opens it', async () => {
  expect(await refusal([HEADER, row('"stray'), row(''), row('"ok"'), row(''), row('')].join('\n'))).toMatch(
    /^In row 2 /,
  )
  const ten = Array.from({ length: 10 }, (_, n) => row(['"A grade', '', '"Kratzer; Display"'][n % 5] ?? ''))
  expect(await refusal([HEADER, ...ten].join('\n').replaceAll(',', ';'), ';')).toMatch(/^In row 2 /)
  expect(await refusal([HEADER, row(''), row('"as new'), row('6.1')].join('\n'))).toMatch(/^In row 3 .*never closed/)
})

test('even if the cell that it opens is closed some rows later, by the mark of an inch', async () => {
  const inch = 'screen 6.1"'
  expect(await refusal([HEADER, row(''), row('"as new'), row(''), row(inch), row('')].join('\n'))).toMatch(/^In row 3 /)
  expect(await refusal([HEADER, row('"as new'), row(inch)].join('\n'))).toMatch(/^In row 2 /)
  const middle = 'imei,notes,box,make,model,category,purchase_price'
  const cells = (notes: string, box = '') => `${newImei()},${notes},${box},Apple,iPhone 13,Phones,100`
  expect(await refusal([middle, cells('"new'), cells('', 'open"'), cells('')].join('\n'))).toMatch(/^In row 2 /)
})

test('line breaks in notes are notes, and rows are numbered as a spreadsheet shows them', async () => {
  const csv = [
    HEADER,
    row('"two\nlines, one cell"'),
    row('', '123'),
    '',
    ',,,,,',
    row('"6.1"" and\r\nmore"'),
    row('', '4'),
  ]
  const details = await detailsOf(csv.join('\n'))
  expect(details.map((one) => [one.row, one.type]).sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
    [2, 'created'],
    [3, 'failed'],
    [6, 'created'],
    [7, 'failed'],
  ])
  const { rows } = await t.db.pool.query(`select engineer_notes from stock where engineer_notes like '%and%'`)
  expect(rows).toEqual([{ engineer_notes: '6.1" and\r\nmore' }])
})

test('notes of several lines are notes even if rows end with a delimiter, or lines begin with a day', async () => {
  const serials = ['WHOLE-1', 'WHOLE-2']
  const make = serials.map((serial) => `${serial},Apple,iPhone 13,Phones,100`)
  await detailsOf(['serial_number,make,model,category,purchase_price', ...make].join('\n'))
  const files = [
    'serial_number,engineer_notes\nWHOLE-1,"scratched\nbattery 80 %",\nWHOLE-2,"a\nb",',
    'serial_number,engineer_notes\nWHOLE-1,"came back\n2026-05-01, checked\n1/6/2026, cleaned"\nWHOLE-2,x',
    'serial_number,make,engineer_notes\nWHOLE-1,Apple,"one\nscreen, battery",\nWHOLE-2,Apple,y,',
  ]
  for (const file of files) expect((await detailsOf(file, '1')).map(({ type }) => type)).toEqual(['updated', 'updated'])
})

test('rows that end with a delimiter are swallowed no more than others', async () => {
  const file = (...ends: string[]) =>
    ['imei,box,engineer_notes', ...ends.map((end) => `${newImei()},${end},`)].join('\n')
  expect(await refusal(file('a,"new', 'b,6.1"', 'c,'))).toMatch(/^In row 2 /)
  expect(await refusal(file('a,', 'a,"new', 'b,', 'c",x'))).toMatch(/^In row 3 /)
})

test('names hold no line break', async () => {
  const [detail] = await detailsOf(
    `${HEADER},colour\n${newImei()},"App\nle","i\rPhone","Pho\u2028nes",1,"a\nb","Bl\nue"`,
  )
  const message = 'Must not hold a line break.'
  expect(detail!.message).toEqual({ make: message, model: message, category: message, colour: message })
})

test('a header is known by its plain name', async () => {
  const imei = newImei()
  const [detail] = await detailsOf(
    `\u200bI.M.E.I,MAKE,Model\u00a0,CATEGORY,Purchase Price,SalesPrice,engineer-notes,Network.Locked\n${imei},Apple,iPhone 13,Phones,100,200,x,yes`,
  )
  expect(detail).toMatchObject({ type: 'created' })
  const { rows } = await t.db.pool.query('select * from stock where imei = $1', [imei])
  expect(rows).toMatchObject([
    { purchase_price: 10_000, sales_price: 20_000, engineer_notes: 'x', network_locked: true, attributes: {} },
  ])
  const twice = await uploadCsv(user, { csv: 'imei,purchase_price,Purchase Price\n1,2,3' })
  expect([twice.status, twice.body.data.errors.csv]).toEqual([422, 'The column Purchase Price is there twice.'])
})

test('a column’s name may have 255 characters', async () => {
  const [imei, longest] = [newImei(), 'x'.repeat(255)]
  expect(await detailsOf(`${HEADER},${longest}\n${row('', imei)},y`)).toMatchObject([{ type: 'created' }])
  const { rows } = await t.db.pool.query('select attributes from stock where imei = $1', [imei])
  expect(rows).toEqual([{ attributes: { [longest]: 'y' } }])
})

test('a column without a name that has data is reported; an empty one is nothing', async () => {
  const [filled, empty] = [newImei(), newImei()]
  const details = await detailsOf(`${HEADER},,\n${row('', filled)},,lost\n${row('', empty)},,\u200b`)
  expect(details.map(({ type, message }) => [type, message])).toEqual([
    ['failed', { csv: "Column H has no name in the header, and here it has 'lost'." }],
    ['created', 'Created.'],
  ])
})

test('everything that is wrong with a row is told at once, and what a new row may have', async () => {
  const details = await detailsOf(
    `imei,status,make,category,capacity,purchase_price,supplier,vat,purchase_date,\n123,Lost,Apple,Phones,12,abc,Nobody,Nothing,2026-02-30,x,y\n${newImei()},Sold,Apple,Phones,,1,,,,`,
  )
  expect(details[0]!.message).toEqual({
    imei: 'An IMEI has 14 to 16 digits; this one has 3.',
    status: 'A new item is Inbound or In Stock.',
    model: 'This field is required.',
    capacity_unit: expect.any(String),
    purchase_price: expect.stringContaining("'abc'"),
    supplier: 'There is no supplier called Nobody.',
    vat: 'There is no VAT type called Nothing.',
    purchase_date: expect.any(String),
    csv: expect.stringMatching(/Column J .*more cells than the header/),
  })
  expect(details[1]!.message).toEqual({
    status: 'A new item is Inbound or In Stock.',
    model: 'This field is required.',
  })
})

test('a product that an earlier row makes is known, in whichever part of the file', async () => {
  const cells = (names: string, category: string) => `${newImei()},${names},${category},1`
  const head = 'imei,make,model,category,purchase_price'
  const many = Array.from({ length: 1000 }, () => cells('Zeta,Far', 'Phones'))
  const rows = [cells('Zeta,Near', ''), cells('Zeta,Near', 'Phones'), cells('zeta,NEAR', ''), ...many]
  const details = await detailsOf([head, ...rows, cells('ZETA,near', '')].join('\n'))
  expect(details.filter(({ type }) => type === 'failed')).toMatchObject([
    { row: 2, message: { category: 'A new product needs a category.' } },
  ])
  const { rows: products } = await t.db.pool.query(`select display_name from product where lower(model) = 'near'`)
  expect(products).toEqual([{ display_name: 'Zeta Near' }])
})
