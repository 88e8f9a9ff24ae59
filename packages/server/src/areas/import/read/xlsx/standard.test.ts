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

/** The rows, or the sentence of the refusal. */
const read = (parts: Record<string, ZipPart>) =>
  asUploaded(zipOf(parts), async ({ handle }) => {
    const rows: string[][] = []
    const error = await readWorkbook(handle.fd, null, (_, cells) => rows.push(cells)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return error instanceof Error ? error.message : rows
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
    'texts that are named and missing',
    cells('<c><v>1</v></c>', relations(sheetAt('worksheets/sheet1.xml'), sheetAt('texts.xml', 'sharedStrings', 't'))),
    'This workbook is damaged: its part xl/texts.xml is missing.',
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
    "This workbook is written in 'EBCDIC-1', which is not read here. Save the sheet as CSV first.",
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
