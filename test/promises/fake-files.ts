import { crc32, deflateSync } from 'node:zlib'

/** A PNG that says to be so large, and has 5 MB of pixels. */
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

/** A PDF whose page stands in a compressed stream, behind so many spaces: a thousandth of them when packed. */
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
