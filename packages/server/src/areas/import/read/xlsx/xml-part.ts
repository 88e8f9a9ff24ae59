import { SaxesParser } from 'saxes'
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

export type Attributes = Readonly<Record<string, string>>
/** What to do at an element's beginning, at its text, at its end. Names come without their prefix. */
export type XmlHandlers = {
  opens?: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  closes?: (name: string) => void
}

/** Reads a part of a workbook to its end. `maxBytes` are those of its text, counted as they come. */
export async function readPart(zip: ZipFile, part: Entry, maxBytes: number, on: XmlHandlers): Promise<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let silence = 0
  parser.on('doctype', () => {
    throw new BadWorkbook(DAMAGED)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    silence = 0
    on.opens?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    silence = 0
    on.closes?.(localName(name))
  })
  if (on.text) parser.on('text', on.text)
  for await (const text of textOf(zip, part, maxBytes)) {
    silence += text.length
    parser.write(text)
    if (silence > MAX_SILENCE) throw new BadWorkbook(TOO_MUCH)
  }
  parser.close()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

async function* textOf(zip: ZipFile, part: Entry, maxBytes: number): AsyncGenerator<string> {
  if (part.isEncrypted()) throw new BadWorkbook(PROTECTED)
  const most = Math.min(maxBytes, Math.max(SMALL, part.compressedSize * MAX_PACKING))
  if (part.uncompressedSize > most) throw new BadWorkbook(TOO_MUCH)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  for await (const chunk of (await zip.openReadStreamPromise(part)) as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > most) throw new BadWorkbook(TOO_MUCH)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

/** An attribute, whatever its prefix is called: `r:id`. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`))
  return key === undefined ? undefined : attributes[key]
}
