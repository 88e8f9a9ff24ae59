import { gzipSync } from 'node:zlib'
import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { encoded } from '../../../testing/encoded.ts'
import { committed, previewed, replanned, uploadPreview } from '../../../testing/preview-upload.ts'
import { newImei, openShop, type Shop } from '../../../testing/shop.ts'
import { xlsxOf } from '../../../testing/xlsx.ts'

// Tests files as suppliers send them, from the upload to the stock, without any editing in between.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const imeis = (n: number) => Array.from({ length: n }, newImei)
const itemsOf = async (numbers: readonly string[]) =>
  (
    await t.db.pool.query(
      `select s.*, p.display_name, v.company_name as supplier, g.name as grade from stock s
       join product p on p.id = actual_product_id left join supplier v on v.id = supplier_id
       left join grade g on g.id = grade_id where imei = any($1) order by s.id`,
      [numbers],
    )
  ).rows
const failedRows = async (id: number): Promise<PreviewRow[]> =>
  (await user.get(`/api/stock/import/preview/${id}/rows?kind=failed&per_page=100`)).body.data
const succeeded = ({ content }: { content: { data: { successed_rows: number; failed_rows: number } } }) => [
  content.data.successed_rows,
  content.data.failed_rows,
]

test('titles above the header', async () => {
  const [a, b] = imeis(2)
  const csv = [
    'Foxway AB,,,',
    'Offer of week 47,,18.11.2026,',
    '',
    'Brand,Model,IMEI No.,Unit Price',
    `Apple,iPhone 13 128GB,${a},249.90`,
    `,Apple  iPhone 13 (128 GB),'${b},€ 199`,
  ].join('\r\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({
    ...{ delimiter: ',', header_row: 4, titles: ['Foxway AB', 'Offer of week 47 18.11.2026'], unknown: [] },
    counts: { new: 2, failed: 0 },
  })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([2, 0])
  expect(await itemsOf([a!, b!])).toMatchObject([
    { actual_product_id: shop.product, purchase_price: 24_990 },
    { actual_product_id: shop.product, purchase_price: 19_900 },
  ])
})

test('a file without a header: its first phone counts, and its columns are chosen by hand', async () => {
  const numbers = imeis(3)
  const csv = numbers.map((imei) => `${imei},Apple,iPhone 13,128 GB,Black,Phone,100.00`).join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ header_row: null, titles: [], total_rows: 3 })
  expect(preview.columns.map(({ name, field }) => [name, field])).toEqual([
    ['Column 1', 'imei'],
    ...[2, 3, 4, 5, 6, 7].map((n) => [`Column ${n}`, 'further']),
  ])
  const fields = ['make', 'model', 'capacity', 'colour', 'category', 'purchase_price']
  const mapping = fields.map((field, n) => ({ column: n + 1, field }))
  expect(await replanned(t, user, preview.import_id, { mapping })).toMatchObject({ counts: { new: 3, failed: 0 } })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([3, 0])
  expect(await itemsOf(numbers)).toHaveLength(3)
  // This file has no supplier either, but other columns: nothing is remembered for it.
  const other: ImportPreview = await previewed(t, user, { csv: `Apple,${imeis(1)[0]}\nApple,${imeis(1)[0]}` })
  expect(other.columns.map(({ field }) => field)).toEqual(['further', 'imei'])
  const chosen: ImportPreview = await previewed(t, user, { csv, header_row: '1' })
  expect(chosen).toMatchObject({ header_row: 1, total_rows: 2, top: [{ row: 1 }, { row: 2 }, { row: 3 }] })
})

test('without a header and without IMEIs no phone is taken for one, below a title and above a footer', async () => {
  const lines = [
    'SNQ1;Apple;€ 200,00;18.11.2026;libre',
    'SNQ2;Apple;1.249,90;#N/A;Unlocked',
    'SNQ3;Apple;300;;en panne',
  ]
  const footers = ['Prix hors taxes;;;;', 'Total;;1.749,90;;']
  for (const [titles, many] of [
    [['Foxway AB'], 3],
    [['Foxway AB', 'Offer 47'], 1],
  ] as const) {
    const csv = [...titles, ...lines.slice(0, many), ...footers].join('\n')
    for (const header_row of ['', 'none']) {
      const preview: ImportPreview = await previewed(t, user, { csv, header_row })
      const { delimiter, total_rows, columns } = preview
      expect([preview.header_row, delimiter, total_rows, columns.length]).toEqual([
        ...[null, ';', titles.length + many + 2, 5],
      ])
    }
  }
  // A file with one row is accepted too.
  for (const csv of [lines[0]!, 'SNQ1;Apple;iPhone 13;Black'])
    expect(await previewed(t, user, { csv })).toMatchObject({ header_row: null, total_rows: 1 })
  // A row with only words may be a header, so the first row is one, unless a person says that the file has none.
  const words = 'SNQ1;Apple;iPhone 13;Black\nSNQ2;Apple;iPhone 13;Blue'
  expect(await previewed(t, user, { csv: words })).toMatchObject({ header_row: 1, total_rows: 1 })
  expect(await previewed(t, user, { csv: words, header_row: 'none' })).toMatchObject({
    header_row: null,
    total_rows: 2,
  })
})

test('a price column that only the right encoding makes known has the currency of its name', async () => {
  const lines = [
    'Marca;Modelo;Código IMEI;Precio (GBP)',
    ...['£ 10', '20'].map((price) => `Apple;A;${newImei()};${price}`),
  ]
  const csv = encoded(lines.join('\n'), 'windows-1252')
  const wrong: ImportPreview = await previewed(t, user, { csv, encoding: 'windows-1250' })
  expect([wrong.columns[3]?.field, wrong.defaults]).toEqual(['further', {}])
  const right: ImportPreview = await replanned(t, user, wrong.import_id, { encoding: 'windows-1252' })
  expect([right.columns[3]?.field, right.defaults]).toEqual(['purchase_price', { purchase_currency: 'GBP' }])
})

