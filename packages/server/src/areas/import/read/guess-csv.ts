import { type ENCODINGS, SEPARATORS } from '@backstock/contract/csv-form.ts'
import { guessColumns, headerRowOf, namelessColumns } from '@backstock/contract/import-columns.ts'
import { bytesOf, type FileOnDisk, piecesOf } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { first } from '../../../lists.ts'
import { csvRecords } from './csv-records.ts'
import { decodes, MAX_COLUMNS, NUL } from './csv-text.ts'

type Encoding = (typeof ENCODINGS)[number]
type Separator = (typeof SEPARATORS)[number]

/** The bytes that are read at a time. They take a millisecond. */
const CHUNK = 256 * 1024

const MARKS: readonly (readonly [bytes: readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * For each encoding, the letters beyond English of the languages that are written in it. The encodings differ in which
 * letters occur together.
 */
const ALPHABETS = {
  'windows-1252': ['äöüß', 'àâçéèêëîïôœùûü', 'áéíóúñü', 'àèéìòù', 'àáâãçéêíóôõú', 'åäöæøé', 'áéëïóöü'],
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áéíóöőúüű', 'áäčďéíĺľňóôŕšťúýž', 'čćđšž', 'ăâîșțşţ'],
} as const
/** Excel for Mac writes Western European languages in its own encoding. */
const WRITTEN = { ...ALPHABETS, macintosh: ALPHABETS['windows-1252'] }

/**
 * Guesses the encoding of a CSV file. A byte order mark decides; else zeros mean UTF-16; else it is UTF-8 if all bytes
 * are valid in it. Otherwise the letters decide between Western Europe, Central Europe, Greece and a Mac, and
 * `isGuessed` is true. The whole file is read. Throws 422 under `csv` if it cannot be text.
 */
export async function encodingOf(file: FileOnDisk): Promise<{ encoding: Encoding; isGuessed: boolean }> {
  const start = await bytesOf(file.handle, 0, CHUNK)
  const marked = MARKS.find(([bytes]) => bytes.every((byte, n) => start[n] === byte))
  const certain = marked?.[1] ?? utf16Of(start) ?? ((await isUtf8(file)) ? 'utf-8' : undefined)
  return certain ? { encoding: certain, isGuessed: false } : { encoding: await codePageOf(file), isGuessed: true }
}

/**
 * UTF-16 if every second byte is zero, as with digits, delimiters and English letters. No other text of a table has
 * such zeros.
 */
function utf16Of(start: Buffer): Encoding | undefined {
  const zeros = start.filter((byte) => byte === 0).length
  const after = start.filter((byte, n) => byte === 0 && n % 2 === 1).length
  const before = zeros - after
  const isMost = (many: number, few: number) => many > start.length / 4 && few < many / 20
  return isMost(after, before) ? 'utf-16le' : isMost(before, after) ? 'utf-16be' : undefined
}

async function isUtf8(file: FileOnDisk): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of piecesOf(file, CHUNK)) if (!decodes(decoder, piece)) return false
  return decodes(decoder)
}

/** From this byte on, all three code pages have letters. */
const FIRST_LETTER = 0xc0
/** Bytes that mean nothing in the Greek code page. */
const NOT_GREEK = [0xaa, 0xd2, 0xff]

/**
 * Decides between the code pages. Greek words consist of letters beyond ASCII, so most of these letters follow another
 * one; in other languages they stand between English letters. A letter beyond ASCII that stands alone proves nothing,
 * because each could be Greek too.
 */
async function codePageOf(file: FileOnDisk): Promise<Encoding> {
  const counts = { all: byteCounts(), afterSmall: byteCounts(), inside: byteCounts(), alone: byteCounts() }
  let letters = 0
  let inWords = 0
  let last = 0
  let isLastAfterSmall = false
  for await (const piece of piecesOf(file, CHUNK))
    for (const byte of piece) {
      counts.all.add(byte)
      if (!isLetter(byte)) counts.alone.add(last)
      if (byte >= FIRST_LETTER) {
        letters++
        if (last >= FIRST_LETTER) inWords++
      }
      if (isLastAfterSmall && isSmall(byte)) counts.inside.add(last)
      isLastAfterSmall = isSmall(last)
      if (isLastAfterSmall) counts.afterSmall.add(byte)
      last = byte
    }
  if (counts.all.of(0) > 0) throw invalid({ csv: NUL })
  if (inWords > letters / 2 && NOT_GREEK.every((byte) => counts.all.of(byte) === 0)) return 'windows-1253'
  const [western, central, mac] = [
    likeness('windows-1252', counts),
    likeness('windows-1250', counts),
    likeness('macintosh', counts),
  ]
  // The same byte is `ü` on a Mac and `ź` in Central Europe; but texts with `ź` also have other letters of Central
  // Europe.
  if (mac > western && (mac > central || (mac === central && counts.all.of(U_OF_MAC) > 0))) return 'macintosh'
  return central > western ? 'windows-1250' : 'windows-1252'
}

