import { NEEDS_RATES } from '@backstock/contract/purchase-currency.ts'
import { expect, test } from 'vitest'
import { encodingChoices } from './encoding-choices.ts'
import {
  aboutDollar,
  aboutHeader,
  aboutSeveral,
  amountsAsked,
  headerChoices,
  inRow,
  lastSaid,
  noteWords,
  severalChoices,
  sheetsNotRead,
  staleWords,
  whatStops,
  whatWillHappen,
} from './words.ts'

const none = { new: 0, updated: 0, unchanged: 0, failed: 0 }

test.each([
  [{ ...none, new: 40, updated: 18, failed: 2 }, '40 new, 18 updated. 2 failed rows are left out.'],
  [{ ...none, new: 1_204, unchanged: 3 }, '1,204 new, 3 unchanged.'],
  [{ ...none, failed: 1 }, '1 failed row is left out.'],
  [none, 'The file has no rows.'],
])('what %j will do', (counts, words) => {
  expect(whatWillHappen({ counts })).toBe(words)
})

test('the reason that stops all rows is named, and nothing if some can be imported', () => {
  const reasons = [
    { field: 'category', message: 'A new product needs a category.', rows: 71, first_row: 4, asks: null },
  ]
  const words = 'No row can be imported yet. 71 rows: Category: A new product needs a category.'
  expect(whatStops({ counts: { ...none, failed: 90 }, reasons })).toBe(words)
  expect(whatStops({ counts: { ...none, new: 1, failed: 89 }, reasons })).toBeNull()
  expect(whatStops({ counts: { ...none, failed: 1 }, reasons: [] })).toBeNull()
})

test.each([
  [1, ['a', 'b'], '2 title lines above the header were skipped.'],
  [1, ['a'], '1 title line above the header was skipped.'],
  [1, [], ''],
  [null, [], 'This file is read without a header: its first row is an item, and its columns are named by number.'],
])('of the header in row %j and the titles %j', (header_row, titles, words) => {
  expect(aboutHeader({ header_row, titles })).toBe(words)
})

test('the header may be each of the first rows, or none', () => {
  expect(headerChoices({ top: [{ row: 3, text: 'Brand Model' }] })).toEqual([
    { value: 'none', label: 'None: the first row is an item' },
    { value: '3', label: 'In row 3: Brand Model' },
  ])
})