test('two further columns of one name are both kept', async () => {
  const [imei] = imeis(1)
  const csv = `IMEI;Brand;Model;Storage;Category;Cost;Accessory;Accessory\n${imei};Apple;iPhone 13;128 GB;Phone;1;Box;Charger`
  const { import_id, columns }: ImportPreview = await previewed(t, user, { csv })
  expect(columns.slice(6)).toMatchObject([
    { name: 'Accessory', field: 'further' },
    { name: 'Accessory 2', field: 'further' },
  ])
  await replanned(t, user, import_id, { mapping: [{ column: 7, field: 'further' }] })
  expect(succeeded(await committed(t, user, import_id))).toEqual([1, 0])
  expect(await itemsOf([imei!])).toMatchObject([{ attributes: { Accessory: 'Box', 'Accessory 2': 'Charger' } }])
})

const PAGE = '<table border=1><tr><td>IMEI</td></tr></table>'
const OLD_XML =
  '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:x"><Worksheet/></Workbook>'
test.each<[string, string | Buffer, string]>([
  ['offer.xls', PAGE, 'This is a web page that is called .xls.'],
  ['offer.xlsx', `\ufeff\r\n <!DOCTYPE html><html>${PAGE}</html>`, 'This is a web page that is called .xlsx.'],
  ['offer.XLS', Buffer.from(`\ufeff<html>${PAGE}`, 'utf16le'), 'This is a web page that is called .xls.'],
  ['offer.xls', Buffer.from(`\ufeff<html>${PAGE}`, 'utf16le').swap16(), 'This is a web page that is called .xls.'],
  ['offer.xls', `<?xml version="1.0"?><html xmlns="x">${PAGE}</html>`, 'This is a web page that is called .xls.'],
  ['offer.xls', `<!-- made by us --><body>${PAGE}`, 'This is a web page that is called .xls.'],
  ['offer.xls', 'MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n', 'This is a web page that is called .xls.'],
  ['offer.csv', PAGE, 'This is a web page and not a CSV or Excel file.'],
  ['offer.xls', OLD_XML, 'This is XML that is called .xls.'],
  ['offer.xml', OLD_XML.split('\n').at(-1)!, 'This is XML and not a CSV or Excel file.'],
])('a web page or XML called %s is refused', async (name, csv, sentence) => {
  const { status, body } = await uploadPreview(user, { csv, name })
  expect([status, body.data.errors]).toEqual([
    422,
    { csv: `${sentence} Open it in a spreadsheet and save it as .xlsx.` },
  ])
})

test.each<[string, string | Buffer, string]>([
  ['a compressed file', gzipSync('IMEI;Price\n490154203237518;100'), 'This file is compressed. Unpack it first.'],
  ['a PDF', '%PDF-1.7\n', 'This is a PDF and not a CSV or Excel file.'],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'This is a picture and not a CSV or Excel file.'],
  ['a JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'This is a picture and not a CSV or Excel file.'],
  [
    'an old workbook',
    Buffer.from('d0cf11e0', 'hex'),
    'This is an old Excel workbook (.xls). Save it as .xlsx or as CSV first.',
  ],
  [
    'a workbook with a password',
    Buffer.concat([
      Buffer.from('d0cf11e0', 'hex'),
      Buffer.alloc(1024 * 1024 - 10),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    'This workbook is protected by a password. Save it without one first.',
  ],
])('%s that is called .csv is refused as such', async (_, csv, message) => {
  const { status, body } = await uploadPreview(user, { csv, name: 'offer.csv' })
  expect([status, body.data.errors]).toEqual([422, { csv: message }])
})

test('a cell that begins with a bracket makes no web page of a file', async () => {
  const { columns }: ImportPreview = await previewed(t, user, { csv: '<none>;IMEI\nx;490154203237518' })
  expect(columns).toHaveLength(2)
  const commented = { csv: '<!-- our list -->\nIMEI;Price\n490154203237518;1' }
  expect((await previewed(t, user, commented)).columns).toMatchObject([{ field: 'imei' }, { field: 'purchase_price' }])
})

test('a capacity in the model’s name and in its own column is one', async () => {
  const [a, b] = imeis(2)
  const head = 'Brand,Model,Storage,Color,Category,IMEI,Unit cost EUR excl. VAT'
  const rows = [`Apple,Apple iPhone 99 256GB,256 GB,Blue,Phone,${a},100`, `Apple,iPhone 99,256,Blue,Phone,${b},100`]
  const preview: ImportPreview = await previewed(t, user, { csv: [head, ...rows].join('\n') })
  expect(preview.counts).toMatchObject({ new: 2, failed: 0 })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([2, 0])
  const [one, other] = await itemsOf([a!, b!])
  expect(one!.actual_product_id).toBe(other!.actual_product_id)
})

test('prices with points for thousands; what may be read in two ways is read as the others are', async () => {
  const numbers = imeis(4)
  const prices = ['1.249,90', '1.234', '99,5 €', '2.000,-']
  const csv = ['Brand;Model;IMEI;Price', ...numbers.map((imei, n) => `Apple;iPhone 13 128GB;${imei};${prices[n]}`)]
  const { import_id, decimal }: ImportPreview = await previewed(t, user, { csv: csv.join('\n') })
  expect(decimal).toBe(',')
  expect(succeeded(await committed(t, user, import_id))).toEqual([4, 0])
  expect((await itemsOf(numbers)).map((item) => item.purchase_price)).toEqual([124_990, 123_400, 9950, 200_000])
})

test('while nothing tells how prices are written, none is read as a thousandth of itself', async () => {
  const [imei] = imeis(1)
  const csv = `Brand;Model;IMEI;Price\nApple;iPhone 13 128GB;${imei};1.234\n`
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ decimal: null, asked: ['decimal'], counts: { new: 0, failed: 1 } })
  expect(preview.reasons).toMatchObject([{ field: 'purchase_price', message: expect.stringContaining("'1.234'") }])
  expect(await replanned(t, user, preview.import_id, { decimal: ',' })).toMatchObject({ counts: { new: 1 } })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([1, 0])
  expect(await itemsOf([imei!])).toMatchObject([{ purchase_price: 123_400 }])
})

