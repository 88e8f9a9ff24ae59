import { expect, test } from 'vitest'
import { asUploaded } from '../../../../testing/uploaded.ts'
import {
  packedText,
  sheetXml,
  stringsXml,
  workbookParts,
  workbookXml,
  type ZipPart,
  zipOf,
} from '../../../../testing/xlsx.ts'
import { readWorkbook } from './workbook.ts'

/** The rows of a workbook, or the sentence with which it is refused. */
const read = (parts: Record<string, ZipPart>) =>
  whole(parts).then(
    ({ rows }) => rows,
    (thrown: unknown) => {
      if (thrown instanceof Error) return thrown.message
      throw thrown
    },
  )

/** The rows of a workbook, with the differences that a person would see. */
const whole = (parts: Record<string, ZipPart>, leavesOutHidden = false) =>
  asUploaded(zipOf(parts), async ({ handle }) => {
    const rows: string[][] = []
    const choice = { sheet: null, leavesOutHidden }
    return { ...(await readWorkbook(handle.fd, choice, (_, cells) => rows.push(cells))), rows }
  })

const cells = (xml: string, more: Record<string, ZipPart> = {}) => workbookParts(`<row>${xml}</row>`, more)
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const strings = (items: string) => ({ 'xl/sharedStrings.xml': stringsXml(items) })
const styles = (formats: string) => ({ 'xl/styles.xml': `<styleSheet>${formats}</styleSheet>` })
const dates = styles('<cellXfs><xf numFmtId="14"/></cellXfs>')
const oneDecimal =
  '<numFmts><numFmt numFmtId="164" formatCode="0.0"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>'
const sheetAt = (target: string, type = 'worksheet', id = 'rId1') =>
  `<Relationship Id="${id}" Type="x/relationships/${type}" Target="${target}"/>`
const relations = (...all: string[]) => ({
  'xl/_rels/workbook.xml.rels': `<Relationships>${all.join('')}</Relationships>`,
})
const sheetPart = (xml: ZipPart) => ({ 'xl/worksheets/sheet1.xml': xml })
const asUtf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le')
  return packedText(isBig ? bytes.swap16() : bytes)
}
const extension = (element: string) => `<extLst xmlns:x="urn:x"><ext><x:${element}/></ext></extLst>`
const atRoot = () => {
  const { 'xl/workbook.xml': main = '', 'xl/worksheets/sheet1.xml': sheet = '' } = cells(inline('root'))
  return {
    '_rels/.rels': `<Relationships>${sheetAt('book.xml', 'officeDocument')}</Relationships>`,
    'book.xml': main,
    '_rels/book.xml.rels': `<Relationships>${sheetAt('one.xml')}</Relationships>`,
    'one.xml': sheet,
  }
}
const plain = sheetXml(`<row>${inline('Grün')}</row>`)
const twoSheets = workbookXml('<sheet name="Empty" r:id="e"/><sheet name="Stock" r:id="rId1"/>')

