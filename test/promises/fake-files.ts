import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { lettersOf } from '../../packages/server/src/areas/import/read/xlsx/cell-reference.ts'
import {
  packedText,
  sheetXml,
  stringsXml,
  workbookParts,
  xlsxOf,
  type ZipPart,
  zipOf,
} from '../../packages/server/src/testing/xlsx.ts'

/** A PNG whose header claims this size, with 5 MB of pixels. */
export function bigPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(5_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const SHEET = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'

/** The smallest PDF with a page. */
export function onePagePdf(): Buffer {
  let text = '%PDF-1.5\n'
  const offsets = [CATALOGUE, PAGES, SHEET].map((content, n) => {
    const at = text.length
    text += `${n + 1} 0 obj ${content} endobj\n`
    return at
  })
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 4\n0000000000 65535 f \n${entries}trailer << /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + end)
}

/** A PDF whose page is in a compressed stream behind `size` spaces. Compressed they need a thousandth of that. */
export function objectStreamBomb(size: number): Buffer {
  const objects = [CATALOGUE, PAGES, SHEET]
  const packed = deflateSync(
    Buffer.concat([Buffer.from('1 0 2 40 3 90 '), Buffer.alloc(size, ' '), Buffer.from(objects.join(' '))]),
    { level: 1 },
  )
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const at = () => parts.reduce((sum, part) => sum + part.length, 0)
  const streamAt = at()
  const dictionary = `<< /Type /ObjStm /N 3 /First 14 /Filter /FlateDecode /Length ${packed.length} >>`
  parts.push(Buffer.from(`4 0 obj ${dictionary} stream\n`), packed, Buffer.from('\nendstream endobj\n'))
  const tableAt = at()
  const entry = (type: number, second: number, third: number) => {
    const bytes = Buffer.alloc(7)
    bytes[0] = type
    bytes.writeUInt32BE(second, 1)
    bytes.writeUInt16BE(third, 5)
    return bytes
  }
  const table = Buffer.concat([
    entry(0, 0, 65_535),
    entry(2, 4, 0),
    entry(2, 4, 1),
    entry(2, 4, 2),
    entry(1, streamAt, 0),
    entry(1, tableAt, 0),
  ])
  parts.push(
    Buffer.from(`5 0 obj << /Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R /Length ${table.length} >> stream\n`),
    table,
    Buffer.from(`\nendstream endobj\nstartxref\n${tableAt}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

const SHEET_PART = 'xl/worksheets/sheet1.xml'
const STRINGS_PART = 'xl/sharedStrings.xml'
const ENTITIES = `<!DOCTYPE z [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`

/**
 * A part of a ZIP file with about `size` bytes. `whole` is the text with `…` in the middle, which stands for many
 * repeats of `unit`.
 */
function longPart(whole: string, unit: string, size: number) {
  const [head, tail] = whole.split('…') as [string, string]
  const content = Buffer.concat([Buffer.from(head), Buffer.alloc(size - (size % unit.length), unit), Buffer.from(tail)])
  return { packed: deflateRawSync(content), crc: crc32(content), size: content.length }
}

/** Workbooks that the server must refuse, with the reason that it gives. The long ones unpack to `size` bytes. */
export function hostileWorkbooks(size: number): Record<string, [make: () => Buffer, reason: RegExp]> {
  const workbook = (parts: Record<string, ZipPart>) => zipOf(workbookParts('<row><c><v>1</v></c></row>', parts))
  const rows = () => longPart(sheetXml('…'), '<row><c t="inlineStr"><is><t>a</t></is></c></row>', size)
  const protectedPart = { ...packedText(sheetXml('')), isEncrypted: true }
  const wide = '<row><c r="XFDZZZ1"><v>1</v></c></row>'
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])
  return {
    'a sheet that is a bomb': [() => workbook({ [SHEET_PART]: rows() }), /too large to open/],
    'a bomb of a lying size': [() => workbook({ [SHEET_PART]: { ...rows(), size: 1000 } }), /damaged/],
    'strings that are a bomb': [
      () => workbook({ [STRINGS_PART]: longPart(stringsXml('…'), `<si><t>${'a'.repeat(40)}</t></si>`, size) }),
      /too large to open/,
    ],
    'one endless cell': [
      () =>
        workbook({ [SHEET_PART]: longPart(sheetXml('<row><c t="inlineStr"><is><t>…</t></is></c></row>'), 'a', size) }),
      /too large to open/,
    ],
    'one cell of random letters': [
      () => workbook({ [SHEET_PART]: sheetXml(`<row><c t="str"><v>${randomText(8_000_000)}</v></c></row>`) }),
      /too large to open|too long/,
    ],
    entities: [() => workbook({ [STRINGS_PART]: `${ENTITIES}${stringsXml('<si><t>&c;</t></si>')}` }), /damaged/],
    'a column beyond all': [() => zipOf(workbookParts(wide)), /more than 1,600 columns/],
    'a million columns': [
      () => xlsxOf([Array.from({ length: 1_000_000 }, (_, n) => n * 7919)]),
      /more than 1,600 columns/,
    ],
    'a shared text in many cells': [
      () =>
        zipOf(
          workbookParts(`<row>${'<c t="s"><v>0</v></c>'.repeat(30)}</row>`.repeat(300), {
            [STRINGS_PART]: stringsXml(`<si><t>${randomText(30_000)}</t></si>`),
          }),
        ),
      /at most 200 MB/,
    ],
    'ten thousand parts': [
      () => workbook(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`xl/${n}`, '']))),
      /too large to open/,
    ],
    'an encrypted sheet': [() => workbook({ [SHEET_PART]: protectedPart }), /password/],
    'an encrypted workbook': [
      () => Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le'), compound]),
      /protected by a password/,
    ],
    'an old workbook': [() => compound, /\.xls\b/],
    'a merge over each column to the last row': [
      () =>
        zipOf(
          workbookParts('', {
            [SHEET_PART]: sheetXml(
              `<row>${'<c t="s"><v>0</v></c>'.repeat(1500)}</row>${'<row><c><v>1</v></c></row>'.repeat(9000)}`,
            ).replace(
              '</worksheet>',
              `<mergeCells>${Array.from({ length: 1500 }, (_, n) => `<mergeCell ref="${lettersOf(n)}1:${lettersOf(n)}1048576"/>`).join('')}</mergeCells></worksheet>`,
            ),
            [STRINGS_PART]: stringsXml(`<si><t>${randomText(600)}</t></si>`),
          }),
        ),
      /at most 200 MB|longer than/,
    ],
    'half a workbook': [() => xlsxOf([['imei'], ['1']]).subarray(0, 800), /damaged/],
  }
}

/** Text that compresses badly, the same each time. */
function randomText(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(97 + (state % 26))
  }).join('')
}
