import { expect, test } from 'vitest'
import { Refusal } from '../../../../http/refusal.ts'
import { testInTurn } from '../../../../testing/in-turn.ts'
import { withKilledReaders } from '../../../../testing/killed-readers.ts'
import { asUploaded } from '../../../../testing/uploaded.ts'
import {
  packedText,
  sheetXml,
  stringsXml,
  workbookParts,
  workbookXml,
  xlsxOf,
  zipOf,
} from '../../../../testing/xlsx.ts'
import { openTable } from '../open-table.ts'
import { BadWorkbook, DAMAGED } from './bad-workbook.ts'
import { readWorkbook } from './workbook.ts'

/** Reads a workbook as a table. */
const read = (xlsx: Buffer, sheet?: string, person = 1) =>
  asUploaded(xlsx, async (file) => {
    const { rows, ...table } = await openTable(file, { format: 'xlsx', person, sheet })
    return { ...table, rows: await Array.fromAsync(rows, ({ line, cells }) => [line, ...cells]) }
  })

async function refusal(xlsx: Buffer, sheet?: string): Promise<unknown> {
  const error = await read(xlsx, sheet).catch((thrown: unknown) => thrown)
  if (!(error instanceof Refusal)) throw error
  return error.errors?.['csv']
}

/** The reason why a workbook is refused. It is read in this process, which is faster than a new one. */
const reasonOf = (xlsx: Buffer) =>
  asUploaded(xlsx, async ({ handle }) => {
    let rows = 0
    const error = await readWorkbook(handle.fd, { sheet: null }, () => rows++).catch((thrown: unknown) => thrown)
    if (error instanceof BadWorkbook) return error.message
    return error instanceof Error ? DAMAGED : `${rows} rows`
  })

const HEADER = ['Brand', 'Model', 'IMEI', 'Price']

test('a sheet is a table: its rows keep their numbers, and a cell stands in its column', async () => {
  const rows = [
    ['Foxway AB'],
    [],
    HEADER,
    ['Apple', 'iPhone "13"', 490154203237518, 249.9],
    [null, null, 'x', null, ' y\nz '],
  ]
  expect(await read(xlsxOf(rows))).toEqual({
    format: 'xlsx',
    sheets: ['Stock'],
    sheet: 'Stock',
    hiddenSheets: [],
    notes: [],
    delimiter: null,
    encoding: null,
    isEncodingGuessed: false,
    headerRow: 3,
    top: [
      { row: 1, text: 'Foxway AB' },
      { row: 3, text: 'Brand Model IMEI Price' },
      { row: 4, text: 'Apple iPhone "13" 490154203237518 249.9' },
      { row: 5, text: 'x  y\nz ' },
    ],
    titles: ['Foxway AB'],
    header: [...HEADER, ''],
    rows: [
      [4, 'Apple', 'iPhone "13"', '490154203237518', '249.9'],
      [5, '', '', 'x', '', ' y\nz '],
    ],
  })
})

test('cells that are merged over several columns are told only from the header on', async () => {
  const table = xlsxOf(
    [['Foxway AB'], [], HEADER, ['Apple', 'iPhone 13', 490154203237518, 249.9], ['Total']],
    [],
    (xml) => {
      const ranges = ['A1:D1', 'A5:C5'].map((ref) => `<mergeCell ref="${ref}"/>`).join('')
      return xml.replace('</sheetData>', `</sheetData><mergeCells>${ranges}</mergeCells>`)
    },
  )
  expect((await read(table)).notes).toEqual([{ kind: 'merged_across', count: 1, where: ['5'] }])
})

test('a note counts all cells, columns or rows that it is about, and names the first three', async () => {
  const withoutResult = '<c t="n"><f>1+1</f></c>'
  const rows = [2, 3, 4, 5, 6]
  const table = xlsxOf(
    [HEADER, ...rows.map((row) => ['Apple', null, `Phone ${row}`, row === 2 ? 249.9 : null, withoutResult])],
    [],
    (xml) => {
      const ranges = ['D2:D6', ...rows.map((row) => `A${row}:B${row}`)].map((ref) => `<mergeCell ref="${ref}"/>`)
      return xml
        .replace('<sheetData>', '<cols><col min="1" max="4" hidden="1"/></cols><sheetData>')
        .replace('</sheetData>', `</sheetData><mergeCells>${ranges.join('')}</mergeCells>`)
    },
  )
  expect((await read(table)).notes).toEqual([
    { kind: 'hidden_columns', count: 4, where: ['A', 'B', 'C'] },
    { kind: 'no_result', count: 5, where: ['E2', 'E3', 'E4'] },
    { kind: 'merged', count: 4, where: ['D3', 'D4', 'D5'] },
    { kind: 'merged_across', count: 5, where: ['2', '3', '4'] },
  ])
})