test.each<[string, Record<string, ZipPart>, string[][] | string]>([
  [
    '1904 before an extension with the same name',
    cells('<c s="0"><v>44882</v></c>', {
      ...dates,
      'xl/workbook.xml': workbookXml(
        '<sheet name="S" r:id="rId1"/>',
        `<workbookPr date1904="1"/>${extension('workbookPr')}`,
      ),
    }),
    [['2026-11-18']],
  ],
  ['a value of an extension', cells('<c><v>1</v><x:v xmlns:x="urn:x">2</x:v></c>'), [['1']]],
  ['an inline text in CDATA', cells(inline('<![CDATA[C39 & <1>]]>')), [['C39 & <1>']]],
  [
    'an inline text with its pronunciation',
    cells('<c t="inlineStr"><is><r><t>新</t></r><rPh sb="0" eb="1"><t>シン</t></rPh><r><t>品</t></r></is></c>'),
    [['新品']],
  ],
  ['a shared text in CDATA', cells('<c t="s"><v>0</v></c>', strings('<si><t>a<![CDATA[b]]></t></si>')), [['ab']]],
  ['a value in CDATA', cells('<c><v><![CDATA[7]]></v></c>'), [['7']]],
  ['an inline text and a value', cells('<c t="inlineStr"><v>F17</v><is><t>F17</t></is></c>'), [['F17']]],
  ['an inline text that stands in a value', cells('<c t="inlineStr"><v>F17</v></c>'), [['F17']]],
  ['more than is shown', cells('<c s="1"><v>249.95</v></c>', styles(oneDecimal)), [['249.95']]],
  ['an escaped tab', cells(inline('left_x0009_right')), [['left\tright']]],
  ['an escaped underscore', cells(inline('_x005F_x000D_ end')), [['_x000D_ end']]],
  ['an escape in lower case', cells(inline('a_x00e9_')), [['aé']]],
  ['no escape', cells(inline('_x12_ _xZZZZ_')), [['_x12_ _xZZZZ_']]],
  ['an empty first shared text', cells('<c t="s"><v>1</v></c>', strings('<si><t/></si><si><t>a</t></si>')), [['a']]],
  ['only empty shared texts', cells('<c t="s"><v>0</v></c><c><v>1</v></c>', strings('<si/>')), [['', '1']]],
  [
    'a text that is missing',
    cells('<c t="s"><v>3</v></c>', strings('<si/>')),
    'This workbook is damaged: a text of row 1 is missing in it.',
  ],
  ['no texts at all', cells('<c t="s"><v>0</v></c>'), 'This workbook is damaged: a text of row 1 is missing in it.'],
  [
    'texts that are named and missing, and that no cell has',
    cells('<c><v>1</v></c>', relations(sheetAt('worksheets/sheet1.xml'), sheetAt('texts.xml', 'sharedStrings', 't'))),
    [['1']],
  ],
  [
    'texts that are named and missing, and that a cell has',
    cells(
      '<c t="s"><v>0</v></c>',
      relations(sheetAt('worksheets/sheet1.xml'), sheetAt('texts.xml', 'sharedStrings', 't')),
    ),
    'This workbook is damaged: a text of row 1 is missing in it.',
  ],
  [
    'formats that are named and missing',
    cells('<c><v>1</v></c>', relations(sheetAt('worksheets/sheet1.xml'), sheetAt('forms.xml', 'styles', 't'))),
    'This workbook is damaged: its part xl/forms.xml is missing.',
  ],
  [
    'texts with a capital',
    cells('<c t="s"><v>0</v></c>', { 'xl/SharedStrings.xml': stringsXml('<si><t>a</t></si>') }),
    [['a']],
  ],
  [
    'texts elsewhere',
    cells('<c t="s"><v>0</v></c>', {
      ...relations(sheetAt('/XL/Worksheets/Sheet1.xml'), sheetAt('../texts.xml', 'sharedStrings', 't')),
      'texts.xml': stringsXml('<si><t>b</t></si>'),
    }),
    [['b']],
  ],
  ['an empty cell far away', cells('<c r="A1"><v>1</v></c><c r="XFD1" s="1"/>'), [['1']]],
  ['a value far away', cells('<c r="XFD1"><v>1</v></c>'), 'Row 1 has more than 1,600 columns.'],
  ['big-endian UTF-16', cells('', sheetPart(asUtf16(plain, true))), [['Grün']]],
  ['little-endian UTF-16', cells('', sheetPart(asUtf16(plain, false))), [['Grün']]],
  ['UTF-8 with a mark', cells('', sheetPart(`\uFEFF${plain}`)), [['Grün']]],
  [
    'an encoding that nobody knows',
    cells('', sheetPart(`<?xml version="1.0" encoding="EBCDIC-1"?>${plain}`)),
    "This workbook is written in 'EBCDIC-1', which Backstock cannot read. Save the sheet as CSV first.",
  ],
  ['a workbook at the root', atRoot(), [['root']]],
  [
    'an empty first sheet',
    cells(inline('second'), {
      'xl/workbook.xml': twoSheets,
      ...relations(sheetAt('worksheets/empty.xml', 'worksheet', 'e'), sheetAt('worksheets/sheet1.xml')),
      'xl/worksheets/empty.xml': sheetXml('<row><c s="1"/></row>'),
    }),
    [['second']],
  ],
  ['only empty sheets', workbookParts('<row/>'), []],
  [
    'elements with a prefix',
    cells('', sheetPart('<m:worksheet xmlns:m="urn:m"><m:row><m:c><m:v>4</m:v></m:c></m:row></m:worksheet>')),
    [['4']],
  ],
  ['an error', cells('<c t="e"><v>#REF!</v></c>'), [['#REF!']]],
])('%s is read as the standard allows', async (_, parts, seen) => {
  expect(await read(parts)).toEqual(seen)
})

