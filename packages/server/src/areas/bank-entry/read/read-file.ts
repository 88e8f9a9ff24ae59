import { isUtf8 } from 'node:buffer'
import { type Entry, fromBufferPromise } from 'yauzl'
import { BadBankFile, type BankFileLines, type BankLines, type ReadLine, refuseTooMany } from './bank-line.ts'
import { readCamt } from './camt.ts'
import { isMt940, readMt940 } from './mt940.ts'
import { joined } from './recognise.ts'

/** The most statements in a ZIP: those of a year, one for each day. */
const MAX_FILES = 400
/** The most bytes of one text in a ZIP, as of one that is uploaded by itself, and of all texts together. */
const MAX_TEXT_BYTES = 20 * 1024 * 1024
const MAX_ALL_BYTES = 60 * 1024 * 1024
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const DAMAGED_ZIP = 'This ZIP file is damaged or protected by a password. Unpack it, and import its files one by one.'
const TOO_LARGE = 'The statements in this ZIP are too large. Download a shorter period.'
const UNKNOWN = 'This is not a bank statement that Backstock can read. Download CAMT.053 (XML) or MT940 from your bank.'
/** The statements in a ZIP, by their names. Other files in it, such as PDFs, are skipped. */
const STATEMENT = /\.(?:xml|c53|camt|sta|mt940|940|swi|txt)$/i

/** Reads the entries of a bank's file: CAMT.053, MT940, or a ZIP with such files. Throws `BadBankFile`. */
export async function readBankFile(content: Buffer): Promise<BankFileLines> {
  if (!ZIP.every((byte, n) => content[n] === byte)) {
    const { lines, not_booked } = readStatement(content)
    return { ...joined([lines]), not_booked }
  }
  const files: ReadLine[][] = []
  let count = 0
  let not_booked = 0
  for await (const { name, bytes } of unpacked(content)) {
    const read = namingFile(name, () => readStatement(bytes))
    files.push(read.lines)
    not_booked += read.not_booked
    count += read.lines.length
    refuseTooMany(count)
  }
  return { ...joined(files), not_booked }
}

function namingFile<Result>(name: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadBankFile) throw new BadBankFile(`${name.slice(0, 100)}: ${error.message}`)
    throw error
  }
}

/**
 * The statements in a ZIP, unpacked one after the other into the same memory: the bytes of one are gone with the next.
 * The ZIP's directory says their sizes before anything is unpacked; a file that is larger than it says is damaged.
 */
async function* unpacked(content: Buffer): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const zip = await undamaged(() => fromBufferPromise(content, { lazyEntries: true }))
  if (zip.entryCount > MAX_FILES) throw new BadBankFile(`A ZIP of statements may have at most ${MAX_FILES} files.`)
  const statements: Entry[] = []
  await undamaged(async () => {
    for await (const entry of zip.eachEntry())
      if (STATEMENT.test(entry.fileName) && !entry.fileName.startsWith('__MACOSX/')) statements.push(entry)
  })
  if (statements.length === 0) throw new BadBankFile('There is no statement in this ZIP: no .xml, .sta or .txt file.')
  const sizes = statements.map(({ uncompressedSize }) => uncompressedSize)
  if (Math.max(...sizes) > MAX_TEXT_BYTES || sizes.reduce((sum, size) => sum + size, 0) > MAX_ALL_BYTES)
    throw new BadBankFile(TOO_LARGE)
  const room = Buffer.alloc(Math.max(...sizes))
  for (const entry of statements) {
    let length = 0
    await undamaged(async () => {
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>)
        length += piece.copy(room, length)
    })
    yield { name: entry.fileName, bytes: room.subarray(0, length) }
  }
}

async function undamaged<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch {
    throw new BadBankFile(DAMAGED_ZIP)
  }
}

function readStatement(content: Buffer): BankLines {
  const encoding = encodingOf(content)
  const [beginning = ''] = decoded(encoding, content)
  if (/^\s{0,100}</.test(beginning)) return readCamt(decoded(encoding, content))
  if (isMt940(beginning)) return readMt940(decoded(encoding, content))
  throw new BadBankFile(content.length === 0 ? 'This file is empty.' : UNKNOWN)
}

const DECLARED = /^\s{0,100}<\?xml [^>]{0,60}encoding ?= ?["']([\w.:-]{1,40})["']/
const LATIN = /^(?:iso-?8859-?(?:1|15)|windows-?125[02]|cp125[02]|latin-?1)$/i

/**
 * The encoding of a file. Its first bytes tell it, else the declaration of its XML. Without either it is UTF-8, or
 * Windows-1252 if it is not valid UTF-8.
 */
function encodingOf(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  const declared = DECLARED.exec(content.toString('latin1', 0, 256))?.[1]
  if (declared !== undefined && LATIN.test(declared)) return declared
  if (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared))
    throw new BadBankFile(`This file is written in '${declared}', which Backstock cannot read.`)
  return declared !== undefined || isUtf8(content) ? 'utf-8' : 'windows-1252'
}

/** The bytes that are decoded at once. The text of a whole file may take twice its memory. */
const PIECE = 64 * 1024

/** The text of a file in pieces. */
function* decoded(encoding: string, content: Buffer): Generator<string> {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    for (let at = 0; at < content.length; at += PIECE)
      yield decoder.decode(content.subarray(at, at + PIECE), { stream: at + PIECE < content.length })
  } catch {
    throw new BadBankFile(`This file is damaged: it says that it is written in ${encoding}, but it is not.`)
  }
}