test.each<[Parameters<typeof noteWords>[0], string]>([
  [
    { kind: 'hidden_rows', count: 1, where: [] },
    '1 row is hidden in the workbook, by a filter or by hand, and read like the others.',
  ],
  [{ kind: 'hidden_columns', count: 1, where: ['F'] }, 'Column F is hidden in the workbook, and read like the others.'],
  [
    { kind: 'hidden_columns', count: 2, where: ['F', 'G'] },
    '2 columns are hidden in the workbook, and read like the others: F, G.',
  ],
  [{ kind: 'hidden_sheets', count: 1, where: ['Costs'] }, 'The sheet Costs is hidden in the workbook, and not read.'],
  [
    { kind: 'hidden_sheets', count: 2, where: ['Costs', 'Old'] },
    '2 sheets are hidden in the workbook, and not read: Costs, Old.',
  ],
  [
    { kind: 'no_result', count: 1, where: ['I2'] },
    '1 cell has a formula and no result (I2), and counts as empty. Open the file in a spreadsheet, save it there, and choose it again.',
  ],
  [
    { kind: 'no_result', count: 2, where: ['I2', 'I3'] },
    '2 cells have a formula and no result (I2, I3), and count as empty. Open the file in a spreadsheet, save it there, and choose it again.',
  ],
  [
    { kind: 'merged', count: 1_004, where: ['F3', 'F4'] },
    '1,004 cells have the value of the merged cell above (F3, F4 and 1,002 more).',
  ],
  [
    { kind: 'merged_across', count: 1, where: ['7'] },
    'In 1 row, cells are merged over several columns: only the first of these columns has the value. Look at row 7.',
  ],
  [
    { kind: 'merged_across', count: 2, where: ['7', '8'] },
    'In 2 rows, cells are merged over several columns: only the first of these columns has the value. Look at rows 7, 8.',
  ],
  [
    { kind: 'errors', count: 1, where: ['2'] },
    'In 1 row a spreadsheet error, such as #N/A, counts as an empty cell. Look at row 2.',
  ],
  [
    { kind: 'errors', count: 2, where: ['2', '9'] },
    'In 2 rows a spreadsheet error, such as #N/A, counts as an empty cell. Look at rows 2, 9.',
  ],
  [
    { kind: 'quantity', count: 1, where: ['4'] },
    'In 1 row the quantity is not 1, but there is one IMEI or serial number: the row becomes one item. Look at row 4.',
  ],
  [
    { kind: 'quantity', count: 5, where: ['4', '7', '8'] },
    'In 5 rows the quantity is not 1, but there is one IMEI or serial number: each of these rows becomes one item. Look at rows 4, 7, 8 and 2 more.',
  ],
  [
    { kind: 'makes', count: 1, where: ['iPhone 13'] },
    '1 row gives no make; it was taken from your catalogue, for example iPhone 13.',
  ],
  [
    { kind: 'makes', count: 2, where: ['iPhone 13', 'Pixel 6'] },
    '2 rows give no make; it was taken from your catalogue, for example iPhone 13, Pixel 6.',
  ],
  [
    { kind: 'memories', count: 1, where: ['Redmi 9 4 GB'] },
    'In 1 row the model’s name ends with less than 16 GB, which may be RAM: it stays in the name, as in Redmi 9 4 GB.',
  ],
  [
    { kind: 'identifiers', count: 1, where: ['37 IMEIs', '2 MEIDs', '2 serial numbers'] },
    'One column holds 37 IMEIs, 2 MEIDs and 2 serial numbers: each goes to its own field.',
  ],
  [
    { kind: 'two_imeis', count: 1, where: [] },
    'In 1 row a cell has two IMEIs: the row is one item, and the second is its IMEI 2.',
  ],
  [
    { kind: 'two_imeis', count: 2, where: [] },
    'In 2 rows a cell has two IMEIs: each of these rows is one item, and the second is its IMEI 2.',
  ],
  [
    { kind: 'blank_locked', count: 1, where: ['SIM lock'] },
    'The column SIM lock marks the unlocked phones: 1 empty cell is read as locked.',
  ],
  [
    { kind: 'blank_locked', count: 12, where: ['Désimlocké'] },
    'The column Désimlocké marks the unlocked phones: 12 empty cells are read as locked.',
  ],
  [
    { kind: 'blank_unlocked', count: 1, where: ['SIM lock'] },
    '1 empty cell of the column SIM lock is read as unlocked.',
  ],
  [
    { kind: 'blank_unlocked', count: 3, where: ['SIM lock'] },
    '3 empty cells of the column SIM lock are read as unlocked.',
  ],
])('the note %j says', (note, words) => {
  expect(noteWords(note)).toBe(words)
})

test('hidden rows that are left out, and sheets that are not read, are told', () => {
  const hidden = { kind: 'hidden_rows' as const, count: 2, where: [] }
  expect(noteWords(hidden, true)).toBe('2 rows are hidden in the workbook, by a filter or by hand: left out.')
  expect(sheetsNotRead({ sheets: ['A', 'B'], sheet: 'B' })).toBe('Only the sheet B is read. The workbook has 1 other.')
  expect(sheetsNotRead({ sheets: ['A'], sheet: 'A' })).toBe('')
  expect(sheetsNotRead({ sheets: [], sheet: null })).toBe('')
})

test('a price that the file calls a total is divided first, any other price counts for each item', () => {
  const several = { rows: 1, items: 3, means: null, left_out: ['Qty', 'Total'] }
  const each = 'An item for each IMEI: 1 row becomes 3 items'
  const ways = (is_total: boolean) => severalChoices({ ...several, is_total })
  expect(ways(false)).toEqual([
    { value: 'items', label: `${each}, each at the row’s price` },
    { value: 'divided', label: `${each}, the row’s price divided among them` },
    { value: 'phone', label: 'One item with two IMEIs for each row' },
  ])
  expect(ways(true).map(({ value }) => value)).toEqual(['divided', 'items', 'phone'])
  const cells = 'Each item has all cells of its row but Qty and Total.'
  expect(aboutSeveral({ ...several, is_total: true })).toBe(`The file calls the price a total. ${cells}`)
  expect(aboutSeveral({ ...several, is_total: false })).toBe(cells)
  expect(aboutSeveral({ ...several, left_out: [], is_total: false })).toBe('Each item has all cells of its row.')
})