/**
 * For each byte, how often it occurs: at all; after a small English letter; between two small English letters; and
 * without a letter after it.
 */
type Counts = Record<'all' | 'afterSmall' | 'inside' | 'alone', ReturnType<typeof byteCounts>>

/** Counts bytes, each by itself. */
function byteCounts() {
  const counts = new Uint32Array(256)
  const of = (byte: number) => counts[byte] ?? 0
  return {
    of,
    add(byte: number): void {
      counts[byte] = of(byte) + 1
    },
  }
}

/** Whether a byte is an English letter, or beyond ASCII. */
const isLetter = (byte: number) => byte > 127 || isSmall(byte | 0x20)
/**
 * The bytes that are the signs of pound and yen in Western Europe. In Central Europe they are letters at the start of
 * words, so they count only before a letter.
 */
const CURRENCIES: readonly number[] = [0xa3, 0xa5]
const isSmall = (byte: number) => byte >= 0x61 && byte <= 0x7a

const U_OF_MAC = 0x9f
/** Bytes that are letters on a Mac. On Windows they are an apostrophe (`iPhone’s`) and the sign of a paragraph. */
const APOSTROPHE = 0x92
const PARAGRAPH = 0xa7
const WINDOWS = new TextDecoder('windows-1252')

/**
 * How many bytes beyond ASCII are letters of the language that fits best, if the text is in this encoding. A capital
 * after a small letter does not count. For `macintosh`, a byte that is a sign on Windows counts only between small
 * letters; a `§` counts after a small letter, and an apostrophe never.
 */
function likeness(encoding: keyof typeof WRITTEN, { all, afterSmall, inside, alone }: Counts): number {
  const decoder = new TextDecoder(encoding)
  const counted = Array.from({ length: 256 }, (_, byte) => {
    const count = all.of(byte)
    const letter = decoder.decode(Uint8Array.of(byte))
    const small = letter.toLowerCase()
    if (encoding === 'windows-1250' && CURRENCIES.includes(byte)) return { small, count: count - alone.of(byte) }
    if (encoding === 'macintosh' && /[^\p{L}\p{Cc}]/u.test(WINDOWS.decode(Uint8Array.of(byte)))) {
      if (byte === APOSTROPHE) return { small, count: 0 }
      return { small, count: (byte === PARAGRAPH ? afterSmall : inside).of(byte) }
    }
    return { small, count: letter === small ? count : count - afterSmall.of(byte) }
  })
  const ofAlphabet = (alphabet: string) =>
    counted.reduce((sum, { small, count }, byte) => sum + (byte > 127 && alphabet.includes(small) ? count : 0), 0)
  return Math.max(...WRITTEN[encoding].map(ofAlphabet))
}

/** The line with the delimiter that spreadsheets write and never show. */
export const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r)/i

const ROWS = 50

/**
 * Guesses the delimiter of a CSV file from its beginning: the one with which the most columns are recognised; if
 * several are equal, the one that cuts the most rows into the same number of cells. A title of one cell, such as 'Offer
 * 47', counts as no header. `hasHeader` is false if a person has said that the file has no header.
 */
export function separatorOf(head: string, hasHeader = true): Separator {
  const tried = SEPARATORS.map((separator) => {
    const rows = firstRows(head, separator)
    const at = hasHeader ? headerRowOf(rows) : null
    const [header, below] = at === null ? [namelessColumns(rows), rows] : [rows[at] ?? [], rows.slice(at + 1)]
    const isTitle = at !== null && header.filter(Boolean).length === 1
    const known = isTitle ? 0 : guessColumns(header, below).filter(({ how }) => how !== 'none').length
    return { separator, known, evenness: evenness(rows) }
  })
  return first(tried.sort((a, b) => b.known - a.known || b.evenness - a.evenness)).separator
}

function firstRows(head: string, separator: Separator): string[][] {
  const rows: string[][] = []
  try {
    const records = csvRecords(separator, MAX_COLUMNS)
    // The text may end within a row, or the last row may have no line end. So the rest is read as a row, too.
    for (const read of [records.push(head), records.end()])
      for (const { cells } of read) {
        if (rows.length === ROWS) return rows
        if (cells.some((cell) => cell !== '')) rows.push(cells.map((cell) => cell.trim()))
      }
  } catch {
    // The text cannot be read with this delimiter. If the best delimiter fails in the same way, the file is refused
    // when it is opened.
  }
  return rows
}

/** A score that is high if many rows have the same number of cells, and each of them has more than one cell. */
function evenness(rows: readonly (readonly string[])[]): number {
  const sizes = Map.groupBy(rows, ({ length }) => length)
  const scores = [...sizes].map(([length, same]) => (same.length / rows.length) * Math.min(length - 1, 8))
  return Math.max(0, ...scores)
}
