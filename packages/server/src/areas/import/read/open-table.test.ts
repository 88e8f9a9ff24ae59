import { ENCODINGS } from '@backstock/contract/csv-form.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../http/refusal.ts'
import { encoded } from '../../../testing/encoded.ts'
import { asUploaded } from '../../../testing/uploaded.ts'
import { openTable, type TableOptions } from './open-table.ts'

type Options = Omit<TableOptions, 'format' | 'person'>

/** Reads a CSV file as a table. */
const read = (csv: string | Buffer, options: Options = {}) =>
  asUploaded(Buffer.from(csv), async (file) => {
    const { rows, ...table } = await openTable(file, { format: 'csv', person: 1, ...options })
    return { ...table, rows: await Array.fromAsync(rows, ({ line, cells }) => [line, ...cells]) }
  })

/** The errors with which a file is refused, by field. */
async function refusal(csv: string | Buffer, options?: Options): Promise<unknown> {
  const error = await read(csv, options).catch((thrown: unknown) => thrown)
  if (!(error instanceof Refusal)) throw error
  return error.errors
}

const HEADER = ['Brand', 'Model', 'IMEI', 'Price']
const ROW = ['Apple', 'iPhone 13', '490154203237518', '249.90']

test.each([',', ';', '\t', '|'])('cells are separated by %j', async (delimiter) => {
  const lines = [HEADER, ROW, ['', '', 'x', ''], ROW].map((cells) => cells.join(delimiter))
  const table = {
    format: 'csv',
    sheets: [],
    sheet: null,
    hiddenSheets: [],
    notes: [],
    delimiter,
    encoding: 'utf-8',
    isEncodingGuessed: false,
    headerRow: 1,
    top: [HEADER, ROW, ['', '', 'x', ''], ROW].map((cells, n) => ({
      row: [1, 2, 3, 5][n],
      text: cells.filter(Boolean).join(' '),
    })),
    titles: [],
    header: HEADER,
    rows: [
      [2, ...ROW],
      [3, '', '', 'x', ''],
      [5, ...ROW],
    ],
  }
  expect(await read(lines.toSpliced(3, 0, '').join('\n'))).toEqual(table)
  expect(await read(`\ufeffsep=${delimiter}\r\n${lines.toSpliced(3, 0, '').join('\r\n')}`)).toEqual(table)
  expect(await read(lines.toSpliced(3, 0, '').join('\n'), { delimiter, encoding: 'utf-8' })).toEqual(table)
})

test('the last row tells how cells are separated, also without a line end', async () => {
  expect(await read(`Foxway AB\n${ROW.join(';')}`)).toMatchObject({
    delimiter: ';',
    rows: [
      [1, 'Foxway AB'],
      [2, ...ROW],
    ],
  })
})

test('commas in the cells make no columns, and a header of unknown names is cut like its rows', async () => {
  expect(await read('Artikel;Preis;Farbe\niPhone 13, 128 GB, neu;249,90;rot, blau\n')).toMatchObject({
    delimiter: ';',
    header: ['Artikel', 'Preis', 'Farbe'],
  })
  expect(await read('a|b, c|d\n1|2|3\n4|5, 6|7\n')).toMatchObject({ delimiter: '|', header: ['a', 'b, c', 'd'] })
})

test('a title or a footer that is a name of ours is no header, and does not choose the delimiter', async () => {
  const rows = ['Apple\t1,500 EUR\tSN0001', 'Apple\t1,100.00\tSN0002', 'Apple\t200\tSN0003']
  const csv = ['Foxway AB', ...rows, 'Prix hors taxes'].join('\r\n')
  const delimiter = '\t'
  expect(await read(csv, { headerRow: 'none' })).toMatchObject({ delimiter, headerRow: null })
  expect(await read(csv)).toMatchObject({ delimiter, headerRow: 2 })
  expect(await read('Foxway AB\nIMEI\nSN0001\nSN0002')).toMatchObject({ headerRow: 2, header: ['IMEI'] })
})