testInTurn('a colleague waits for only one of several workbooks that somebody sent', async () => {
  const workbook = xlsxOf([HEADER])
  const opened: number[] = []
  const open = (person: number) => read(workbook, undefined, person).then(() => opened.push(person))
  await Promise.all([open(1), open(1), open(1), open(2)])
  expect(opened.indexOf(2)).toBeLessThan(3)
})

test('every kind of cell: shared and rich text, formulas, dates, booleans, errors, lost digits', async () => {
  const strings =
    '<si><t>IMEI</t></si><si><r><t>Rich</t></r><r><t xml:space="preserve"> &amp; poor</t></r><rPh><t>no</t></rPh></si>'
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>'
  const cells = [
    '<c r="A7" t="s"><v>1</v></c>',
    '<c r="B7" t="str"><f>A1&amp;"x"</f><v>cached</v></c>',
    '<c r="C7" s="1"><v>46344</v></c>',
    '<c r="D7" t="b"><v>1</v></c>',
    '<c r="E7" t="e"><v>#N/A</v></c>',
    '<c r="F7" s="2"><f>1/5</f><v>0.2</v></c>',
    '<c r="H7"><v>4901542032375187</v></c>',
    '<c r="I7" t="d"><v>2026-11-18T00:00:00</v></c>',
    '<c r="J7" t="inlineStr"><is><r><t>a</t></r><r><t>_x000D_b</t></r></is></c>',
    '<c r="K7" s="1"/>',
  ]
  const data = `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="inlineStr"><is><t>Model</t></is></c></row><row r="3"/><row r="7">${cells.join('')}</row>`
  const parts = workbookParts(data, { 'xl/sharedStrings.xml': stringsXml(strings), 'xl/styles.xml': styles })
  expect(await read(zipOf(parts))).toMatchObject({
    headerRow: 2,
    rows: [
      [
        7,
        ...['Rich & poor', 'cached', '2026-11-18', 'true', '#N/A', '20%', '', '4.90154203237519E+15', '2026-11-18'],
        'a\rb',
      ],
    ],
  })
})

test('the sheet that a person names, else the first that can be seen; of 1904', async () => {
  const sheets =
    '<sheet name="Secret" state="hidden" r:id="a"/><sheet name="Chart" r:id="c"/><sheet name="Cover" r:id="b"/><sheet name="Phones" r:id="rId1"/>'
  const of = 'Type="x/relationships/worksheet"'
  const parts = workbookParts('<row><c><v>1</v></c></row><row><c s="0"><v>44882</v></c></row>', {
    'xl/workbook.xml': workbookXml(sheets, '<workbookPr date1904="1"/>'),
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" ${of} Target="/xl/worksheets/sheet2.xml"/><Relationship Id="b" ${of} Target="/xl/worksheets/sheet2.xml"/><Relationship Id="c" Type="x/relationships/chartsheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId1" ${of} Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet2.xml': sheetXml('<row><c t="inlineStr"><is><t>Hello</t></is></c></row>'),
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
  })
  expect(await read(zipOf(parts))).toMatchObject({ sheets: ['Cover', 'Phones'], sheet: 'Cover', header: ['Hello'] })
  expect((await read(zipOf(parts))).notes).toEqual([{ kind: 'hidden_sheets', count: 1, where: ['Secret'] }])
  expect(await read(zipOf(parts), 'Phones')).toMatchObject({ sheet: 'Phones', rows: [[2, '2026-11-18']] })
  expect(await refusal(zipOf(parts), 'Secret')).toBe("This workbook has no sheet 'Secret'.")
  const empty = zipOf({ ...parts, 'xl/worksheets/sheet2.xml': sheetXml('<row/>') })
  const csv = "This file has no header. The other sheet is 'Phones'. The sheet 'Secret' is hidden."
  await expect(read(empty, 'Cover')).rejects.toMatchObject({ errors: { csv }, data: { sheets: ['Phones'] } })
})

const row = (cell: string) => `<row r="1">${cell}</row>`
const text = (content: string) => row(`<c r="A1" t="inlineStr"><is><t>${content}</t></is></c>`)
const honest = packedText(sheetXml(text('a'.repeat(3_000_000))))
const entities = '<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'

