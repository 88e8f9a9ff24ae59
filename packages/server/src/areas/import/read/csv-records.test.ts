import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecords } from './csv-records.ts'

/** The records of a text that arrives in these pieces. */
function read(pieces: readonly string[], delimiter = ',') {
  const records = csvRecords(delimiter, 100)
  return [...pieces.flatMap((piece) => [...records.push(piece)]), ...records.end()]
}
const cellsOf = (text: string, delimiter?: string) => read([text], delimiter).map(({ cells }) => cells)

const cell = fc.string({ unit: fc.constantFrom(...'"",;\r\n \tab'), maxLength: 8 }).map((text) => text.trim())
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

test('every table comes back from its text, wherever that is cut into pieces', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(',', ';'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200), { maxLength: 5 }),
      (rows, delimiter, lineEnd, cuts) => {
        const text = rows.map((cells) => cells.map(quoted).join(delimiter)).join(lineEnd) + lineEnd
        const at = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length]
        const records = read(
          at.slice(1).map((end, n) => text.slice(at[n], end)),
          delimiter,
        )
        expect(records.map(({ cells }) => cells)).toEqual(rows)
        expect(records.map(({ row }) => row)).toEqual(rows.map((_, n) => n + 1))
      },
    ),
    { numRuns: 2000 },
  )
})

test('cells without marks, empty ones, blanks around marks, and a last line without an end', () => {
  expect(cellsOf('a,, "b" ,c d \n\n,\nx')).toEqual([['a', '', 'b', 'c d '], [''], ['', ''], ['x']])
  expect(cellsOf('a,\u00a0\t"b"\u00a0 ,\u00a0c')).toEqual([['a', 'b', 'c']])
  expect(cellsOf('a\t "b" \t\tc', '\t')).toEqual([['a', 'b', '', 'c']])
  expect(cellsOf('a,\r\nb')).toEqual([['a', ''], ['b']])
  expect(cellsOf('""')).toEqual([['']])
  expect(cellsOf('')).toEqual([])
})

test('a mark within a cell is a character like any other', () => {
  expect(cellsOf('6.1" display,="359",it "is"\n')).toEqual([['6.1" display', '="359"', 'it "is"']])
})

test('rows are numbered as a spreadsheet shows them: one with line breaks is one, an empty one counts', () => {
  expect(read(['h\n"two\nlines"\n\nlast']).map(({ row, broken }) => [row, broken])).toEqual([
    [1, []],
    [2, [0]],
    [3, []],
    [4, []],
  ])
})

const CLOSED_INSIDE =
  'In row 2 a quotation mark is opened, and the cell goes on after the closing one. A quotation mark inside a cell must be written twice.'

test.each([
  ['a\nb,"x"y\n', CLOSED_INSIDE],
  ['a\n"x\ny" "z"\n', CLOSED_INSIDE],
  ['a\nb\n"x\n', 'In row 3 a quotation mark is opened and never closed.'],
  [
    `a\nb\n"${'x'.repeat(1_048_577)}`,
    'Row 3 is longer than 1,048,576 characters. Check whether a quotation mark is never closed.',
  ],
  [`a\n${'x'.repeat(1_048_577)}`, 'Row 2 is longer than 1,048,576 characters.'],
  [`a\n${','.repeat(200)}`, 'Row 2 has more than 100 columns.'],
])('%j is refused', (text, message) => {
  expect(() => cellsOf(text)).toThrow(expect.objectContaining({ message }))
})
