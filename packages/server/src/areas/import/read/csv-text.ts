import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { type FileOnDisk, piecesOf } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { MAX_FURTHER_COLUMNS } from './parse-row.ts'

/**
 * The most columns of a file: those of an export, and some for the columns without a name that spreadsheets leave
 * behind.
 */
export const MAX_COLUMNS = EXPORT_COLUMNS.length + MAX_FURTHER_COLUMNS + 500
/** The bytes that are parsed at a time. That takes some milliseconds, in which the server answers no other request. */
const CHUNK = 32 * 1024

export const NUL = 'This file has NUL characters: it is not a CSV file, or it is encoded as UTF-16.'

/** Whether the next bytes are valid in the decoder's encoding. Call it without bytes at the end of the text. */
export function decodes(decoder: TextDecoder, bytes?: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}

/**
 * The text of a file from byte `start` on, in pieces, without its byte order mark. Throws 422 under `csv` if it
 * contains a NUL character.
 */
export async function* textOf(file: FileOnDisk, encoding: string, start = 0): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of piecesOf(file, CHUNK, start)) {
    const text = decoder.decode(piece, { stream: true })
    // PostgreSQL cannot store a NUL character.
    if (text.includes('\0')) throw invalid({ csv: NUL })
    yield text
  }
  yield decoder.decode()
}

/** The records of a text that are not empty. */
export async function* filledRecords(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const records = csvRecords(delimiter, MAX_COLUMNS)
  const filled = ({ cells }: CsvRecord) => cells.some((cell) => cell !== '')
  for await (const text of texts) for (const record of records.push(text)) if (filled(record)) yield record
  for (const record of records.end()) if (filled(record)) yield record
}