test('dates, yes and no, and a VAT rate as Germans write them', async () => {
  const [a, b] = imeis(2)
  const csv = [
    'Hersteller;Modell;Speicher;IMEI-Nr.;EK;Kaufdatum;SIM-Lock;MwSt.;Funktion;Akku',
    `Apple;iPhone 13;128 GB;${a};249,90;18.11.2026;WAHR;23%;funktioniert;87 %`,
    `Apple;iPhone 13;128GB;${b};249,90;3. März 2026;FALSCH;23,0 %;defekt;100`,
  ].join('\r\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ counts: { new: 2, failed: 0 }, unknown: [] })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([2, 0])
  const vat = { vat_id: shop.vat.standard }
  expect(await itemsOf([a!, b!])).toMatchObject([
    { ...vat, purchase_date: '2026-11-18', network_locked: true, functional: 'working', battery_health: 87 },
    { ...vat, purchase_date: '2026-03-03', network_locked: false, functional: 'faulty', battery_health: 100 },
  ])
})

test('a battery’s 1 is 100% in a column of shares, and 1% beside other percentages', async () => {
  for (const [cells, health] of [
    [
      ['0.87', '1', '1,00', '0.01', 'n/a'],
      [87, 100, 100, 1, null],
    ],
    [
      ['87', '1', '0.9'],
      [87, 1, 90],
    ],
    [
      ['1', '1'],
      [1, 1],
    ],
  ] as const) {
    const numbers = imeis(cells.length)
    const rows = cells.map((cell, n) => `${numbers[n]};Apple;iPhone 13;128 GB;10;${cell}`)
    const csv = ['IMEI;Brand;Model;Capacity;Price;Battery', ...rows].join('\n')
    const { import_id } = await previewed(t, user, { csv })
    await committed(t, user, import_id)
    expect((await itemsOf(numbers)).map(({ battery_health }) => battery_health)).toEqual(health)
  }
})

test('a column that says the opposite turns no phone round, and the preview shows what each becomes', async () => {
  const languages = [
    ['Unlocked', 'yes', 'no', 'Locked to EE', 'Unlocked'],
    ['Simlockvrij', 'ja', 'nee', 'gelockt', 'vrij'],
    ['SIM-Lock: frei', 'Ja', 'Nein', 'gesperrt', 'frei'],
    ['Désimlocké', 'oui', 'non', 'verrouillé', 'libre'],
    ['Libre', 'sí', 'no', 'bloqueado', 'liberado'],
    ['Sbloccato', 'sì', 'no', 'bloccato da TIM', 'libero'],
    ['Bez simlocka', 'tak', 'nie', 'zablokowany', 'odblokowany'],
  ] as const
  for (const [name, ...cells] of languages) {
    const numbers = imeis(4)
    const faulty = ['no', 'yes', 'defekt', 'OK']
    const csv = [
      `Brand;Model;IMEI;Price;${name};Faulty`,
      ...numbers.map((imei, n) => `Apple;iPhone 13 128GB;${imei};10;${cells[n]};${faulty[n]}`),
    ].join('\n')
    const preview: ImportPreview = await previewed(t, user, { csv })
    expect(preview.columns.slice(4).map(({ field }) => field)).toEqual(['network_unlocked', 'faulty'])
    const { data } = (await user.get(`/api/stock/import/preview/${preview.import_id}/rows`)).body
    const wanted = [
      { network_locked: false, functional: 'working' },
      { network_locked: true, functional: 'faulty' },
      { network_locked: true, functional: 'faulty' },
      { network_locked: false, functional: 'working' },
    ]
    expect([name, ...data.map(({ becomes }: PreviewRow) => becomes)]).toMatchObject([name, ...wanted])
    await committed(t, user, preview.import_id)
    expect([name, ...(await itemsOf(numbers))]).toMatchObject([name, ...wanted])
  }
})

test('if a list ticks the unlocked phones, the others are locked; a mark beside yes and no is asked', async () => {
  let told: unknown[] = []
  const file = (name: string, cells: readonly string[]) =>
    [`Brand,Model,IMEI,Price,${name}`, ...cells.map((cell) => `Apple,iPhone 13 128GB,${newImei()},10,${cell}`)].join(
      '\n',
    )
  const becomes = async (name: string, cells: readonly string[], field?: string) => {
    let preview: ImportPreview = await previewed(t, user, { csv: file(name, cells) })
    const { import_id } = preview
    if (field) preview = await replanned(t, user, import_id, { mapping: [{ column: 4, field }] })
    told = preview.notes.map(({ kind, count, where }) => [kind, count, ...where])
    const { data } = (await user.get(`/api/stock/import/preview/${import_id}/rows`)).body
    return data.map((row: PreviewRow) => row.becomes?.network_locked ?? row.kind)
  }
  expect(await becomes('Unlocked', ['x', '', 'x'])).toEqual([false, true, false])
  expect(told).toEqual([['blank_locked', 1, 'Unlocked']])
  expect(await becomes('SIM lock', ['', 'x', ''])).toEqual([false, true, false])
  expect(told).toEqual([['blank_unlocked', 2, 'SIM lock']])
  expect(await becomes('SIM lock', ['yes', 'x', 'no'])).toEqual([true, 'failed', false])
  expect(told).toEqual([])
  // Too many cells are doubtful for the column to be recognised, so a person chooses its field.
  const inDoubt = ['', 'x', 'iCloud locked', '']
  expect(await becomes('Désimlocké', inDoubt, 'network_unlocked')).toEqual([true, false, 'failed', true])
  expect(told).toEqual([['blank_locked', 2, 'Désimlocké']])
  expect(await becomes('SIM lock', inDoubt, 'network_locked')).toEqual([false, true, 'failed', false])
  // If no cell has a mark, the column ticks nothing, and a note says so. A column that is wholly empty needs no note.
  expect(await becomes('Unlocked', ['', 'iCloud locked'], 'network_unlocked')).toEqual([false, 'failed'])
  expect(told).toEqual([['blank_unlocked', 1, 'Unlocked']])
  expect(await becomes('SIM lock', ['', ''], 'network_locked')).toEqual([false, false])
  expect(told).toEqual([])
  // If one cell says no, the column does not tick items, so an empty cell says nothing.
  expect(await becomes('Unlocked', ['yes', '', 'no'])).toEqual([false, false, true])
  expect(told).toEqual([['blank_unlocked', 1, 'Unlocked']])
})

test('a person may say that a column is the opposite; it takes the field from the column that had it', async () => {
  const csv = (imei: string) =>
    `imei,make,model,capacity,capacity_unit,purchase_price,SIM lock,X\n${imei},Apple,iPhone 13,128,GB,1,no,no`
  const preview: ImportPreview = await previewed(t, user, { csv: csv(newImei()) })
  const mapping = [{ column: 7, field: 'network_unlocked' }]
  const { columns } = await replanned(t, user, preview.import_id, { mapping })
  expect(columns.slice(6).map(({ field }: { field: string }) => field)).toEqual([null, 'network_unlocked'])
  const { data } = (await user.get(`/api/stock/import/preview/${preview.import_id}/rows`)).body
  expect(data).toMatchObject([{ becomes: { network_locked: true } }])
  const both = [...mapping, { column: 6, field: 'network_locked' }]
  const refused = await user.patch(`/api/stock/import/preview/${preview.import_id}`, { mapping: both })
  expect(refused.body.data.errors).toEqual({ 'mapping.1.field': 'Another column has this meaning already.' })
})

test('the code page of Central Europe', async () => {
  const [imei] = imeis(1)
  const text = `Marka;Model;Pamięć;Kategoria;Numer IMEI;Cena zakupu;Uwagi\nApple;Świt;64 GB;Phone;${imei};1 249,90;pęknięta szyba, żółta\n`
  const preview: ImportPreview = await previewed(t, user, { csv: encoded(text, 'windows-1250') })
  expect(preview).toMatchObject({
    encoding: 'windows-1250',
    counts: { new: 1, failed: 0 },
    unknown: [{ field: 'product', seen: 'Apple Świt 64 GB', is_made: true }],
  })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([1, 0])
  expect(await itemsOf([imei!])).toMatchObject([
    { display_name: 'Apple Świt 64 GB', purchase_price: 124_990, engineer_notes: 'pęknięta szyba, żółta' },
  ])
})

test('the code page of Greece, known by its words or chosen', async () => {
  const [imei] = imeis(1)
  const text = `IMEI;Μάρκα;Model;Storage;Category;Price;Σημειώσεις\n${imei};Apple;Αστέρι;64 GB;Phone;249,90;ραγισμένη οθόνη\n`
  const csv = encoded(text, 'windows-1253')
  const { import_id, encoding }: ImportPreview = await previewed(t, user, { csv, encoding: 'windows-1252' })
  expect(encoding).toBe('windows-1252')
  const chosen: ImportPreview = await replanned(t, user, import_id, { encoding: 'windows-1253' })
  expect(chosen.columns.map(({ name }) => name)).toContain('Σημειώσεις')
  const { columns, ...preview }: ImportPreview = await previewed(t, user, { csv })
  expect([preview.encoding, columns]).toEqual(['windows-1253', chosen.columns])
  const mapping = [
    { column: 1, field: 'make' },
    { column: 6, field: 'engineer_notes' },
  ]
  expect(await replanned(t, user, preview.import_id, { mapping })).toMatchObject({ counts: { new: 1 } })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([1, 0])
  expect(await itemsOf([imei!])).toMatchObject([
    { display_name: 'Apple Αστέρι 64 GB', purchase_price: 24_990, engineer_notes: 'ραγισμένη οθόνη' },
  ])
})

const BOOK = ['IMEI', 'Serial', 'Brand', 'Model', 'Storage', 'Colour', 'Category', 'Cost', 'Sale price', 'Notes']
const bookRow = (imei: string, colour: string | null = 'Black') => [
  ...[imei, '', 'Acme', 'One', '128 GB', colour, 'Phone', 100, 150, ''],
]
const bookOf = (rows: (string | number | null)[][], changed: (xml: string) => string) =>
  xlsxOf([BOOK, ...rows], [], changed)

test('a workbook shows otherwise what is read: hidden rows, formulas, merged cells and errors are told', async () => {
  const [a, b, c] = imeis(3)
  const formula = '<c r="I3"><f>H3*1.5</f></c>'
  const error = '<c r="F4" t="e"><v>#N/A</v></c>'
  const csv = bookOf([bookRow(a!), [...bookRow(b!).slice(0, 8), formula], bookRow(c!, error)], (xml) =>
    xml.replace(/(<row>.*?<row>.*?)<row>/, '$1<row hidden="1">'),
  )
  const preview: ImportPreview = await previewed(t, user, { csv, name: 'stock.xlsx' })
  expect(preview).toMatchObject({
    counts: { new: 3, failed: 0 },
    leaves_out_hidden: false,
    notes: [
      { kind: 'hidden_rows', count: 1, where: [] },
      { kind: 'no_result', count: 1, where: ['I3'] },
      { kind: 'errors', count: 1, where: ['4'] },
    ],
  })
  const seen: ImportPreview = await previewed(t, user, { csv, name: 'stock.xlsx', leaves_out_hidden: 'true' })
  expect(seen).toMatchObject({
    ...{ counts: { new: 2, failed: 0 }, total_rows: 2, leaves_out_hidden: true },
    notes: [{ kind: 'hidden_rows', count: 1 }, { kind: 'errors' }],
  })
  expect(succeeded(await committed(t, user, seen.import_id))).toEqual([2, 0])
  expect(await itemsOf([a!, b!, c!])).toHaveLength(2)
})

test('a date that a spreadsheet made of a serial number is none, however its cell shows it', async () => {
  const numbers = imeis(3)
  const asDate = (style: number) => `<c s="${style}"><v>46344</v></c>`
  const rows = numbers.map((imei, n) => bookRow(imei).with(1, asDate(n)))
  const csv = xlsxOf([BOOK, ...rows], [14, 16])
  const { import_id, counts }: ImportPreview = await previewed(t, user, { csv, name: 'stock.xlsx' })
  expect(counts).toMatchObject({ new: 1, failed: 2 })
  const message = '2026-11-18 is a date and not a serial number: format the column as text and export it again.'
  expect((await failedRows(import_id)).map(({ row, errors }) => [row, errors])).toEqual([
    [3, { serial_number: message }],
    [4, { serial_number: message }],
  ])
})

test('a colour that is merged over several rows is the colour of each', async () => {
  const numbers = imeis(3)
  const csv = bookOf(
    numbers.map((imei, n) => bookRow(imei, n === 0 ? 'Red' : null)),
    (xml) => xml.replace('</sheetData>', '</sheetData><mergeCells><mergeCell ref="F2:F4"/></mergeCells>'),
  )
  const preview: ImportPreview = await previewed(t, user, { csv, name: 'stock.xlsx' })
  expect(preview.notes).toEqual([{ kind: 'merged', count: 2, where: ['F3', 'F4'] }])
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([3, 0])
  expect(new Set((await itemsOf(numbers)).map((item) => item.display_name))).toEqual(new Set(['Acme One 128 GB Red']))
})

test('an Excel file of 60 devices with strange headers and 12 faults, in at most eight actions', async () => {
  const numbers = imeis(60)
  const header = [
    '#',
    'Handset',
    'GB',
    'IMEI (15 digits)',
    'EK €',
    'Bought',
    'Optik',
    'Vendor name',
    'SIM?',
    'Anything else',
  ]
  // The faults: a supplier's name with a typing mistake, a grade that the shop does not have, wrong or lost digits, and
  // prices that cannot be read.
  const rows = numbers.map((imei, n) => [
    n + 1,
    n % 2 ? 'Apple iPhone 13 128GB' : 'iPhone  13',
    n % 2 ? '' : '128',
    n === 3 || n === 4
      ? imei.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
      : n === 5
        ? Number(`${imei}0`)
        : Number(imei),
    n === 6 || n === 7 ? 'on request' : 249.9,
    `<c s="1"><v>${46_344 + Math.min(n, 9)}</v></c>`,
    n >= 8 && n < 11 ? 'A1' : 'B',
    n >= 11 && n < 15 ? 'Foxwey' : 'Foxway',
    n % 3 ? 'unlocked' : 'locked',
    n === 0 ? 'scratched' : '',
  ])
  for (const name of ['Foxway', 'Other'])
    expect((await user.post('/api/supplier/create', { company_name: name })).status).toBe(201)
  const xlsx = xlsxOf([['OFFER 2026/47'], [], header, ...rows], [14])

  let actions = 1
  const change = (id: number, changes: object): Promise<ImportPreview> => {
    actions++
    return replanned(t, user, id, changes)
  }
  const first: ImportPreview = await previewed(t, user, { csv: xlsx, name: 'offer.xlsx' })
  expect(first).toMatchObject({ format: 'xlsx', sheet: 'Stock', header_row: 3, total_rows: 60 })
  expect(Object.fromEntries(first.columns.map(({ name, field }) => [name, field]))).toEqual({
    '#': 'further',
    Handset: 'model',
    GB: 'capacity',
    'IMEI (15 digits)': 'imei',
    'EK €': 'purchase_price',
    Bought: 'further',
    Optik: 'further',
    'Vendor name': 'supplier',
    'SIM?': 'further',
    'Anything else': 'further',
  })
  const column = (name: string) => header.indexOf(name)
  const id = first.import_id
  await change(id, {
    mapping: [
      { column: column('#'), field: null },
      { column: column('Bought'), field: 'purchase_date' },
      { column: column('Optik'), field: 'grade' },
      { column: column('SIM?'), field: 'network_locked' },
      { column: column('Anything else'), field: 'engineer_notes' },
    ],
  })
  const named = await change(id, { defaults: { make: 'Apple' } })
  expect(named.counts).toEqual({ new: 48, updated: 0, unchanged: 0, failed: 12 })
  const shortened = (await failedRows(id)).flatMap(({ row, errors }) =>
    errors['imei']?.includes('A spreadsheet has shortened') ? row : [],
  )
  expect(shortened).toEqual([9])
  await change(id, { values: [{ field: 'supplier', seen: 'Foxwey', means: 'Foxway' }] })
  await change(id, { values: [{ field: 'grade', seen: 'A1', means: 'A' }] })
  const cell = (n: number, name: string, value: string) => ({ row: n + 4, column: column(name), value })
  const mended = await change(id, {
    cells: [
      ...[3, 4, 5].map((n) => cell(n, 'IMEI (15 digits)', numbers[n]!)),
      ...[6, 7].map((n) => cell(n, 'EK €', '199,-')),
    ],
  })
  expect(mended).toMatchObject({ counts: { new: 60, failed: 0 } })
  actions++
  expect(succeeded(await committed(t, user, id))).toEqual([60, 0])
  expect(actions).toBeLessThanOrEqual(8)

  const items = await itemsOf(numbers)
  expect(items).toHaveLength(60)
  expect(new Set(items.map((item) => `${item.display_name}, ${item.supplier}`))).toEqual(
    new Set(['Apple iPhone 13 128 GB, Foxway']),
  )
  const [zero, , , , , , , seven, , nine] = items.sort((a, b) => a.purchase_date.localeCompare(b.purchase_date))
  expect([zero, seven, nine]).toMatchObject([
    {
      purchase_date: '2026-11-18',
      purchase_price: 24_990,
      grade: 'B',
      network_locked: true,
      engineer_notes: 'scratched',
    },
    { purchase_date: '2026-11-25', purchase_price: 19_900, grade: 'B', network_locked: false },
    { purchase_date: '2026-11-27', purchase_price: 24_990, grade: 'A', network_locked: true },
  ])
})

test('dates with the month first are read so if some can be nothing else, and none says the contrary', async () => {
  const dates = ['03/04/2026', '11/18/2025', '1/2/2026 10:30']
  const file = (numbers: readonly string[], days: readonly string[]) =>
    [
      'imei;make;model;capacity;capacity_unit;purchase_price;purchase_date',
      ...numbers.map((imei, n) => `${imei};Apple;iPhone 13;128;GB;10;${days[n]}`),
    ].join('\n')
  const numbers = imeis(3)
  const { import_id: id } = await previewed(t, user, { csv: file(numbers, dates) })
  expect(succeeded(await committed(t, user, id))).toEqual([3, 0])
  expect((await itemsOf(numbers)).map((one) => one.purchase_date)).toEqual(['2026-03-04', '2025-11-18', '2026-01-02'])

  // A spreadsheet may have turned day and month of some dates around.
  const others = imeis(3)
  const mixed = await previewed(t, user, { csv: file(others, ['03/04/2026', '11/18/2025', '2026-04-03']) })
  expect(mixed).toMatchObject({ dates: null, asked: ['dates'], counts: { new: 1, failed: 2 } })
  expect(mixed.reasons).toMatchObject([{ field: 'purchase_date', rows: 2, asks: 'dates' }])
  const told = await replanned(t, user, mixed.import_id, { dates: 'month' })
  expect(told).toMatchObject({ dates: 'month', asked: [], counts: { new: 3 } })
  const mend = (value: string) => replanned(t, user, mixed.import_id, { cells: [{ row: 4, column: 6, value }] })
  expect(await mend('04/03/2062')).toMatchObject({ counts: { new: 2, failed: 1 } })
  const [bad] = await failedRows(mixed.import_id)
  expect(bad).toMatchObject({ row: 4, errors: { purchase_date: 'Must not be in the future.' } })
  expect(await mend('04/03/2026')).toMatchObject({ counts: { new: 3, failed: 0 } })
})

test('dates that may all be two days are asked for before anything is imported', async () => {
  const numbers = imeis(3)
  const head = 'imei;make;model;capacity;capacity_unit;purchase_price;purchase_date'
  const row = (imei: string, day: string) => `${imei};Apple;iPhone 13;128;GB;10;${day}`
  const csv = [head, ...['11/02/2026', '05/05/2026', '1/2/26'].map((day, n) => row(numbers[n]!, day))].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ dates: null, asked: ['dates'], counts: { new: 1, failed: 2 } })
  expect(preview.reasons).toMatchObject([{ field: 'purchase_date', rows: 2, asks: 'dates' }])
  const commit = await user.post(`/api/stock/import/preview/${preview.import_id}/commit`)
  expect([commit.status, commit.body.data.errors]).toEqual([422, { dates: preview.reasons[0]!.message }])
  const month = await replanned(t, user, preview.import_id, { dates: 'month' })
  expect(month).toMatchObject({ dates: 'month', asked: [], counts: { new: 3 } })
  const day = await replanned(t, user, preview.import_id, { dates: 'day' })
  expect(day).toMatchObject({ dates: 'day', asked: [], counts: { new: 3 } })
  await committed(t, user, preview.import_id)
  expect((await itemsOf(numbers)).map((one) => one.purchase_date)).toEqual(['2026-02-11', '2026-05-05', '2026-02-01'])
  // If no column is the purchase date, no date order is asked for.
  const other = await previewed(t, user, {
    csv: csv.replace('purchase_date', 'Sent').replaceAll(numbers[0]!, newImei()),
  })
  expect(other).toMatchObject({ dates: null, asked: [] })
})

