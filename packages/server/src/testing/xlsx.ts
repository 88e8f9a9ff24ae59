import { crc32, deflateRawSync } from 'node:zlib'

/** A file in a ZIP: its content, or its packed bytes with its data for the directory, which may be false. */
export type ZipPart = string | PackedPart
type PackedPart = { packed: Buffer; crc: number; size: number; isEncrypted?: boolean }

const LOCAL = 0x04034b50
const DIRECTORY = 0x02014b50
const END = 0x06054b50
const DEFLATED = 8

/** A ZIP with these files, compressed. */
export function zipOf(parts: Record<string, ZipPart>): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, part] of Object.entries(parts)) {
    const name = Buffer.from(path)
    const { packed, crc, size, isEncrypted = false } = typeof part === 'string' ? packedText(part) : part
    const facts = Buffer.alloc(24)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isEncrypted ? 1 : 0, 2)
    facts.writeUInt16LE(DEFLATED, 4)
    facts.writeUInt32LE(crc, 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(size, 18)
    facts.writeUInt16LE(name.length, 22)
    const header = Buffer.concat([uint32(LOCAL), facts, Buffer.alloc(2), name])
    const rest = Buffer.alloc(16)
    rest.writeUInt32LE(at, 12)
    directory.push(Buffer.concat([uint32(DIRECTORY), Buffer.from([20, 0]), facts, rest, name]))
    local.push(header, packed)
    at += header.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, listed, uint32(END), end])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function packedText(text: string | Buffer): PackedPart {
  const content = typeof text === 'string' ? Buffer.from(text) : text
  return { packed: deflateRawSync(content), crc: crc32(content), size: content.length }
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** The parts of a workbook with one sheet. `more` replaces parts or adds some. */
export function workbookParts(sheetData: string, more: Record<string, ZipPart> = {}): Record<string, ZipPart> {
  const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
  const sheet = `<sheet name="Stock" sheetId="1" r:id="rId1"/>`
  return {
    '[Content_Types].xml': types,
    'xl/workbook.xml': workbookXml(sheet),
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheetXml(sheetData),
    ...more,
  }
}

export const workbookXml = (sheets: string, properties = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${sheets}</sheets></workbook>`
export const sheetXml = (data: string) => `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`
export const stringsXml = (items: string) => `<sst xmlns="${MAIN}">${items}</sst>`

const escaped = (text: string) => text.replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))

/**
 * A workbook with one sheet of these rows: texts, numbers, and cells in Excel's XML (`<c …>`). `formats` are the number
 * formats of its styles; 14 is a date. `changed` may change the XML of the sheet. `more` replaces parts or adds some.
 */
export function xlsxOf(
  rows: readonly (readonly (string | number | null)[])[],
  formats: readonly number[] = [],
  changed: (xml: string) => string = (xml) => xml,
  more: Record<string, ZipPart> = {},
): Buffer {
  const cell = (value: string | number | null) => {
    if (value === null) return '<c/>'
    if (typeof value === 'number') return `<c><v>${value}</v></c>`
    return value.startsWith('<c ')
      ? value
      : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
  }
  const data = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`)
  const styles = ['<xf/>', ...formats.map((id) => `<xf numFmtId="${id}"/>`)].join('')
  return zipOf(
    workbookParts('', {
      'xl/worksheets/sheet1.xml': changed(sheetXml(data.join(''))),
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs>${styles}</cellXfs></styleSheet>`,
      ...more,
    }),
  )
}
