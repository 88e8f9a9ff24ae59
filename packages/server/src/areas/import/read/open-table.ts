import { ENCODINGS, SEPARATORS } from '@backstock/contract/csv-form.ts'
import { guessColumns, headerRowOf, namelessColumns } from '@backstock/contract/import-columns.ts'
import type { FileNote } from '@backstock/contract/import-preview.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { bytesOf, type FileOnDisk } from '../../../http/file-on-disk.ts'
import { invalid, Refusal } from '../../../http/refusal.ts'
import { at, zip } from '../../../lists.ts'
import { unguardCell } from '../../stock/csv-cell.ts'
import { isWholeExport, refuseLongNames } from './csv-file.ts'
import type { CsvRecord } from './csv-records.ts'
import { filledRecords, textOf } from './csv-text.ts'
import { encodingOf, SEPARATOR_LINE, separatorOf } from './guess-csv.ts'
import type { CsvRow } from './parse-row.ts'
import { refuseSwallowedRows } from './swallowed-rows.ts'
import { hiddenSheets, namedSheets } from './xlsx/sheet-names.ts'
import type { SheetFacts } from './xlsx/sheet-rows.ts'
import { xlsxToCsv } from './xlsx/xlsx-to-csv.ts'

/** Options for reading a file. An option that is left out is guessed. */
export type TableOptions = {
  format: 'csv' | 'xlsx'
  /** The id of the person who sent the file. Workbooks of several people are read in turns. */
  person: number
  sheet?: string | null | undefined
  delimiter?: string | null | undefined
  encoding?: string | null | undefined
  /** The number of the header's row, or `none` if the file has no header. */
  headerRow?: string | null | undefined
  /** Whether to leave out the rows that are hidden in a workbook. */
  leavesOutHidden?: boolean | undefined
}

export type TopRow = { row: number; text: string }

/** A supplier's file as a table. */
export type Table = {
  format: 'csv' | 'xlsx'
  /** The visible sheets of a workbook, and the name of the one that is read. */
  sheets: string[]
  sheet: string | null
  /** The hidden sheets of a workbook. */
  hiddenSheets: string[]
  /** Notes on differences between the file as a person sees it and as it is read. */
  notes: FileNote[]
  /** Null for a workbook. */
  delimiter: string | null
  encoding: string | null
  /** Whether the encoding was guessed from the letters alone. */
  isEncodingGuessed: boolean
  /** The number of the header's row in a spreadsheet, counted from 1; null if the file has no header. */
  headerRow: number | null
  /** The first rows of the file. One of them may be the header. */
  top: TopRow[]
  /** The texts of the rows above the header. */
  titles: string[]
  header: string[]
  /** The rows below the header, without empty ones. Read all of them, or call `return`, which closes the file. */
  rows: AsyncGenerator<CsvRow>
}

const HEAD = 65_536
/** The number of first rows in which the header is looked for. */
const HEADER_WITHIN = 20
const MAX_TITLE = 255
const MAX_TOP = 100
const MAX_WHERE = 3
const NO_TABLE = 'This file has no header.'

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a supplier's file. The header is found at once; each row is read when the caller asks for it. Throws 422 under
 * `csv` if the file as a whole cannot be read, even in the middle of the rows.
 */
export async function openTable(file: FileOnDisk, options: TableOptions): Promise<Table> {
  if (file.size === 0) throw refuse('This file is empty.')
  return options.format === 'xlsx' ? openSheet(file, options) : openCsvTable(file, options)
}

async function openCsvTable(file: FileOnDisk, options: TableOptions): Promise<Table> {
  const chosen = oneOf(ENCODINGS, options.encoding, 'encoding')
  const { encoding, isGuessed } = chosen ? { encoding: chosen, isGuessed: false } : await encodingOf(file)
  const head = new TextDecoder(encoding).decode(await bytesOf(file.handle, 0, HEAD), { stream: file.size > HEAD })
  const [line = '', said] = SEPARATOR_LINE.exec(head) ?? []
  const delimiter =
    oneOf(SEPARATORS, options.delimiter, 'delimeter') ??
    SEPARATORS.find((one) => one === said) ??
    separatorOf(head.slice(line.length), options.headerRow !== NO_HEADER)
  const records = filledRecords(withoutStart(textOf(file, encoding), line.length), delimiter)
  const { head: top, body } = await tableOf(records, options.headerRow)
  return {
    format: 'csv',
    sheets: [],
    sheet: null,
    hiddenSheets: [],
    notes: [],
    delimiter,
    encoding,
    isEncodingGuessed: isGuessed,
    ...top,
    rows: checked(body, top.header, delimiter),
  }
}