test('nothing was bought in the future: such a day tells what stands first in the others', async () => {
  const { rows } = await t.db.pool.query(
    `select to_char(d, 'MM/DD/YYYY') as month, to_char(d, 'DD/MM/YYYY') as day, d::date::text as iso from (
       select max(d) as d from (
         select generate_series(today - 365, today, '1 day') as d, today
         from (select (now() at time zone time_zone)::date as today from company) c) days
       where extract(day from d) <= 12 and extract(day from d) > extract(month from d)
         and make_date(extract(year from d)::int, extract(day from d)::int, extract(month from d)::int) > today + 3) last`,
  )
  const [{ month, day, iso }] = rows
  // In the last weeks of a year, no past date has only one reading. The tests of the contract cover that case.
  if (!iso) return
  const head = 'imei;make;model;capacity;capacity_unit;purchase_price;purchase_date'
  for (const [order, first, second] of [
    ['month', month, '02/01/2024'],
    ['day', day, '01/02/2024'],
  ]) {
    const numbers = imeis(2)
    const csv = [head, ...[first, second].map((text, n) => `${numbers[n]};Apple;iPhone 13;128;GB;10;${text}`)].join(
      '\n',
    )
    const preview = await previewed(t, user, { csv })
    expect([order, preview]).toMatchObject([order, { dates: order, asked: [], counts: { new: 2 } }])
    await committed(t, user, preview.import_id)
    expect((await itemsOf(numbers)).map((one) => one.purchase_date)).toEqual([iso, '2024-02-01'])
  }
})

