import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import type { Entry, ZipFile } from 'yauzl'
import { BadWorkbook, DAMAGED, PROTECTED, TOO_MUCH } from './bad-workbook.ts'

/** Sheets of real devices are packed 10 to 30 times. */
const MAX_PACKING = 200
/** What is small may be packed as much as it likes. */
const SMALL = 1024 * 1024
/** Two times what Excel lets stand in a cell, in characters. */
export const MAX_CELL = 65_534
/** So many characters with no beginning or end of an element are nothing that a spreadsheet writes. */
const MAX_SILENCE = 1024 * 1024
/** The declaration of a part's encoding stands within so many bytes. */
const DECLARATION = 256

export type Attributes = Readonly<Record<string, string>>
/**
 * What to do at an element's beginning, at its text, at its end. Elements of other namespaces than the
 * root's are those of extensions and are left out. Names come without their prefix; that of an attribute
 * with one begins with its namespace.
 */
export type XmlHandlers = {
  opens?: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  closes?: (name: string) => void
}

/** Reads a part of a workbook to its end. `maxBytes` are those of its text, counted as they come. */
export async function readPart(zip: ZipFile, part: Entry, maxBytes: number, on: XmlHandlers): Promise<void> {
  const parser = new SaxesParser<{ position: false; xmlns: true }>({ position: false, xmlns: true })
  let silence = 0
  let namespace: string | undefined
  parser.on('doctype', () => {
    throw new BadWorkbook(DAMAGED)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    silence = 0
    namespace ??= uri
    if (uri === namespace) on.opens?.(local, plainAttributes(attributes))
  })
  parser.on('closetag', ({ local, uri }) => {
    silence = 0
    if (uri === namespace) on.closes?.(local)
  })
  if (on.text) {
    parser.on('text', on.text)
    parser.on('cdata', on.text)
  }
  for await (const text of textOf(zip, part, maxBytes)) {
    silence += text.length
    parser.write(text)
    if (silence > MAX_SILENCE) throw new BadWorkbook(TOO_MUCH)
  }
  parser.close()
}

function plainAttributes(attributes: Record<string, SaxesAttributeNS>): Attributes {
  const plain: Record<string, string> = {}
  for (const { prefix, local, uri, value } of Object.values(attributes))
    plain[prefix === '' ? local : `${uri}:${local}`] = value
  return plain
}

/** The beginning of a part says its encoding: by its first bytes, else in words, else it is UTF-8. */
function decoderOf(start: Buffer): TextDecoder {
  const [first, second] = start
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be', { fatal: true })
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le', { fatal: true })
  const said = /^<\?xml [^>]{0,60}encoding ?= ?["']([\w.:-]{1,40})["']/.exec(
    start.toString('latin1', 0, DECLARATION),
  )?.[1]
  if (said === undefined || /^utf-?(8|16)$/i.test(said)) return new TextDecoder('utf-8', { fatal: true })
  try {
    return new TextDecoder(said, { fatal: true })
  } catch {
    throw new BadWorkbook(`This workbook is written in '${said}', which is not read here. Save the sheet as CSV first.`)
  }
}

async function* textOf(zip: ZipFile, part: Entry, maxBytes: number): AsyncGenerator<string> {
  if (part.isEncrypted()) throw new BadWorkbook(PROTECTED)
  const most = Math.min(maxBytes, Math.max(SMALL, part.compressedSize * MAX_PACKING))
  if (part.uncompressedSize > most) throw new BadWorkbook(TOO_MUCH)
  let decoder: TextDecoder | undefined
  let start: Buffer = Buffer.alloc(0)
  let read = 0
  for await (const chunk of (await zip.openReadStreamPromise(part)) as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > most) throw new BadWorkbook(TOO_MUCH)
    if (decoder) yield decoder.decode(chunk, { stream: true })
    else {
      start = Buffer.concat([start, chunk])
      if (start.length < DECLARATION) continue
      decoder = decoderOf(start)
      yield decoder.decode(start, { stream: true })
    }
  }
  yield decoder ? decoder.decode() : decoderOf(start).decode(start)
}

/** The relation that an element names: `r:id`, whatever the prefix is called. */
export function relationOf(attributes: Attributes): string | undefined {
  const key = Object.keys(attributes).find((one) => one.endsWith('/relationships:id'))
  return key === undefined ? undefined : attributes[key]
}