test('titles above the header are skipped and said, and rows keep their numbers', async () => {
  const lines = [
    'Foxway AB;;',
    '',
    '"Stock list\nof today";18.11.2026;',
    'Marke;Modell;Preis',
    'Apple;iPhone 13;1.249,90',
  ]
  expect(await read(lines.join('\r\n'))).toMatchObject({
    headerRow: 4,
    titles: ['Foxway AB', 'Stock list\nof today 18.11.2026'],
    header: ['Marke', 'Modell', 'Preis'],
    rows: [[5, 'Apple', 'iPhone 13', '1.249,90']],
  })
})

test('several columns with one name each have their own', async () => {
  expect(await read('IMEI;Accessory;Accessory;;accessory;Accessory;Accessory 2;\n1;a;b;;c;d;e;\n')).toMatchObject({
    header: ['IMEI', 'Accessory', 'Accessory 3', '', 'accessory', 'Accessory 4', 'Accessory 2', ''],
  })
})

const PHONES = ['350000090000221', '350000090000239', '350000090000247']
const headless = PHONES.map((imei) => `${imei},Acme,One,128 GB,Black,Phone,100.00`).join('\n')

test('a file whose first row is a phone has no header, and no phone is lost', async () => {
  const table = await read(headless)
  expect(table).toMatchObject({
    headerRow: null,
    titles: [],
    header: ['Column 1', 'Column 2', 'Column 3', 'Column 4', 'Column 5', 'Column 6', 'Column 7'],
  })
  expect(table.rows.map(([line, imei]) => [line, imei])).toEqual(PHONES.map((imei, n) => [n + 1, imei]))
  expect(table.top).toEqual(
    PHONES.map((imei, n) => ({ row: n + 1, text: `${imei} Acme One 128 GB Black Phone 100.00` })),
  )
  expect(await read(`Foxway AB\n${headless}`)).toMatchObject({ headerRow: null, rows: [[1, 'Foxway AB'], {}, {}, {}] })
})

test('the header is the row that a person has chosen, or none', async () => {
  const file = ['Foxway AB;;', '', 'a;b;c', 'Marke;Modell;Preis', 'Apple;iPhone 13;1'].join('\n')
  expect(await read(file, { headerRow: '3' })).toMatchObject({
    headerRow: 3,
    titles: ['Foxway AB'],
    header: ['a', 'b', 'c'],
    rows: [
      [4, 'Marke', 'Modell', 'Preis'],
      [5, 'Apple', 'iPhone 13', '1'],
    ],
  })
  expect(await read(file, { headerRow: 'none' })).toMatchObject({
    headerRow: null,
    header: ['Column 1', 'Column 2', 'Column 3'],
    rows: [{ 0: 1 }, { 0: 3 }, { 0: 4 }, { 0: 5 }],
  })
  for (const headerRow of ['2', '6', '0', '-1', '3.0', 'None'])
    expect(await refusal(file, { headerRow })).toEqual({ header_row: expect.stringContaining("'none'") })
})

test('the header may be the 20th row, but none below', async () => {
  const file = (titles: number) =>
    [...Array.from({ length: titles }, (_, n) => `Title ${n + 1}`), HEADER.join(), ROW.join()].join('\n')
  const table = await read(file(19))
  expect(table).toMatchObject({ headerRow: 20, header: HEADER, rows: [[21, ...ROW]] })
  expect([table.titles.length, table.top.length]).toEqual([19, 20])
  expect((await read(file(19), { headerRow: '20' })).headerRow).toBe(20)
  expect(await refusal(file(20), { headerRow: '21' })).toHaveProperty('header_row')
})

test('the delimiter that a person has chosen counts, whatever the first line says', async () => {
  const file = 'sep=;\nIMEI,Model;Price\n1,2;3\n'
  expect(await read(file, { delimiter: ',' })).toMatchObject({ delimiter: ',', header: ['IMEI', 'Model;Price'] })
  expect(await read(file)).toMatchObject({ delimiter: ';', header: ['IMEI,Model', 'Price'] })
  for (const said of ['"sep=;"', 'SEP=;'])
    expect(await read(`${said}\rIMEI,Model;Price\r1,2;3\r`)).toMatchObject({ header: ['IMEI,Model', 'Price'] })
  // A sign that no table is cut by says nothing.
  expect(await read('sep=x\nIMEI,Model\n1,2\n')).toMatchObject({ delimiter: ',', header: ['IMEI', 'Model'] })
})