test('three places after a point that only other cells have told of may be thousands, and are asked for', async () => {
  const numbers = imeis(2)
  const csv = [
    'imei;make;model;capacity;capacity_unit;purchase_price',
    ...numbers.map((imei, n) => `${imei};Apple;iPhone 13;128;GB;${['12.50', '1.250'][n]}`),
  ].join('\n')
  const preview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ decimal: '.', asked: ['decimal'], counts: { new: 1, failed: 1 } })
  expect(preview.reasons).toMatchObject([{ field: 'purchase_price', asks: 'decimal' }])
  expect(await replanned(t, user, preview.import_id, { decimal: '.' })).toMatchObject({
    ...{ decimal: '.', asked: [], counts: { new: 2, failed: 0 } },
  })
})

test('a price whose sign says another currency than the column is no price', async () => {
  const numbers = imeis(2)
  const csv = [
    'imei;make;model;capacity;capacity_unit;purchase_price;purchase_currency',
    ...numbers.map((imei, n) => `${imei};Apple;iPhone 13;128;GB;${['€ 12.50', '$100'][n]};EUR`),
  ].join('\n')
  const preview = await previewed(t, user, { csv })
  expect(preview.counts).toMatchObject({ new: 1, failed: 1 })
  expect(await failedRows(preview.import_id)).toMatchObject([{ row: 3, errors: { purchase_price: expect.anything() } }])
})

