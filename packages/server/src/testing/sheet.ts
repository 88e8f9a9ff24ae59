import { inflateRawSync } from 'node:zlib'

/** The files of a ZIP by name, found through its central directory. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    files.set(name, (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content).toString('utf8'))
    at += 46 + nameLength + extra + comment
  }
  return files
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
}
const plain = (xml: string) => xml.replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity)

/** The name of a sheet, its cells by row, its XML, and that of the formats of the workbook. */
export type ReadSheet = { name: string; rows: (string | number | null)[][]; xml: string; styles: string }

/** Reads the cells of the `nth` sheet: texts as strings, numbers as numbers. */
export function readSheet(xlsx: Buffer, nth = 1): ReadSheet {
  const files = unzip(xlsx)
  const xml = files.get(`xl/worksheets/sheet${nth}.xml`)!
  const names = [...files.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*?name="([^"]*)"/g)].map(([, name]) =>
    plain(name!),
  )
  const shared = [
    ...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>.*?<t[^>]*>([\s\S]*?)<\/t>.*?<\/si>/g),
  ].map((match) => plain(match[1]!))
  const rows = [...xml.matchAll(/<row [^>]*>([\s\S]*?)<\/row>/g)].map((row) => {
    const cells: (string | number | null)[] = Array.from({ length: 11 }, () => null)
    for (const [, column, attributes, content] of row[1]!.matchAll(
      /<c r="([A-Z])\d+"([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g,
    )) {
      const value = /<v>([\s\S]*?)<\/v>/.exec(content ?? '')?.[1]
      const inline = /<t[^>]*>([\s\S]*?)<\/t>/.exec(content ?? '')?.[1]
      const text = attributes!.includes('t="s"')
        ? shared[Number(value)]
        : inline !== undefined
          ? plain(inline)
          : undefined
      cells[column!.charCodeAt(0) - 65] = text ?? (value === undefined ? null : Number(value))
    }
    return cells
  })
  return { name: names[nth - 1]!, rows, xml, styles: files.get('xl/styles.xml') ?? '' }
}
