import { ENCODINGS, SEPARATORS } from '@backstock/contract/csv-form.ts'
import { guessColumns, headerRowOf, namelessColumns } from '@backstock/contract/import-columns.ts'
import type { FileNote } from '@backstock/contract/import-preview.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { bytesOf, type FileOnDisk } from '../../../http/file-on-disk.ts'
import { invalid, Refusal } from '../../../http/refusal.ts'
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

/** How to read a file; what is not said is guessed. */
export type TableOptions = {
  format: 'csv' | 'xlsx'
  /** The id of whoever sent it: people take turns with workbooks. */
  person: number
  sheet?: string | null | undefined
  delimiter?: string | null | undefined
  encoding?: string | null | undefined
  /** The number of the header's row, or `none`. */
  headerRow?: string | null | undefined
  /** Rows of a workbook that its maker has hidden. */
  leavesOutHidden?: boolean | undefined
}

export type TopRow = { row: number; text: string }

/** A file of any supplier as a table. */
export type Table = {
  format: 'csv' | 'xlsx'
  /** Only for a workbook: its visible sheets, and the one that is read. */
  sheets: string[]
  sheet: string | null
  /** Only for a workbook: its hidden sheets. */
  hiddenSheets: string[]
  /** The differences between the file as a person sees it and as it is read. */
  notes: FileNote[]
  /** Only for a CSV file. */
  delimiter: string | null
  encoding: string | null
  /** Whether only the letters tell it. */
  isEncodingGuessed: boolean
  /** As a spreadsheet numbers it, from 1 on; null if the file has none. */
  headerRow: number | null
  /** The first rows of the file, of which one may be the header. */
  top: TopRow[]
  /** The contents of the rows above the header. */
  titles: string[]
  header: string[]
  /** The rows below the header, without the empty ones. Ask for all of them, or `return` it. */
  rows: AsyncGenerator<CsvRow>
}

const HEAD = 65_536
/** The header is one of so many rows. */
const HEADER_WITHIN = 20
const MAX_TITLE = 255
const MAX_TOP = 100
const MAX_WHERE = 3
const NO_TABLE = 'This file has no header.'

const refuse = (message: string) => invalid({ csv: message })

/**
 * Opens a supplier's file: its header is found at once, its rows are read as they are asked for. Throws 422 under `csv`
 * for whatever makes the file as a whole unreadable, also from the middle of the rows.
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
  const wish = { sheet: options.sheet || null, leavesOutHidden }
  const { csv, sheets, hidden, sheet, facts } = await xlsxToCsv(file, wish, options.person)
  try {
    const records = filledRecords(textOf(csv, 'utf-8'), ',')
    const { head, body } = await tableOf(records, options.headerRow).catch(nameOthers(sheets, sheet, hidden))
    // A cell of a sheet stands in its column, also beside the header.
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

/** If a workbook's sheet has no table, the message names the other sheets: one of them may be meant. */
const nameOthers = (sheets: readonly string[], sheet: string, hidden: readonly string[]) => (error: unknown) => {
  if (error instanceof Refusal && error.errors?.['csv'] === NO_TABLE)
    throw noTable(NO_TABLE, { sheets, sheet, hiddenSheets: hidden })
  throw error
}

/** The most sheets of which a refusal lets a person choose. */
const MAX_OFFERED_SHEETS = 50

/** 422 under `csv`. The other sheets of the workbook are told, in words and as `sheets`; hidden ones in words alone. */
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

/** Closes the file after its last row, or as soon as nobody wants more of them. */
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
  // A generator that was never asked runs no `finally`.
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
/** The records below the header: those that were read to find it, and the others. */
type Body = { first: CsvRecord[]; others: AsyncGenerator<CsvRecord> }

/** Finds the header among the first records, or takes the one that is wished. */
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
  const at = wished ? chosenRow(first, wished) : headerAbove(cells)
  const lines = cells.map((row) => row.filter(Boolean).join(' ').slice(0, MAX_TITLE).toWellFormed())
  const top = first.map(({ row }, n) => ({ row, text: lines[n]!.slice(0, MAX_TOP).toWellFormed() }))
  if (at === null) {
    const head = { headerRow: null, top, titles: [], header: namelessColumns(cells) }
    return { head, body: { first, others: records } }
  }
  const found = first[at]!
  const names = found.cells.map((name) => unguardCell(name).trim())
  // The names in an export are those that are stored, also if older rules took them.
  const header = isWholeExport(names) ? names : eachOnce(names.map(plainName))
  refuseLongNames(header)
  const head = { headerRow: found.row, top, titles: lines.slice(0, at), header }
  return { head, body: { first: first.slice(at + 1), others: records } }
}

/** A last row of several cells that are no names of ours is a phone: no row would be left below it. */
function headerAbove(rows: readonly string[][]): number | null {
  const at = headerRowOf(rows)
  if (at === null || at < rows.length - 1 || rows.length === HEADER_WITHIN) return at
  const header = rows[at] ?? []
  const known = guessColumns(header, []).filter(({ how }) => how !== 'none').length
  return known < 2 && header.filter(Boolean).length > 1 ? null : at
}

/** A further column is kept under its name: of several with one name the second is `Accessory 2`. */
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

/** Throws 422 under `header_row` for what is none of the first rows. */
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

/** The rows of a CSV file, as long as no stray quotation mark has swallowed some. */
async function* checked(body: Body, header: readonly string[], delimiter: string): AsyncGenerator<CsvRow> {
  const isExport = isWholeExport(header)
  const samples = body.first.map(({ cells }) => cells)
  const fields = guessColumns(header, samples).map(({ field }, n) =>
    field === null || field === 'further' ? header[n]! : field,
  )
  for await (const record of recordsOf(body)) {
    refuseSwallowedRows(record, fields, delimiter, isExport)
    yield { line: record.row, cells: record.cells }
  }
}