test('a title keeps 255 characters, and each of the first rows 100', async () => {
  const { titles, top } = await read(`${'x'.repeat(300)}\nIMEI,Model,Price\n1,2,3`)
  expect([...titles, top[0]!.text].map((text) => text.length)).toEqual([255, 100])
})

test('a title that is cut within a character is still text', async () => {
  const { titles, top } = await read(`${'x'.repeat(99)}😀${'y'.repeat(153)}😀\nIMEI,Model,Price\n1,2,3`)
  expect([...titles, top[0]!.text].map((text) => text.isWellFormed())).toEqual([true, true])
})

const POLISH = 'Marka;Pamięć;Uwagi\nApple;128 GB;pęknięty wyświetlacz, żółty\n'
const FRENCH = 'Marque;Modèle;État\nApple;iPhone 13;très bon, reçu à côté\n'
const GERMAN = 'Marke;Gerät;Mängel\nApple;iPhone 13;Gehäuse schön, größer\n'
const GREEK = 'Μάρκα;Μοντέλο;Σημειώσεις\nApple;iPhone 13;Ραγισμένη οθόνη, μαύρο\n'
/** In another encoding, each of these letters could be Greek. But no other language has all of them. */
const MIXED = 'Brand;Model;Notes\nÄpple;iPhone 13;grün, très bon, reçu, año, português, æøå\n'
const HUNGARIAN = 'Brand;Model;Notes\nApple;iPhone 13;kijelző törött, hátlap sérült, külső\n'
test.each([
  ['utf-8', POLISH, Buffer.from(POLISH)],
  ['utf-8', FRENCH, Buffer.from(`\ufeff${FRENCH}`)],
  ['utf-16le', POLISH, Buffer.from(`\ufeff${POLISH}`, 'utf16le')],
  ['utf-16be', POLISH, Buffer.from(`\ufeff${POLISH}`, 'utf16le').swap16()],
  ['windows-1250', POLISH, encoded(POLISH, 'windows-1250')],
  ['windows-1250', HUNGARIAN, encoded(HUNGARIAN, 'windows-1250')],
  ['windows-1252', FRENCH, encoded(FRENCH, 'windows-1252')],
  ['windows-1252', GERMAN, encoded(GERMAN, 'windows-1252')],
  ['windows-1252', MIXED, encoded(MIXED, 'windows-1252')],
  ['windows-1253', GREEK, encoded(GREEK, 'windows-1253')],
  ['utf-16le', GERMAN, Buffer.from(GERMAN, 'utf16le')],
  ['utf-16be', GERMAN, Buffer.from(GERMAN, 'utf16le').swap16()],
])('the encoding is known: %s', async (encoding, text, file) => {
  const [header, row] = text.split('\n').map((line) => line.split(';'))
  expect(await read(file)).toMatchObject({ encoding, header, rows: [[2, ...row!]] })
})

const MAC_ROMAN = 'IMEI;Brand;Colour;Cost\r\n350000090000213;Acme;Grün;100.00\r\n'
const SPANISH = 'Marca;Modelo;Descripción\nApple;iPhone 13;año, pantalla según envío, batería\n'
const MARKS = 'Brand;Model;Notes\nApple;iPhone 13;seller’s 6.1” display – “as new” … 5 € §4\n'
const POUNDS = 'Brand;Model;Price (£)\nApple;iPhone 13;£180.50\n'
const LODZ = 'Brand;Model;Notes\nApple;iPhone 13;Łódź, ŁADNY\n'
const STREET = 'Brand;Model;Seller\nApple;iPhone 13;Hauptstraße 4\n'
const CROATIAN = 'Brand;Model;Notes\nApple;iPhone 13;bež, crvena, višnja\n'
test.each([
  ['macintosh', MAC_ROMAN],
  ['macintosh', GERMAN],
  ['macintosh', FRENCH],
  ['macintosh', SPANISH],
  ['macintosh', STREET],
  ['windows-1252', SPANISH],
  ['windows-1252', MARKS],
  ['windows-1252', POUNDS],
  ['windows-1250', LODZ],
  ['windows-1250', CROATIAN],
])('an encoding that only letters tell is guessed, and that is said: %s', async (encoding, text) => {
  const rows = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(';'))
  const table = await read(encoded(text, encoding))
  expect(table).toMatchObject({ encoding, isEncodingGuessed: true, header: rows[0] })
  expect(table.rows[0]!.slice(1)).toEqual(rows[1])
  expect((await read(encoded(text, encoding), { encoding })).isEncodingGuessed).toBe(false)
})