test('only choices are remembered of files without a supplier, not the look of their cells', async () => {
  const [a, b] = imeis(2)
  const first = await previewed(t, user, {
    csv: `Number;Brand;Model;Price;Cond\n${a};Apple;iPhone 13 128GB;10;x`,
  })
  expect(first.columns[0]).toMatchObject({ field: 'imei', how: 'values' })
  await replanned(t, user, first.import_id, { mapping: [{ column: 4, field: 'engineer_notes' }] })
  await committed(t, user, first.import_id)
  const second = await previewed(t, user, {
    csv: `Number;IMEI;Brand;Model;Price;Cond\n1;${b};Apple;iPhone 13 128GB;10;y`,
  })
  expect(second.columns.map(({ field, how }: ImportPreview['columns'][number]) => [field, how])).toMatchObject([
    ['further', 'none'],
    ['imei', 'name'],
    ['make', 'alias'],
    ['model', 'name'],
    ['purchase_price', 'alias'],
    ['engineer_notes', 'remembered'],
  ])
  expect(second.counts).toMatchObject({ new: 1, failed: 0 })
})

test('the status and the date that one delivery was given are not given to the supplier’s next file', async () => {
  const [imei] = imeis(1)
  const supplier_id = String((await user.post('/api/supplier/create', { company_name: 'Statusful' })).body.data.id)
  const first = await previewed(t, user, {
    csv: `imei,make,model,capacity,capacity_unit,purchase_price\n${imei},Apple,iPhone 13,128,GB,10`,
    supplier_id,
  })
  const defaults = { status: 'Inbound', purchase_date: '2026-01-05', purchase_vat: 'Intra-Community' }
  await replanned(t, user, first.import_id, { defaults })
  await committed(t, user, first.import_id)
  expect(await itemsOf([imei!])).toMatchObject([{ status: 'Inbound', purchase_date: '2026-01-05' }])
  await t.db.pool.query(`update stock set status = 'In Stock' where imei = $1`, [imei])
  const prices = await previewed(t, user, { csv: `imei,sales_price\n${imei},20`, supplier_id, update_existing: 'true' })
  expect(prices.defaults).toEqual({ supplier: 'Statusful', purchase_vat: 'Intra-Community' })
  const { data } = (await user.get(`/api/stock/import/preview/${prices.import_id}/rows`)).body
  const changed = data[0].changes.map((change: { attributeName: string }) => change.attributeName)
  expect(changed).toEqual(['sales_price'])
})

