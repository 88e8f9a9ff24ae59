import { SaxesParser } from 'saxes'
import type { Entry, ZipFile } from 'yauzl'
import { BadWorkbook, DAMAGED, PROTECTED, TOO_MUCH } from './bad-workbook.ts'

/** The highest factor by which a large part may be compressed. Sheets of real devices are compressed 10 to 30 times. */
const MAX_PACKING = 200
/** The size in bytes up to which a part may be compressed by any factor. */
const SMALL = 1024 * 1024
/** The most characters of a cell: twice as many as Excel allows. */
export const MAX_CELL = 65_534
/** The most characters without the beginning or end of an element. No spreadsheet writes more. */
const MAX_SILENCE = 1024 * 1024
/** The bytes in which a part declares its encoding. */
const DECLARATION = 256

export type Attributes = Readonly<Record<string, string>>
/**
 * Handlers for the beginning of an element, its text and its end. Elements of another namespace than the root's belong
 * to extensions and are skipped. Names of elements come without their prefix, names of attributes with it.
 */
export type XmlHandlers = {
  opens?: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  closes?: (name: string) => void
}

/** Reads a part of a workbook to its end. `maxBytes` limits the uncompressed text, and is counted while it arrives. */
export async function readPart(zip: ZipFile, part: Entry, maxBytes: number, on: XmlHandlers): Promise<void> {
  // Namespaces are handled here, because the parser's own support takes as long as all the rest.
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let silence = 0
  let root: Root | undefined
  /** The number of open elements whose default namespace is not that of the root. */
  let foreign = 0
  parser.on('doctype', () => {
    throw new BadWorkbook(DAMAGED)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    silence = 0
    root ??= rootOf(name, attributes)
    if (foreign > 0 || declaresAnother(attributes, root)) foreign++
    else if (isOfRoot(name, root)) on.opens?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    silence = 0
    if (foreign > 0) foreign--
    else if (root && isOfRoot(name, root)) on.closes?.(localName(name))
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

/** Whether a part contains this word. The search ends at the first one, and takes a fraction of the time of reading. */
export async function mentions(zip: ZipFile, part: Entry, maxBytes: number, word: string): Promise<boolean> {
  let last = ''
  for await (const text of textOf(zip, part, maxBytes)) {
    if ((last + text).includes(word)) return true
    last = text.slice(-word.length)
  }
  return false
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string) => name.slice(0, Math.max(0, name.indexOf(':')))

/** The namespace of a part's root, and all prefixes that stand for it. A prefix of '' means no prefix. */
type Root = { namespace: string | undefined; prefixes: ReadonlySet<string> }

function rootOf(name: string, attributes: Attributes): Root {
  const prefix = prefixOf(name)
  const namespace = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`]
  const same = Object.entries(attributes).filter(([one, value]) => value === namespace && /^xmlns(?::|$)/.test(one))
  return { namespace, prefixes: new Set([prefix, ...same.map(([one]) => one.slice('xmlns:'.length))]) }
}

const isOfRoot = (name: string, { prefixes }: Root) => prefixes.has(prefixOf(name))

/** Whether, inside of this element, elements without a prefix have another namespace than the root's. */
const declaresAnother = ({ xmlns }: Attributes, { namespace, prefixes }: Root) =>
  xmlns !== undefined && xmlns !== namespace && prefixes.has('')

/** The decoder for a part. Its first bytes show the encoding, else its declaration does; without either it is UTF-8. */
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
    throw new BadWorkbook(
      `This workbook is written in '${said}', which Backstock cannot read. Save the sheet as CSV first.`,
    )
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

/** The id of the relation that an element refers to, in the attribute `r:id`. The prefix may have another name. */
export function relationOf(attributes: Attributes): string | undefined {
  const key = Object.keys(attributes).find((one) => one.endsWith(':id'))
  return key === undefined ? undefined : attributes[key]
}
