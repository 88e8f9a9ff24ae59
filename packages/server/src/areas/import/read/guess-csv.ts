import { guessColumns, headerRowOf } from '@backstock/contract/import-columns.ts'
import { bytesOf, type FileOnDisk, piecesOf } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { csvRecords } from './csv-records.ts'
import { decodes, MAX_COLUMNS, NUL } from './csv-text.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250'] as const
export type Encoding = (typeof ENCODINGS)[number]
export const SEPARATORS = [',', ';', '\t', '|'] as const
export type Separator = (typeof SEPARATORS)[number]

/** So few bytes are looked at in a millisecond. */
const CHUNK = 256 * 1024

const MARKS: readonly (readonly [bytes: readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The letters beyond English of the languages that are written in each: what tells them apart is which occur together. */
const ALPHABETS = {
  'windows-1252': ['äöüß', 'àâçéèêëîïôœùûü', 'áéíóúñü', 'àèéìòù', 'àáâãçéêíóôõú', 'åäöæøé', 'áéëïóöü'],
  'windows-1250': ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áéíóöőúüű', 'áäčďéíĺľňóôŕšťúýž', 'čćđšž', 'ăâîșțşţ'],
} as const

/**
 * The encoding of a CSV file: what its byte order mark says; else UTF-8 if all of it is that; else the one of Western or
 * of Central Europe. Reads all of it. Throws 422 under `csv` where it cannot be text.
 */
export async function encodingOf(file: FileOnDisk): Promise<Encoding> {
  const start = await bytesOf(file.handle, 0, 3)
  const marked = MARKS.find(([bytes]) => bytes.every((byte, n) => start[n] === byte))
  if (marked) return marked[1]
  return (await isUtf8(file)) ? 'utf-8' : await codePageOf(file)
}

async function isUtf8(file: FileOnDisk): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of piecesOf(file, CHUNK)) if (!decodes(decoder, piece)) return false
  return decodes(decoder)
}

async function codePageOf(file: FileOnDisk): Promise<Encoding> {
  const counts = new Uint32Array(256)
  for await (const piece of piecesOf(file, CHUNK)) for (const byte of piece) counts[byte]!++
  if (counts[0]! > 0) throw invalid({ csv: NUL })
  return likeness('windows-1250', counts) > likeness('windows-1252', counts) ? 'windows-1250' : 'windows-1252'
}

/** How many of the bytes beyond ASCII are letters of the language, of those written so, that they fit best. */
function likeness(encoding: keyof typeof ALPHABETS, counts: Uint32Array): number {
  const decoder = new TextDecoder(encoding)
  const letters = Array.from(counts, (_, byte) => decoder.decode(Uint8Array.of(byte)).toLowerCase())
  const ofAlphabet = (alphabet: string) =>
    counts.reduce((sum, count, byte) => sum + (byte > 127 && alphabet.includes(letters[byte]!) ? count : 0), 0)
  return Math.max(...ALPHABETS[encoding].map(ofAlphabet))
}

/** The line that says the delimiter, which spreadsheets write and do not show. */
export const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r)/i

const ROWS = 50

/**
 * What separates the cells of a CSV file that begins like this: that with which most columns are known, and of several
 * that which cuts most rows into as many cells.
 */
export function separatorOf(head: string): Separator {
  const tried = SEPARATORS.map((separator) => {
    const rows = firstRows(head, separator)
    const at = headerRowOf(rows)
    const known = guessColumns(rows[at] ?? [], rows.slice(at + 1)).filter(({ how }) => how !== 'none').length
    return { separator, known, evenness: evenness(rows) }
  })
  return tried.sort((a, b) => b.known - a.known || b.evenness - a.evenness)[0]!.separator
}

function firstRows(head: string, separator: Separator): string[][] {
  const rows: string[][] = []
  try {
    for (const { cells } of csvRecords(separator, MAX_COLUMNS).push(head)) {
      if (cells.some((cell) => cell !== '')) rows.push(cells.map((cell) => cell.trim()))
      if (rows.length === ROWS) break
    }
  } catch {
    // It is told when the file is read with the delimiter that is best.
  }
  return rows
}

/** High where many rows have the same number of cells, and more than one. */
function evenness(rows: readonly (readonly string[])[]): number {
  const sizes = Map.groupBy(rows, ({ length }) => length)
  const scores = [...sizes].map(([length, same]) => (same.length / rows.length) * Math.min(length - 1, 8))
  return Math.max(0, ...scores)
}
