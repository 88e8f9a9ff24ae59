import { DELIMITERS, EXPORT_COLUMNS } from '@backstock/contract/import.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { invalid } from '../../http/refusal.ts'
import { unguardCell } from '../stock/csv-cell.ts'
import { MAX_NAMES } from './attribute-names.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { knownColumns, targetsOf } from './header.ts'
import { piecesOf, type Spool } from './spool.ts'
import { swallowsRows } from './swallowed-rows.ts'

/** All that an export may have, and room for columns without a name that a spreadsheet leaves behind. */
const MAX_COLUMNS = EXPORT_COLUMNS.length + MAX_NAMES + 500
const PREAMBLE = 65_536
const MAX_NAME = 255
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export type Delimiter = (typeof DELIMITERS)[number]
/** `line` as a spreadsheet numbers its rows: the header is 1, and a record with line breaks in a cell is one. */
export type CsvRow = { line: number; cells: string[] }
export type CsvFile = { header: string[]; rows: AsyncGenerator<CsvRow> }

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a CSV file: its header is read and checked at once, its rows as they are asked for. Empty rows are left out. Throws
 * 422 under `csv` for whatever makes the file as a whole unreadable, also from the middle of the rows.
 */
export async function openCsv(file: Spool, delimiter: Delimiter): Promise<CsvFile> {
  const { start, separator, firstLine } = await preamble(file)
  if (separator !== undefined && separator !== delimiter) throw otherDelimiter(separator)
  checkDelimiter(firstLine, delimiter)
  const records = recordsOf(file, start, delimiter)
  const first = await records.next()
  if (first.done) throw refuse('This file has no header.')
  const names = first.value.cells.map((name) => unguardCell(name).trim())
  // An export's are those that are stored, whatever they were when they came.
  const header = isWholeExport(names) ? names : names.map(plainName)
  checkHeader(header)
  return { header, rows: rowsOf(records, header, delimiter) }
}

const isWholeExport = (header: readonly string[]) => EXPORT_COLUMNS.every((column, n) => header[n] === column)

type Preamble = { start: number; separator?: string; firstLine: string }

/** Where the table starts: after the byte order mark and a line `sep=;` that spreadsheets write for themselves, and never show. */
async function preamble(file: Spool): Promise<Preamble> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(PREAMBLE), 0, PREAMBLE, 0)
  const bom = buffer.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const text = buffer.toString('latin1', bom, bytesRead)
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text)
  const firstLine = text.slice(match?.[0].length ?? 0).split(/[\r\n]/, 1)[0]!
  return match ? { start: bom + match[0].length, separator: match[1]!, firstLine } : { start: bom, firstLine }
}

/** Those that say something. */
async function* recordsOf(file: Spool, start: number, delimiter: Delimiter): AsyncGenerator<CsvRecord> {
  const records = csvRecords(delimiter, MAX_COLUMNS)
  const decoder = new TextDecoder(file.encoding)
  const filled = ({ cells }: CsvRecord) => cells.some((cell) => cell !== '')
  for await (const piece of piecesOf(file, start))
    for (const record of records.push(decoder.decode(piece, { stream: true }))) if (filled(record)) yield record
  for (const record of records.push(decoder.decode())) if (filled(record)) yield record
  for (const record of records.end()) if (filled(record)) yield record
}

async function* rowsOf(
  records: AsyncGenerator<CsvRecord>,
  header: readonly string[],
  delimiter: Delimiter,
): AsyncGenerator<CsvRow> {
  const isExport = isWholeExport(header)
  for await (const record of records) {
    if (swallowsRows(record, header, delimiter, isExport))
      throw refuse(
        `In row ${record.row} a quotation mark is opened, and the rows after it stand in its cell. A quotation mark at the start of a cell needs one at its end.`,
      )
    yield { line: record.row, cells: record.cells }
  }
}

function otherDelimiter(separator: string) {
  return refuse(`This file seems to use ${separator === '\t' ? 'a tab' : `'${separator}'`} as its delimiter.`)
}

/** Only where the header makes no sense with the delimiter that was chosen, and does with another. */
function checkDelimiter(firstLine: string, chosen: Delimiter): void {
  const known = (delimiter: string) =>
    knownColumns(firstLine.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, '')))
  const others = [...DELIMITERS, '\t', '|'].filter((other) => other !== chosen && known(other) > 0)
  if (known(chosen) === 0 && others[0]) throw otherDelimiter(others[0])
}

function checkHeader(header: readonly string[]): void {
  if (knownColumns(header) === 0) throw refuse('This file has no column that we know. The template shows their names.')
  const seen = new Set<string>()
  for (const [n, target] of targetsOf(header).entries()) {
    const name = header[n]!
    if (name.length > MAX_NAME) throw refuse(`A column's name is longer than ${MAX_NAME} characters.`)
    if (!target || target.to === 'nowhere') continue
    // Further names are kept as they are written: two that differ in case are two columns, of an export too.
    const meaning = `${target.to} ${target.name}`
    if (seen.has(meaning)) throw refuse(`The column ${name} is there twice.`)
    seen.add(meaning)
  }
}