/**
 * A sheet with these rows, and with XML before and after them. A text in a row is a cell at a place (`A1=IMEI`), or
 * XML.
 */
const sheetOf = (rows: readonly (readonly string[])[], { before = '', after = '', hidden = [] as number[] } = {}) => {
  const cell = (text: string) => {
    const [, at, value] = /^([A-Z]+\d+)=(.*)$/.exec(text) ?? []
    return at ? `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>` : text
  }
  const row = (cells: readonly string[], n: number) =>
    `<row r="${n + 1}"${hidden.includes(n + 1) ? ' hidden="1"' : ''}>${cells.map(cell).join('')}</row>`
  const data = `<worksheet>${before}<sheetData>${rows.map(row).join('')}</sheetData>${after}</worksheet>`
  return workbookParts('', { 'xl/worksheets/sheet1.xml': data })
}
const merged = (ranges: readonly string[]) => ({
  after: `<mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`,
})
const none = { count: 0, first: [] }
const phones = [
  ['A1=IMEI', 'B1=Colour', 'C1=Cost'],
  ['A2=1', 'B2=Red', 'C2=100'],
  ['A3=2', 'C3=100'],
  ['A4=3', 'C4=100'],
]

test('each row of a cell that is merged over several has its value, and that is told', async () => {
  const { rows, facts } = await whole(sheetOf(phones, merged(['B2:B4'])))
  expect(rows.map(([, colour]) => colour)).toEqual(['Colour', 'Red', 'Red', 'Red'])
  expect(facts).toMatchObject({ merged: { count: 2, first: ['B3', 'B4'] }, mergedAcross: [] })
})

test('a merged cell gives its value to rows and columns that have none of their own, and to no empty row', async () => {
  const title = [['A1=Foxway'], [], ...phones.slice(1)]
  const { rows, facts } = await whole(
    sheetOf(title, merged(['A1:C1', 'B3:C5', 'C4:C5', 'A1:A2', 'D9:D1', 'x', 'A0:A9'])),
  )
  expect(rows[0]).toEqual(['Foxway'])
  expect(rows).toHaveLength(4)
  expect(facts.mergedAcross).toEqual([1, 3])
})

test('a merge over a million rows fills the rows that there are', async () => {
  const ranges = ['B2:B1048576', ...Array.from({ length: 2_000 }, (_, n) => `${n % 2 ? 'C' : 'B'}${n + 2}:B1048576`)]
  const { rows, facts } = await whole(sheetOf(phones, merged(['B2:B1048576'])))
  expect([rows.length, facts.merged.count]).toEqual([4, 2])
  expect((await whole(sheetOf(phones, merged(ranges)))).rows).toHaveLength(4)
  const many = Array.from({ length: 300_001 }, (_, n) => `A${n + 1}:A${n + 2}`)
  expect(await read(sheetOf(phones, merged(many)))).toBe(
    'This workbook is too large to open. Save the sheet as CSV first.',
  )
})

test('rows that are hidden are counted, and left out if a person says so', async () => {
  const parts = sheetOf(phones, { hidden: [2, 3], ...merged(['B2:B4']) })
  const all = await whole(parts)
  expect([all.rows.length, all.facts.hiddenRows]).toEqual([4, 2])
  const seen = await whole(parts, true)
  expect(seen.facts.hiddenRows).toBe(2)
  // The merged cell begins in a hidden row.
  expect(seen.rows).toEqual([
    ['IMEI', 'Colour', 'Cost'],
    ['3', 'Red', '100'],
  ])
  expect(
    (await whole(workbookParts('<row ht="0"><c><v>1</v></c></row><row><c><v>2</v></c></row>'))).facts.hiddenRows,
  ).toBe(1)
})

