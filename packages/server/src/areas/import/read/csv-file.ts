import { columnCalled, DELIMITERS, EXPORT_COLUMNS, ITEM_COLUMN } from '@backstock/contract/import.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { type FileOnDisk, piecesOf } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { unguardCell } from '../../stock/csv-cell.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { type CsvRow, isCellOf, knownColumns, MAX_FURTHER_COLUMNS, targetsOf } from './parse-row.ts'

/** The most columns of an export, and room for the columns without a name that spreadsheets leave behind. */
const MAX_COLUMNS = EXPORT_COLUMNS.length + MAX_FURTHER_COLUMNS + 500
const PREAMBLE = 65_536
/** So few bytes are parsed in some milliseconds; nobody else is answered meanwhile. */
const CHUNK = 32 * 1024
const MAX_NAME = 255
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export type Delimiter = (typeof DELIMITERS)[number]
/** An uploaded CSV file, and the encoding of its text. */
export type CsvOnDisk = FileOnDisk & { encoding: 'utf-8' | 'windows-1252' }
export type CsvFile = { header: string[]; rows: AsyncGenerator<CsvRow> }

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a CSV file: its header is read and checked at once, its rows as they are asked for. Empty rows are left out.
 * Throws 422 under `csv` for whatever makes the file as a whole unreadable, also from the middle of the rows.
 */
export async function openCsv(file: CsvOnDisk, delimiter: Delimiter): Promise<CsvFile> {
  const { start, separator, firstLine } = await preamble(file)
  if (separator !== undefined && separator !== delimiter) throw otherDelimiter(separator)
  checkDelimiter(firstLine, delimiter)
  const records = recordsOf(file, start, delimiter)
  const first = await records.next()
  if (first.done) throw refuse('This file has no header.')
  const names = first.value.cells.map((name) => unguardCell(name).trim())
  // The names in an export are those that are stored, also if older rules took them.
  const header = isWholeExport(names) ? names : names.map(plainName)
  checkHeader(header)
  return { header, rows: rowsOf(records, header, delimiter) }
}

const isWholeExport = (header: readonly string[]) => EXPORT_COLUMNS.every((column, n) => header[n] === column)

type Preamble = { start: number; separator?: string; firstLine: string }

/** Where the table starts: after the byte order mark and the line `sep=;`, which spreadsheets write and do not show. */
async function preamble(file: CsvOnDisk): Promise<Preamble> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(PREAMBLE), 0, PREAMBLE, 0)
  const bom = buffer.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const text = buffer.toString('latin1', bom, bytesRead)
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text)
  const firstLine = text.slice(match?.[0].length ?? 0).split(/[\r\n]/, 1)[0]!
  return match ? { start: bom + match[0].length, separator: match[1]!, firstLine } : { start: bom, firstLine }
}

/** The records that are not empty. */
async function* recordsOf(file: CsvOnDisk, start: number, delimiter: Delimiter): AsyncGenerator<CsvRecord> {
  const records = csvRecords(delimiter, MAX_COLUMNS)
  const decoder = new TextDecoder(file.encoding)
  const filled = ({ cells }: CsvRecord) => cells.some((cell) => cell !== '')
  for await (const piece of piecesOf(file, CHUNK, start))
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

/** Refuses only if the chosen delimiter finds none of our columns in the header, and another one does. */
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
    // Further names are kept as written: two that differ only in case are two columns.
    const meaning = `${target.to} ${target.name}`
    if (seen.has(meaning)) throw refuse(`The column ${name} is there twice.`)
    seen.add(meaning)
  }
}

/**
 * Whether a cell with line breaks holds rows of the file: `"as new` opens a cell in one row, and `6.1"` closes it some
 * rows later. Then each line of the cell has as many cells as a row would have there; and either the row as a whole has
 * too many or too few cells, or one of those cells can only belong to its column, as an IMEI or a price. Some programs
 * end each row with a delimiter: the empty cell after it does not count. The notes of a whole export may hold anything,
 * so that there each line must begin with an item's number too, as an export's rows do.
 */
function swallowsRows(
  { cells, broken }: CsvRecord,
  header: readonly string[],
  delimiter: string,
  isWholeExport: boolean,
): boolean {
  const surplus = cells.slice(header.length)
  const filled = cells.length - surplus.length + surplus.findLastIndex((cell) => cell !== '') + 1
  return broken.some((at) => {
    const lines = cells[at]!.split(/[\r\n]+/).map((line) => line.split(delimiter))
    const last = lines.length - 1
    /**
     * Where a line's cells begin and end in the header: the first goes on from here, the last ends where the row goes
     * on.
     */
    const from = (n: number) => (n === 0 ? at : 0)
    const to = (n: number, length: number) => header.length - (n === last ? length - at - 1 : 0)
    const areRows = (length: number) => lines.every((line, n) => hasCells(line, to(n, length) - from(n)))
    if (!areRows(cells.length) && !areRows(filled)) return false
    if (isWholeExport) return lines.slice(1).every(([first]) => isCellOf(ITEM_COLUMN, first!.trim()))
    return (
      filled !== header.length ||
      lines.some((line, n) => line.some((cell, i) => isTyped(header[from(n) + i] ?? '', cell.trim())))
    )
  })
}

const hasCells = (line: readonly string[], many: number) =>
  line.length === many || (line.length === many + 1 && line.at(-1) === '')

function isTyped(name: string, cell: string): boolean {
  const column = columnCalled(name)
  return column !== undefined && isCellOf(column, cell)
}