async function openSheet(file: FileOnDisk, options: TableOptions): Promise<Table> {
  const { leavesOutHidden = false } = options
  const choice = { sheet: options.sheet || null, leavesOutHidden }
  const { csv, sheets, hidden, sheet, facts } = await xlsxToCsv(file, choice, options.person)
  try {
    const records = filledRecords(textOf(csv, 'utf-8'), ',')
    const { head, body } = await tableOf(records, options.headerRow).catch(nameOthers(sheets, sheet, hidden))
    // A cell of a sheet may stand to the right of the header. Its column gets an empty name.
    const width = Math.max(head.header.length, ...body.first.map(({ cells }) => cells.length))
    const header = [...head.header, ...Array<string>(width - head.header.length).fill('')]
    const notes = [...notesOf(facts, head.headerRow ?? 1), ...hiddenNotes(hidden)]
    const rows = closing(csv, sheetRows(body))
    const noCsv = { delimiter: null, encoding: null, isEncodingGuessed: false }
    return { format: 'xlsx', sheets, sheet, hiddenSheets: hidden, notes, ...noCsv, ...head, header, rows }
  } catch (error) {
    await csv.handle.close()
    throw error
  }
}

/** If a workbook's sheet has no table, the message names the other sheets, because one of them may be meant. */
const nameOthers = (sheets: readonly string[], sheet: string, hidden: readonly string[]) => (error: unknown) => {
  if (error instanceof Refusal && error.errors?.['csv'] === NO_TABLE)
    throw noTable(NO_TABLE, { sheets, sheet, hiddenSheets: hidden })
  throw error
}

/** The most sheets that a refusal offers. */
const MAX_OFFERED_SHEETS = 50

/**
 * A 422 under `csv`. It names the other sheets of the workbook in its message, and the visible ones also in `sheets`,
 * so that a person can choose one.
 */
export function noTable(
  message: string,
  {
    sheets,
    sheet,
    hiddenSheets: hidden,
  }: { sheets: readonly string[]; sheet: string | null; hiddenSheets: readonly string[] },
): Refusal {
  const others = sheets.filter((name) => name !== sheet)
  const told = others.length === 1 ? ' The other sheet is' : ' The other sheets are'
  const csv = `${message}${others.length > 0 ? `${told} ${namedSheets(others)}.` : ''}${hiddenSheets(hidden)}`
  return new Refusal(422, csv, { errors: { csv }, data: { sheets: others.slice(0, MAX_OFFERED_SHEETS) } })
}

const hiddenNotes = (names: readonly string[]): FileNote[] =>
  names.length > 0 ? [{ kind: 'hidden_sheets', count: names.length, where: names.slice(0, MAX_WHERE) }] : []

function notesOf(facts: SheetFacts, headerRow: number): FileNote[] {
  const across = facts.mergedAcross.filter((row) => row >= headerRow)
  const notes: FileNote[] = [
    { kind: 'hidden_rows', count: facts.hiddenRows, where: [] },
    { kind: 'hidden_columns', count: facts.hiddenColumns.length, where: facts.hiddenColumns.slice(0, MAX_WHERE) },
    { kind: 'no_result', count: facts.noResult.count, where: facts.noResult.first },
    { kind: 'merged', count: facts.merged.count, where: facts.merged.first },
    { kind: 'merged_across', count: across.length, where: across.slice(0, MAX_WHERE).map(String) },
  ]
  return notes.filter(({ count }) => count > 0)
}

async function* sheetRows(body: Body): AsyncGenerator<CsvRow> {
  for await (const { row, cells } of recordsOf(body)) yield { line: row, cells }
}

/** The rows of a file, which is closed after the last row, or as soon as the caller stops reading. */
function closing(file: FileOnDisk, rows: AsyncGenerator<CsvRow>): AsyncGenerator<CsvRow> {
  async function* all(): AsyncGenerator<CsvRow> {
    try {
      yield* rows
    } finally {
      await file.handle.close()
    }
  }
  const open = all()
  const end = open.return.bind(open)
  // If no row was read, the generator has not begun, and its `finally` does not run. So the file is closed here.
  open.return = async (value) => {
    await file.handle.close()
    return end(value)
  }
  return open
}