test('the values that one supplier’s files lack are not taken along to another supplier', async () => {
  const made = async (company_name: string) =>
    (await user.post('/api/supplier/create', { company_name })).body.data.id as number
  const [one, other] = [await made('Rucksack'), await made('Tasche')]
  const csv = () => `imei,model,capacity,capacity_unit,purchase_price\n${newImei()},iPhone 13,128,GB,10`
  const first = await previewed(t, user, { csv: csv(), supplier_id: String(one) })
  await replanned(t, user, first.import_id, { defaults: { make: 'Apple', purchase_vat: 'Intra-Community' } })
  await committed(t, user, first.import_id)
  const next = await previewed(t, user, { csv: csv(), supplier_id: String(one) })
  await replanned(t, user, next.import_id, { defaults: { make: 'Samsung' } })
  const { defaults } = await replanned(t, user, next.import_id, { supplier_id: other })
  expect(defaults).toEqual({ supplier: 'Tasche', make: 'Samsung' })
  // A person has said that the phones are from another supplier than the file.
  await replanned(t, user, next.import_id, { defaults: { supplier: 'Rucksack' } })
  const back = await replanned(t, user, next.import_id, { supplier_id: null })
  expect(back.defaults).toEqual({ supplier: 'Rucksack', make: 'Samsung' })
})

test('a person tells two suppliers of one name apart by their numbers', async () => {
  const made = async (company_name: string) =>
    (await user.post('/api/supplier/create', { company_name })).body.data.id as number
  const [one, other] = [await made('Twin Phones'), await made('twin phones')]
  const numbers = imeis(2)
  const head = 'imei;make;model;capacity;capacity_unit;purchase_price;supplier'
  const csv = [head, ...numbers.map((imei) => `${imei};Apple;iPhone 13;128;GB;10;TWIN Phones`)].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({
    counts: { failed: 2 },
    unknown: [{ field: 'supplier', seen: 'TWIN Phones', rows: 2, is_made: false, is_ambiguous: true }],
  })
  const names = [`Twin Phones #${one}`, `twin phones #${other}`]
  expect(preview.unknown[0]!.nearest.slice(0, 2).map(({ name }) => name)).toEqual(names)
  const values = [{ field: 'supplier', seen: 'TWIN Phones', means: names[1] }]
  expect(await replanned(t, user, preview.import_id, { values })).toMatchObject({ counts: { new: 2 }, unknown: [] })
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([2, 0])
  const suppliers = async (imei: string) =>
    (await t.db.pool.query('select supplier_id from stock where imei = $1', [imei])).rows
  expect(await suppliers(numbers[0]!)).toEqual([{ supplier_id: other }])

  // The file's own supplier is meant by its number, although another supplier has the same name.
  const [third] = imeis(1)
  const own = `imei;make;model;capacity;capacity_unit;purchase_price\n${third};Apple;iPhone 13;128;GB;10`
  const file: ImportPreview = await previewed(t, user, { csv: own, supplier_id: String(one) })
  expect(file.counts).toMatchObject({ new: 1 })
  await committed(t, user, file.import_id)
  expect(await suppliers(third!)).toEqual([{ supplier_id: one }])

  // The number counts only if the supplier with this number has the name beside it.
  const wrong = [head, `${imeis(1)[0]};Apple;iPhone 13;128;GB;10;Foxway #${one}`].join('\n')
  expect((await previewed(t, user, { csv: wrong })).counts).toMatchObject({ failed: 1 })
})