test('hidden columns with a value are named', async () => {
  const before = '<cols><col min="2" max="2" hidden="1"/><col min="5" max="16384" hidden="true"/></cols>'
  expect((await whole(sheetOf(phones, { before }))).facts.hiddenColumns).toEqual(['B'])
  const narrow = '<cols><col min="1" max="1" width="9" hidden="0"/><col min="3" max="4" width="0"/></cols>'
  expect((await whole(sheetOf(phones, { before: narrow }))).facts.hiddenColumns).toEqual(['C'])
})

test.each<[string, string, object]>([
  ['none', '<c r="C2"><f>B2*2</f></c>', { count: 1, first: ['C2'] }],
  ['none, in an empty element', '<c r="C2"><f>B2*2</f><v/></c>', { count: 1, first: ['C2'] }],
  ['an empty text', '<c r="C2" t="str"><f>B2&amp;""</f><v></v></c>', none],
  ['a number', '<c r="C2"><f>B2*2</f><v>0</v></c>', none],
])('a formula whose result is %s', async (_, formula, noResult) => {
  expect((await whole(sheetOf([phones[0]!, ['A2=1', formula]]))).facts.noResult).toEqual(noResult)
})

test('a zero is no result if the program that wrote the workbook computes nothing', async () => {
  const sheet = sheetOf([phones[0]!, ['A2=1', '<c r="C2"><f>B2*2</f><v>0</v></c>', '<c r="D2"><v>0</v></c>']])
  const parts = {
    ...sheet,
    'xl/workbook.xml': workbookXml('<sheet name="S" r:id="rId1"/>').replace(
      '</workbook>',
      '<calcPr calcId="124519" fullCalcOnLoad="1"/></workbook>',
    ),
  }
  const { rows, facts } = await whole(parts)
  expect([rows[1], facts.noResult]).toEqual([['1', '', '', '0'], { count: 1, first: ['C2'] }])
})

test('the first of several sheets with a table is read', async () => {
  const cover = sheetXml(`<row>${inline('Foxway AB')}</row><row>${inline('Price list')}${inline('of May')}</row>`)
  const terms = sheetXml(
    Array.from({ length: 5 }, () => `<row>${inline('a')}${inline('b')}${inline('c')}</row>`).join(''),
  )
  const stock = sheetXml(`<row>${inline('IMEI')}${inline('Cost')}</row><row>${inline('1')}${inline('2')}</row>`)
  const names = ['Cover', 'Terms', 'Stock', 'Sold']
  const book = (...contents: string[]) => ({
    ...workbookParts('', {
      'xl/workbook.xml': workbookXml(contents.map((_, n) => `<sheet name="${names[n]}" r:id="s${n}"/>`).join('')),
      ...relations(...contents.map((_, n) => sheetAt(`worksheets/s${n}.xml`, 'worksheet', `s${n}`))),
    }),
    ...Object.fromEntries(contents.map((xml, n) => [`xl/worksheets/s${n}.xml`, xml])),
  })
  expect(await whole(book(cover, terms, stock, stock))).toMatchObject({ sheet: 'Stock', sheets: names })
  expect(await whole(book(sheetXml(''), cover, terms))).toMatchObject({ sheet: 'Stock' })
  expect(await whole(book(sheetXml(''), sheetXml(''), cover))).toMatchObject({ sheet: 'Stock' })
  expect(await whole(book(sheetXml(''), sheetXml('')))).toMatchObject({ sheet: 'Cover', rows: [] })
})

test('a workbook with more shared texts than the first buffer holds has each of them in its cell', async () => {
  // Together, the texts have more than a megabyte.
  const texts = Array.from({ length: 5000 }, (_, n) => `text ${n} ${'x'.repeat(n % 10 === 0 ? 3000 : 10)}`)
  const rows = texts.map((_, n) => `<row><c t="s"><v>${n}</v></c></row>`).join('')
  const items = texts.map((text) => `<si><t>${text}</t></si>`).join('')
  expect(await read(workbookParts(rows, strings(items)))).toEqual(texts.map((text) => [text]))
})
