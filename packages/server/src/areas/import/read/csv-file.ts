import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { DELIMITERS } from '@backstock/contract/import.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import type { FileOnDisk } from '../../../http/file-on-disk.ts'
import { invalid } from '../../../http/refusal.ts'
import { unguardCell } from '../../stock/csv-cell.ts'
import type { CsvRecord } from './csv-records.ts'
import { filledRecords, textOf } from './csv-text.ts'
import { type CsvRow, knownColumns, targetsOf } from './parse-row.ts'
import { refuseSwallowedRows } from './swallowed-rows.ts'

const PREAMBLE = 65_536
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export type Delimiter = (typeof DELIMITERS)[number]
/** An uploaded CSV file on disk, with the encoding of its text. */
export type CsvOnDisk = FileOnDisk & { encoding: 'utf-8' | 'windows-1252' }
export type CsvFile = { header: string[]; rows: AsyncGenerator<CsvRow> }

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a CSV file. The header is read and checked at once; each row is read when the caller asks for it. Empty rows
 * are left out. Throws 422 under `csv` if the file as a whole cannot be read, even in the middle of the rows.
 */
export async function openCsv(file: CsvOnDisk, delimiter: Delimiter): Promise<CsvFile> {
  const { start, separator, firstLine } = await preamble(file)
  if (separator !== undefined && separator !== delimiter) throw otherDelimiter(separator)
  checkDelimiter(firstLine, delimiter)
  const records = filledRecords(textOf(file, file.encoding, start), delimiter)
  const first = await records.next()
  if (first.done) throw refuse('This file has no header.')
  const names = first.value.cells.map((name) => unguardCell(name).trim())
  // An export has names as they are stored, so they are not normalised: an old name may break a rule of today.
  const header = isWholeExport(names) ? names : names.map(plainName)
  checkHeader(header)
  return { header, rows: rowsOf(records, header, delimiter) }
}

export const isWholeExport = (header: readonly string[]) => EXPORT_COLUMNS.every((column, n) => header[n] === column)

type Preamble = { start: number; separator?: string; firstLine: string }

/**
 * The start of the table, after the byte order mark and a line such as `sep=;`. Spreadsheets write that line and never
 * show it.
 */
async function preamble(file: CsvOnDisk): Promise<Preamble> {
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(PREAMBLE), 0, PREAMBLE, 0)
  const bom = buffer.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const text = buffer.toString('latin1', bom, bytesRead)
  const match = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text)
  const firstLine = text.slice(match?.[0].length ?? 0).split(/[\r\n]/, 1)[0] ?? ''
  const [line, separator] = match ?? []
  return line !== undefined && separator !== undefined
    ? { start: bom + line.length, separator, firstLine }
    : { start: bom, firstLine }
}

async function* rowsOf(
  records: AsyncGenerator<CsvRecord>,
  header: readonly string[],
  delimiter: Delimiter,
): AsyncGenerator<CsvRow> {
  const isExport = isWholeExport(header)
  for await (const record of records) {
    refuseSwallowedRows(record, header, delimiter, isExport)
    yield { line: record.row, cells: record.cells }
  }
}

function otherDelimiter(separator: string) {
  return refuse(`This file seems to use ${separator === '\t' ? 'a tab' : `'${separator}'`} as its delimiter.`)
}

/** Throws 422 if the chosen delimiter finds none of our columns in the header, but another delimiter does. */
function checkDelimiter(firstLine: string, chosen: Delimiter): void {
  const known = (delimiter: string) =>
    knownColumns(firstLine.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, '')))
  const others = [...DELIMITERS, '\t', '|'].filter((other) => other !== chosen && known(other) > 0)
  if (known(chosen) === 0 && others[0]) throw otherDelimiter(others[0])
}

const MAX_NAME = 255

export function refuseLongNames(header: readonly string[]): void {
  if (header.some((name) => name.length > MAX_NAME))
    throw refuse(`A column's name is longer than ${MAX_NAME} characters.`)
}

function checkHeader(header: readonly string[]): void {
  if (knownColumns(header) === 0)
    throw refuse('This file has no column that Backstock knows. The template shows their names.')
  refuseLongNames(header)
  const seen = new Set<string>()
  for (const [n, target] of targetsOf(header).entries()) {
    const name = header[n] ?? ''
    if (!target || target.to === 'nowhere') continue
    // Names of further columns are compared as written: two that differ in case are two columns.
    const meaning = `${target.to} ${target.name}`
    if (seen.has(meaning)) throw refuse(`The column ${name} is there twice.`)
    seen.add(meaning)
  }
}