function oneOf<Known extends string>(
  known: readonly Known[],
  chosen: string | null | undefined,
  field: string,
): Known | undefined {
  if (chosen === undefined || chosen === null || chosen === '') return undefined
  const found = known.find((one) => one === chosen)
  if (found === undefined) throw invalid({ [field]: `Must be one of ${known.map((one) => `'${one}'`).join(', ')}.` })
  return found
}

async function* withoutStart(texts: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let left = length
  for await (const text of texts) {
    yield text.slice(left)
    left -= Math.min(left, text.length)
  }
}

type Head = Pick<Table, 'headerRow' | 'top' | 'titles' | 'header'>
/** The records below the header: `first` were read to find the header, `others` are still to be read. */
type Body = { first: CsvRecord[]; others: AsyncGenerator<CsvRecord> }

/** Finds the header among the first records, or takes the one that the person wants. */
async function tableOf(
  records: AsyncGenerator<CsvRecord>,
  wished: string | null | undefined,
): Promise<{ head: Head; body: Body }> {
  const first: CsvRecord[] = []
  while (first.length < HEADER_WITHIN) {
    const { done, value } = await records.next()
    if (done) break
    first.push(value)
  }
  if (first.length === 0) throw refuse(NO_TABLE)
  const cells = first.map((record) => record.cells)
  const headerAt = wished ? chosenRow(first, wished) : headerAbove(cells)
  const lines = cells.map((row) => row.filter(Boolean).join(' ').slice(0, MAX_TITLE).toWellFormed())
  const top = zip(first, lines).map(([{ row }, line]) => ({ row, text: line.slice(0, MAX_TOP).toWellFormed() }))
  if (headerAt === null) {
    const head = { headerRow: null, top, titles: [], header: namelessColumns(cells) }
    return { head, body: { first, others: records } }
  }
  const found = at(first, headerAt)
  const names = found.cells.map((name) => unguardCell(name).trim())
  // An export has names as they are stored, so they are not normalised: an old name may break a rule of today.
  const header = isWholeExport(names) ? names : eachOnce(names.map(plainName))
  refuseLongNames(header)
  const head = { headerRow: found.row, top, titles: lines.slice(0, headerAt), header }
  return { head, body: { first: first.slice(headerAt + 1), others: records } }
}

/**
 * The index of the header. If the last row of a short file seems to be the header but has several unknown cells, it is
 * a phone, and the file has no header: otherwise no row would be left.
 */
function headerAbove(rows: readonly string[][]): number | null {
  const at = headerRowOf(rows)
  if (at === null || at < rows.length - 1 || rows.length === HEADER_WITHIN) return at
  const header = rows[at] ?? []
  const known = guessColumns(header, []).filter(({ how }) => how !== 'none').length
  return known < 2 && header.filter(Boolean).length > 1 ? null : at
}

/**
 * Makes names unique, because a further column is stored under its name: the second of two columns `Accessory` becomes
 * `Accessory 2`.
 */
function eachOnce(names: readonly string[]): string[] {
  const taken = new Set(names)
  const last = new Map<string, number>()
  return names.map((name) => {
    const before = last.get(name)
    last.set(name, before ?? 1)
    if (name === '' || before === undefined) return name
    let n = before + 1
    while (taken.has(`${name} ${n}`)) n++
    last.set(name, n)
    taken.add(`${name} ${n}`)
    return `${name} ${n}`
  })
}

const NO_HEADER = 'none'

/** The row that a person has chosen as the header. Throws 422 under `header_row` if it is not one of the first rows. */
function chosenRow(first: readonly CsvRecord[], wished: string): number | null {
  if (wished === NO_HEADER) return null
  const at = first.findIndex(({ row }) => String(row) === wished)
  if (at === -1) throw invalid({ header_row: `Must be '${NO_HEADER}' or the number of one of the first rows.` })
  return at
}

async function* recordsOf({ first, others }: Body): AsyncGenerator<CsvRecord> {
  yield* first
  yield* others
}

/** The rows of a CSV file. Throws 422 if a stray quotation mark has swallowed rows. */
async function* checked(body: Body, header: readonly string[], delimiter: string): AsyncGenerator<CsvRow> {
  const isExport = isWholeExport(header)
  const samples = body.first.map(({ cells }) => cells)
  const fields = zip(guessColumns(header, samples), header).map(([{ field }, name]) =>
    field === null || field === 'further' ? name : field,
  )
  for await (const record of recordsOf(body)) {
    refuseSwallowedRows(record, fields, delimiter, isExport)
    yield { line: record.row, cells: record.cells }
  }
}