test.each<[string, Buffer, RegExp]>([
  ['a binary workbook', zipOf({ 'xl/workbook.bin': 'x' }), /\.xlsb/],
  ['an OpenDocument file', zipOf({ mimetype: 'x', 'content.xml': '<x/>' }), /OpenDocument/],
  ['any other ZIP', zipOf({ 'a.txt': 'a' }), /not an Excel workbook/],
  ['the start of a ZIP', Buffer.from('PK\x03\x04 and no more'), /damaged/],
  ['half a workbook', xlsxOf([HEADER]).subarray(0, 700), /damaged/],
  ['no sheet', zipOf(workbookParts('', { 'xl/workbook.xml': workbookXml('') })), /has no sheet\./],
  ['no row', xlsxOf([]), /^0 rows/],
  ['XML that is none', zipOf(workbookParts('<row><c></row>')), /damaged/],
  ['a DOCTYPE', zipOf(workbookParts(text('x'), { 'xl/sharedStrings.xml': `${entities}${stringsXml('')}` })), /damaged/],
  [
    'a thousand parts',
    zipOf(workbookParts('', Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}`, ''])))),
    /too large to open/,
  ],
  [
    'a part with a password',
    zipOf(workbookParts('', { 'xl/worksheets/sheet1.xml': { ...honest, isEncrypted: true } })),
    /password/,
  ],
  ['a bomb', zipOf(workbookParts('', { 'xl/worksheets/sheet1.xml': honest })), /too large to open/],
  ['a bomb that lies', zipOf(workbookParts('', { 'xl/worksheets/sheet1.xml': { ...honest, size: 1000 } })), /damaged/],
  ['a column beyond all', zipOf(workbookParts(row('<c r="XFDZZZ1"><v>1</v></c>'))), /more than 1,600 columns/],
  ['a row beyond all', zipOf(workbookParts('<row r="1048577"><c><v>1</v></c></row>')), /1,048,576 rows/],
  ['a cell that is too long', zipOf(workbookParts(text('ab'.repeat(40_000)))), /^A cell in row 1 is too long\.$/],
  [
    'a value that is too long',
    zipOf(workbookParts(row(`<c t="str"><v>${'ab'.repeat(40_000)}</v></c>`))),
    /^A cell in row 1 is too long\.$/,
  ],
  [
    'a shared text that is too long',
    zipOf(workbookParts(text('x'), { 'xl/sharedStrings.xml': stringsXml(`<si><t>${'ab'.repeat(40_000)}</t></si>`) })),
    /^A cell is too long\.$/,
  ],
])('%s is refused with a reason', async (_, xlsx, reason) => {
  expect(await reasonOf(xlsx)).toMatch(reason)
})

test('the form is told the reason, also of a workbook without rows and of a damaged one', async () => {
  expect(await refusal(xlsxOf([]))).toBe('This file has no header.')
  expect(await refusal(xlsxOf([HEADER]).subarray(0, 700))).toMatch(/damaged/)
  const names = ['Empty', 'Stock', 'Sold']
  const sheets = names.map((name, n) => `<sheet name="${name}" r:id="${n ? 'rId1' : 'e'}"/>`).join('')
  const of = 'Type="x/relationships/worksheet" Target="worksheets/'
  const severalParts = workbookParts('<row><c><v>1</v></c></row>', {
    'xl/workbook.xml': workbookXml(sheets),
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="e" ${of}e.xml"/><Relationship Id="rId1" ${of}sheet1.xml"/></Relationships>`,
    'xl/worksheets/e.xml': sheetXml('<row><c s="1"/></row>'),
  })
  expect(await refusal(zipOf(severalParts), 'Empty')).toBe(
    "This file has no header. The other sheets are 'Stock' and 'Sold'.",
  )
  const others = Array.from({ length: 60 }, (_, n) => `Sheet ${n}`)
  const all = ['Empty', ...others].map((name, n) => `<sheet name="${name}" r:id="${n ? 'rId1' : 'e'}"/>`).join('')
  const many = zipOf({ ...severalParts, 'xl/workbook.xml': workbookXml(all) })
  const csv =
    "This file has no header. The other sheets are 'Sheet 0', 'Sheet 1', 'Sheet 2', 'Sheet 3', 'Sheet 4' and 55 more."
  await expect(read(many, 'Empty')).rejects.toMatchObject({ errors: { csv }, data: { sheets: others.slice(0, 50) } })
  const cells = '<c t="s"><v>0</v></c>'.repeat(40)
  const strings = stringsXml(`<si><t>${'x'.repeat(30_000)}</t></si>`)
  const long = zipOf(workbookParts(row(cells), { 'xl/sharedStrings.xml': strings }))
  expect(await refusal(long)).toBe('Row 1 is longer than 1,048,576 characters.')
})

test('a workbook that is too much for its reader is refused with a sentence', async () => {
  const reason = await withKilledReaders(() => refusal(xlsxOf([HEADER])))
  expect(reason).toBe('This workbook is too large to open. Save the sheet as CSV first.')
})
