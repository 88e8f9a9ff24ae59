import { type Encoding, encodingOfStart, newLetters } from '@backstock/contract/csv-encoding.ts'
import { SEPARATORS } from '@backstock/contract/csv-form.ts'
import { guessColumns, headerRowOf, namelessColumns } from '@backstock/contract/import-columns.ts'
import { bytesOf, type FileOnDisk, piecesOf } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { first } from '../../../lists.ts'
import { csvRecords } from './csv-records.ts'
import { decodes, MAX_COLUMNS, NUL } from './csv-text.ts'

type Separator = (typeof SEPARATORS)[number]

/** The bytes that are read at a time. They take a millisecond. */
const CHUNK = 256 * 1024

/**
 * Guesses the encoding of a CSV file. Its first bytes may decide; else it is UTF-8 if all bytes are valid in it.
 * Otherwise the letters decide between code pages, and `isGuessed` is true. The whole file is read. Throws 422 under
 * `csv` if it cannot be text.
 */
export async function encodingOf(file: FileOnDisk): Promise<{ encoding: Encoding; isGuessed: boolean }> {
  const start = await bytesOf(file.handle, 0, CHUNK)
  const certain = encodingOfStart(start) ?? ((await isUtf8(file)) ? 'utf-8' : undefined)
  return certain ? { encoding: certain, isGuessed: false } : { encoding: await codePageOf(file), isGuessed: true }
}

async function isUtf8(file: FileOnDisk): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of piecesOf(file, CHUNK)) if (!decodes(decoder, piece)) return false
  return decodes(decoder)
}

async function codePageOf(file: FileOnDisk): Promise<Encoding> {
  const letters = newLetters()
  for await (const piece of piecesOf(file, CHUNK)) letters.add(piece)
  if (letters.hasNul()) throw invalid({ csv: NUL })
  return letters.codePage(TextDecoder)
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