test('every encoding that can be chosen is read', async () => {
  for (const encoding of ENCODINGS)
    if (!encoding.startsWith('utf-16'))
      expect(await read(HEADER.join(), { encoding })).toMatchObject({ encoding, header: HEADER })
})

test.each([
  ['gb18030', [0xba, 0xda], '黑'],
  ['gbk', [0xba, 0xda], '黑'],
  ['big5', [0xb6, 0xc2], '黑'],
  ['shift_jis', [0x8d, 0x95], '黒'],
  ['koi8-r', [0xde, 0xc5], 'че'],
  ['iso-8859-15', [0xa4], '€'],
  ['windows-1257', [0xe0], 'ą'],
])('a letter of %s', async (encoding, bytes, letter) => {
  const file = Buffer.concat([Buffer.from('IMEI;Colour\n1;'), Buffer.from(bytes), Buffer.from('\n')])
  expect((await read(file, { encoding })).rows).toEqual([[2, '1', letter]])
})

test.each([
  ['gb18030', [0xd1, 0xd5, 0xc9, 0xab], [0xba, 0xda, 0xc9, 0xab], ['颜色', '黑色']],
  ['big5', [0xc3, 0x43, 0xa6, 0xe2], [0xb6, 0xc2, 0xa6, 0xe2], ['顏色', '黑色']],
] as const)('a file of %s is a guess, which is said, until a person says so', async (encoding, name, cell, letters) => {
  const [imei, row, end] = ['IMEI;', '\n490154203237518;', '\n'].map((text) => Buffer.from(text))
  const file = Buffer.concat([imei!, Buffer.from(name), row!, Buffer.from(cell), end!])
  expect(await read(file)).toMatchObject({ isEncodingGuessed: true })
  expect(await read(file, { encoding })).toMatchObject({
    isEncodingGuessed: false,
    header: ['IMEI', letters[0]],
    rows: [[2, '490154203237518', letters[1]]],
  })
})

test('an encoding that a person has chosen is taken', async () => {
  expect(await read(encoded(POLISH, 'windows-1250'), { encoding: 'windows-1252' })).toMatchObject({
    header: ['Marka', 'Pamiêæ', 'Uwagi'],
  })
})

test.each<[string, string | Buffer, Options, object]>([
  ['nothing', '', {}, { csv: 'This file is empty.' }],
  ['empty lines', '\n\n', {}, { csv: 'This file has no header.' }],
  ['NUL', `${HEADER.join()}\n\0`, {}, { csv: expect.stringContaining('NUL') }],
  ['NUL in UTF-16', Buffer.from('\ufeffBrand\n\0', 'utf16le'), {}, { csv: expect.stringContaining('NUL') }],
  ['a long name', `${HEADER.join()},${'x'.repeat(256)}\n`, {}, { csv: expect.stringContaining('255 characters') }],
  ['an open quotation mark', `${HEADER.join()}\nApple,"x,1,2\n`, {}, { csv: expect.stringContaining('never closed') }],
  [
    'a stray quotation mark',
    [HEADER.join(), 'Apple,"new,490154203237518,1', 'Apple,6.1",490154203237518,1'].join('\n'),
    {},
    { csv: expect.stringMatching(/^In row 2 a quotation mark is opened/) },
  ],
  ['an unknown encoding', 'a', { encoding: 'ebcdic' }, { encoding: expect.stringContaining("'utf-8'") }],
  ['an unknown delimiter', 'a', { delimiter: ':' }, { delimeter: expect.stringContaining("'|'") }],
])('%s is refused with a reason', async (_, csv, options, errors) => {
  expect(await refusal(csv, options)).toEqual(errors)
})

test('any bytes are a table or are refused with a reason', async () => {
  const some = fc.uint8Array({ maxLength: 300 })
  const likely = fc.string({ unit: fc.constantFrom(...'"";,\t|\r\n aé€IMEI1'), maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(some, likely), async (content) => {
      const error = await read(Buffer.from(content)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (error !== undefined) expect(error).toBeInstanceOf(Refusal)
    }),
    { numRuns: 200 },
  )
})