test('a column of IMEIs and serial numbers: a tablet has its serial number', async () => {
  const [imei] = imeis(1)
  const csv = [
    'IMEI/Serial,Brand,Model,Category,Cost',
    `${imei},Acme,One,Phones,100`,
    'DMPX1234ABCD,Acme,Tab,Tablets,200',
    '3500000901,Acme,Two,Phones,100',
  ].join('\n')
  const preview = await previewed(t, user, { csv })
  expect(await failedRows(preview.import_id)).toHaveLength(1)
  expect(succeeded(await committed(t, user, preview.import_id))).toEqual([2, 1])
  const made = await t.db.pool.query("select imei from stock where serial_number = 'DMPX1234ABCD'")
  expect(made.rows).toEqual([{ imei: null }])
})

test('serial numbers with 15 digits stay serial numbers, of which one in ten looks like an IMEI by chance', async () => {
  const known = newImei()
  const head = 'Serial No,Brand,Model,Category,Cost'
  const made = await previewed(t, user, { csv: `${head.replace('Serial No', 'IMEI')}\n${known},Acme,One,Phones,100` })
  await committed(t, user, made.import_id)
  const chance = newImei()
  // The check digits of these numbers are wrong.
  const others = imeis(9).map((imei) => imei.slice(0, 14) + ((Number(imei[14]) + 3) % 10))
  const rowsOf = (numbers: readonly string[]) => numbers.map((number) => `${number},Acme,Tab,Phones,100`)
  const serials: ImportPreview = await previewed(t, user, {
    csv: [head, ...rowsOf([...others, chance, known])].join('\n'),
  })
  const { data } = (await user.get(`/api/stock/import/preview/${serials.import_id}/rows?per_page=100`)).body
  const becomes = data.map((row: PreviewRow) => [row.becomes?.imei ?? null, row.becomes?.serial_number ?? null])
  expect(becomes).toEqual([...[...others, chance].map((number) => [null, number]), [null, null]])
  // A number that a phone of the shop has as its IMEI means that phone, in any column.
  expect(data.at(-1)).toMatchObject({
    kind: 'failed',
    errors: { imei: expect.stringContaining('already has this IMEI') },
  })
  expect(succeeded(await committed(t, user, serials.import_id))).toEqual([10, 1])

  const phones = imeis(3)
  const mixed = [...phones, 'DMPX1234ABCE', 'DMPX1234ABCF', 'DMPX1234ABCG', 'DMPX1234ABCH']
  const both: ImportPreview = await previewed(t, user, { csv: [head, ...rowsOf(mixed)].join('\n') })
  await committed(t, user, both.import_id)
  expect(await itemsOf(phones)).toHaveLength(3)

  // Serial numbers whose digits stand alone count too: beside them, one number is no IMEI.
  const scattered = ['G6TZL0YMPLJM', 'H3QKD7VWXNRB', newImei()]
  const few: ImportPreview = await previewed(t, user, { csv: [head, ...rowsOf(scattered)].join('\n') })
  const rows = (await user.get(`/api/stock/import/preview/${few.import_id}/rows`)).body.data
  expect(rows.map(({ becomes }: PreviewRow) => becomes?.serial_number)).toEqual(scattered)
})

test('a word that says that a row is no phone of its own fails it', async () => {
  const words = ['TEST', 'same as above', 'ditto', 'various', 'siehe oben', 'prueba', 'j.w.']
  const csv = [
    'IMEI,Serial,Brand,Model,Category,Cost',
    ...words.map((word, n) =>
      n % 2 ? `${newImei()},${word},Acme,One,Phones,1` : `${word},SN-${word},Acme,One,Phones,1`,
    ),
  ].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview.counts).toMatchObject({ new: 0, failed: words.length })
  expect((await failedRows(preview.import_id)).map(({ errors }) => Object.values(errors)[0])).toEqual(
    words.map((word) => `'${word}' does not identify a device: leave the cell empty, or leave out the row.`),
  )
})

test('a row that adds up others, or a sentence below the table, asks nothing of a person', async () => {
  const csv = [
    'Artikelbezeichnung;IMEI / SN;Zustand;Farbe;Preis',
    `Apple iPhone 13;${newImei()};Wie neu;Schwarz;100`,
    'Summe;;Summe A;;100',
    'Ware bleibt unser Eigentum;;Skonto;;2',
    ';;;Vielen Dank für Ihren Auftrag.;',
  ].join('\n')
  const { import_id: id, reasons, unknown }: ImportPreview = await previewed(t, user, { csv })
  expect(unknown.map(({ field, seen }) => [field, seen])).toEqual([
    ['grade', 'Wie neu'],
    ['colour', 'Schwarz'],
    ['product', 'Apple iPhone 13 Schwarz'],
  ])
  expect(reasons.filter(({ first_row }) => first_row === 3)).toMatchObject([{ field: 'csv', rows: 1, asks: null }])
  const failed = await failedRows(id)
  expect(failed[1]!.errors).toEqual({ csv: "This row says 'Summe': it adds up other rows and is not an item." })
  expect(failed[3]!.errors).toEqual({ csv: 'This row has text in one cell only: it is not an item.' })
})
