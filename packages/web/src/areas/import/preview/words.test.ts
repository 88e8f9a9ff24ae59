import { expect, test } from 'vitest'
import { aboutHeader, headerChoices, noteWords, sheetsNotRead, whatStops, whatWillHappen } from './words.ts'

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
    { kind: 'no_result', count: 1, where: ['I2'] },
    '1 cell has a formula and no result (I2), and counts as empty. Open the file in a spreadsheet, save it there, and choose it again.',
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
    { kind: 'blank_locked', count: 12, where: ['Désimlocké'] },
    'The column Désimlocké marks the unlocked phones: 12 empty cells are read as locked.',
  ],
  [
    { kind: 'blank_unlocked', count: 1, where: ['SIM lock'] },
    '1 empty cell of the column SIM lock is read as unlocked.',
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
