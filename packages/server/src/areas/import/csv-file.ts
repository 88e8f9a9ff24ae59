import { Readable } from 'node:stream'
import { CSV_COLUMNS, DELIMITERS } from '@backstock/contract/import.ts'
import { CsvError, type Info, parse } from 'csv-parse'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { unguardCell } from '../stock/csv-cell.ts'
import { MAX_NAMES } from './attribute-names.ts'
import { knownColumns, targetsOf } from './header.ts'
import { piecesOf, type Spool } from './spool.ts'

/** A header of all the names that a shop may have, or a row with a hundred long notes. */
const MAX_RECORD = 1_048_576
/** In bytes. The parser does not count cells that are empty, and would take a file of nothing but commas for one row. */
const MAX_LINE = 4 * MAX_RECORD
/** All that an export may have, and room for columns without a name that a spreadsheet leaves behind. */
const MAX_COLUMNS = CSV_COLUMNS.length + MAX_NAMES + 500
const PREAMBLE = 65_536
const MAX_NAME = 255
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export type Delimiter = (typeof DELIMITERS)[number]
export type CsvRow = { line: number; cells: string[] }
export type CsvFile = { header: string[]; rows: AsyncGenerator<CsvRow> }

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a CSV file: its header is read and checked at once, its rows as they are asked for; each row with the line on
 * which it ends. Empty rows are left out. Throws 422 under `csv` for whatever makes the file as a whole unreadable, also
 * from the middle of the rows.
 */
export async function openCsv(file: Spool, delimiter: Delimiter): Promise<CsvFile> {
  const { start, lines, separator, firstLine } = await preamble(file)
  if (separator !== undefined && separator !== delimiter) throw otherDelimiter(separator)
  checkDelimiter(firstLine, delimiter)
  const records = recordsOf(file, start, lines, delimiter)
  const first = await records.next()
  if (first.done) throw refuse('This file has no header.')
  const header = first.value.cells.map((name) => unguardCell(name).trim())
  checkHeader(header)
  return { header, rows: records }
}

type Preamble = { start: number; lines: number; separator?: string; firstLine: string }

/** Where the table starts: after the byte order mark and a line `sep=;` that spreadsheets write for themselves. */
async function preamble(file: Spool): Promise<Preamble> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(PREAMBLE), 0, PREAMBLE, 0)
  const bom = buffer.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const text = buffer.toString('latin1', bom, bytesRead)
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text)
  const firstLine = text.slice(match?.[0].length ?? 0).split(/[\r\n]/, 1)[0]!
  return match
    ? { start: bom + match[0].length, lines: 1, separator: match[1]!, firstLine }
    : { start: bom, lines: 0, firstLine }
}

async function* textOf(file: Spool, start: number): AsyncGenerator<Buffer | string> {
  const decoder = file.encoding === 'utf-8' ? null : new TextDecoder(file.encoding)
  let lineLength = 0
  for await (const piece of piecesOf(file, start)) {
    const newline = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r'))
    lineLength = newline === -1 ? lineLength + piece.length : piece.length - newline - 1
    if (lineLength > MAX_LINE) throw refuse(`A line is longer than ${MAX_LINE.toLocaleString('en')} characters.`)
    yield decoder ? decoder.decode(piece, { stream: true }) : piece
  }
}

async function* recordsOf(file: Spool, start: number, before: number, delimiter: Delimiter): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    ltrim: true, // trimming at both ends would fail on `"6.1" display`
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    info: true,
    max_record_size: MAX_RECORD,
  })
  const source = Readable.from(textOf(file, start), { objectMode: true })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = before + info.lines
      if (record.length > MAX_COLUMNS)
        throw refuse(`Line ${line} has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
      yield { line, cells: record.map(withoutSpaceAfterQuote) }
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error, before) : error
  } finally {
    source.destroy()
    parser.destroy()
  }
}

function withoutSpaceAfterQuote(cell: string): string {
  return cell.startsWith('"') && cell.endsWith(' ') ? cell.replace(/^"([^"]*)" +$/, '$1') : cell
}

function unreadable(error: CsvError, before: number): Refusal {
  const after = `After line ${before + Number(error['records']) + Number(error['empty_lines'])}`
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return refuse(`${after} a quotation mark is opened and never closed.`)
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return refuse(
      `${after} a row is longer than ${MAX_RECORD.toLocaleString('en')} characters. Is a quotation mark never closed?`,
    )
  return refuse(`${after} this file cannot be read: ${error.message}.`)
}

function otherDelimiter(separator: string): Refusal {
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
    if (!target) continue
    // Further names are kept as they are written: two that differ in case are two columns, of an export too.
    const meaning = `${target.to} ${target.name}`
    if (seen.has(meaning)) throw refuse(`The column ${name} is there twice.`)
    seen.add(meaning)
  }
}