test.each<[Parameters<typeof staleWords>[0], string]>([
  [
    { by: 'items', import_id: null, file_name: null, is_over: true, items: 1 },
    '1 item of these rows has changed since they were checked. Check them again.',
  ],
  [
    { by: 'items', import_id: null, file_name: null, is_over: true, items: 2 },
    '2 items of these rows have changed since they were checked. Check them again.',
  ],
  [
    { by: 'undo', import_id: 6, file_name: null, is_over: true },
    'Import #6 was undone since these rows were checked. Check them again.',
  ],
  [
    { by: 'import', import_id: 6, file_name: 'b.csv', is_over: true },
    'b.csv was imported since these rows were checked. Check them again.',
  ],
  [
    { by: 'undo', import_id: 6, file_name: 'b.csv', is_over: false },
    'The import of b.csv is being undone. These rows are checked again once that has ended.',
  ],
  [
    { by: 'import', import_id: 6, file_name: 'b.csv', is_over: false },
    'b.csv is being imported. Check these rows again once that has ended.',
  ],
])('for %j the note about old rows is %s', (stale, words) => {
  expect(staleWords(stale)).toBe(words)
})

test('a choice names the person who made it, and the sign $ what it is read as', () => {
  const remembered = { by: 'Anna', at: '2026-11-03T12:00:00' }
  expect(lastSaid(remembered)).toBe('Anna, 03/11/2026')
  expect(lastSaid({ ...remembered, by: null })).toBe('03/11/2026')
  expect(aboutDollar({ rows: 1, means: 'CAD', remembered })).toBe(
    '1 price has this sign. Remembered from Anna, 03/11/2026',
  )
  expect(aboutDollar({ rows: 2, means: 'USD', remembered: null })).toBe(
    '2 prices have this sign. It is the US dollar unless you choose another.',
  )
  expect(aboutDollar({ rows: 2, means: 'CAD', remembered: null })).toBe('2 prices have this sign.')
})

test.each([
  ['mixed', 'Some amounts are written one way, some the other: choose.'],
  [null, 'Amounts such as 1.234 may be read in two ways: choose.'],
  [',', 'Amounts such as 1,250 may be read in two ways: choose.'],
] as const)('amounts with the mark %s are asked about: %s', (decimal, words) => {
  expect(amountsAsked(decimal)).toBe(words)
})

test('a row whose rate is missing waits for it, and any other message has its field in front', () => {
  expect(inRow('purchase_price', NEEDS_RATES)).toBe('Waits for the exchange rate.')
  expect(inRow('purchase_price', 'Missing.')).toBe('Purchase price: Missing.')
})

test('a person chooses the encoding by the letters that it has', () => {
  expect(encodingChoices(() => true).map(({ value, label }) => [value, label])).toEqual([
    ['utf-8', 'UTF-8'],
    ['utf-16le', 'UTF-16'],
    ['utf-16be', 'UTF-16, big end first'],
    ['windows-1252', 'Western Europe (1252)'],
    ['iso-8859-15', 'Western Europe (ISO 8859-15)'],
    ['macintosh', 'Western Europe (Mac)'],
    ['windows-1250', 'Central Europe (1250)'],
    ['iso-8859-2', 'Central Europe (ISO 8859-2)'],
    ['iso-8859-16', 'South-Eastern Europe (ISO 8859-16)'],
    ['windows-1257', 'Baltic (1257)'],
    ['iso-8859-4', 'Baltic (ISO 8859-4)'],
    ['iso-8859-13', 'Baltic (ISO 8859-13)'],
    ['iso-8859-10', 'Nordic (ISO 8859-10)'],
    ['iso-8859-14', 'Celtic (ISO 8859-14)'],
    ['iso-8859-3', 'Maltese (ISO 8859-3)'],
    ['windows-1253', 'Greece (1253)'],
    ['iso-8859-7', 'Greece (ISO 8859-7)'],
    ['windows-1251', 'Cyrillic (1251)'],
    ['iso-8859-5', 'Cyrillic (ISO 8859-5)'],
    ['koi8-r', 'Cyrillic (KOI8-R)'],
    ['koi8-u', 'Ukrainian (KOI8-U)'],
    ['x-mac-cyrillic', 'Cyrillic (Mac)'],
    ['windows-1254', 'Turkish (1254)'],
    ['windows-1255', 'Hebrew (1255)'],
    ['iso-8859-8', 'Hebrew (ISO 8859-8)'],
    ['windows-1256', 'Arabic (1256)'],
    ['iso-8859-6', 'Arabic (ISO 8859-6)'],
    ['windows-1258', 'Vietnamese (1258)'],
    ['gb18030', 'Chinese (GB18030)'],
    ['gbk', 'Chinese (GBK)'],
    ['big5', 'Chinese, traditional (Big5)'],
    ['shift_jis', 'Japanese (Shift JIS)'],
    ['euc-jp', 'Japanese (EUC)'],
    ['euc-kr', 'Korean (EUC)'],
  ])
  const far = encodingChoices((encoding) => encoding !== 'euc-kr').filter(({ disabled }) => disabled)
  expect(far).toEqual([{ value: 'euc-kr', label: 'Korean (EUC)', disabled: true }])
})
