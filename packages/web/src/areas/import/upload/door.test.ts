import { CSV_COLUMNS, EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { expect, test } from 'vitest'
import { type Door, doorOf, doorOfText } from './door.ts'

const to = (door: Door) => (door.to === 'import' ? door.delimiter : door.why)

test.each([
  [CSV_COLUMNS.join(','), ','],
  [`\uFEFF${CSV_COLUMNS.join(';')}\r\n1;2`, ';'],
  ['sep=;\r\nIMEI;Purchase Price\r\n', ';'],
  ['"imei","make","grading_battery",\n', ','],
  [`${EXPORT_COLUMNS.join(',')},"Box, sealed",Palette\n`, ','],
  ['row,result,id,message,imei,make\n', ','],
  ['', null],
  ['imei;make;Palette\n', 'Its column ‘Palette’ is not in the template.'],
  ['imei,make,"Box, sealed"\n', 'Its column ‘Box, sealed’ is not in the template.'],
  ['imei,make,"Box ""sealed"", new"\n', 'Its column ‘Box "sealed", new’ is not in the template.'],
  ['imei,A,B\n', 'Its columns ‘A’ and ‘B’ are not in the template.'],
  ['imei,A,B,C,D,E\n', 'Its columns ‘A’, ‘B’, ‘C’ and 2 more are not in the template.'],
  ['imei,make,IMEI\n', 'Its column ‘IMEI’ is there twice.'],
  ['imei\tmake\n', 'Its cells are separated by tabs.'],
  ['imei|make\n', 'Its cells are separated by bars.'],
  ['Lieferung 4711\n\nimei;make\n', 'Its first row is not the header of the template.'],
  ['Hersteller;Modell;IMEI-Nr\n', 'Its first row is not the header of the template.'],
  ['350000090000197;Apple;iPhone 13\n', 'Its first row is an item and not a header.'],
  ['"Apple","iPhone 13","35-000009-000019-7"\n', 'Its first row is an item and not a header.'],
])('the file that begins with %j', (text, expected) => {
  expect(to(doorOfText(text.replace(/^\uFEFF/, '')))).toBe(expected)
})

test('workbooks are known by their names and by their first bytes', async () => {
  const file = (name: string, ...bytes: number[]) => new File([Uint8Array.from(bytes)], name)
  expect(to(await doorOf(file('stock.XLSX')))).toBe('It is an Excel workbook.')
  expect(to(await doorOf(file('stock.csv', 0x50, 0x4b, 3, 4)))).toBe('It is an Excel workbook.')
  expect(to(await doorOf(file('stock.csv', 0xff, 0xfe, 0x69, 0)))).toBe('It is written in UTF-16.')
  expect(to(await doorOf(new File(['\uFEFFimei,make\n'], 'stock.csv')))).toBe(',')
})

/** A file in which each letter is one byte. */
const inBytes = (text: string) => new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], 'stock.csv')

test.each([
  ['imei;make;Uwagi o wy\x9cwietlaczu;\xafó\xb3ty', 'Its columns ‘Uwagi o wyświetlaczu’ and ‘Żółty’ are'],
  ['imei;make;P\xf8\xedslu\x9aenstv\xed', 'Its column ‘Příslušenství’ is'],
  ['imei;make;Zubeh\xf6r', 'Its column ‘Zubehör’ is'],
])('the note quotes a column with its own letters: %j', async (header, note) => {
  expect(to(await doorOf(inBytes(header)))).toBe(`${note} not in the template.`)
})

test('UTF-16 is known without a mark, and UTF-8 even if reading ends within a letter', async () => {
  expect(to(await doorOf(inBytes('i\0m\0e\0i\0;\0m\0a\0k\0e\0')))).toBe('It is written in UTF-16.')
  for (const header of ['imei;make;Zubehör\n', 'imei;make;Zubehör \n'])
    expect(to(await doorOf(new File([header, 'ä'.repeat(65_536)], 'stock.csv')))).toBe(
      'Its column ‘Zubehör’ is not in the template.',
    )
})
