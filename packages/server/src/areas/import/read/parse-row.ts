import type { FieldErrors } from '@backstock/contract/answer.ts'
import {
  columnCalled,
  EXPORT_COLUMNS,
  type ExportColumn,
  GRADING,
  ITEM_COLUMN,
  isGrading,
  resultColumns,
} from '@backstock/contract/csv-columns.ts'
import { MAX_NOTES } from '@backstock/contract/fields.ts'
import { imeiByForm } from '@backstock/contract/imei.ts'
import { plainNotes } from '@backstock/contract/plain-text.ts'
import { spreadsheetError, spreadsheetErrorMessage } from '@backstock/contract/spreadsheet-error.ts'
import { isSum, saysSum, sumMessage } from '@backstock/contract/sum-row.ts'
import { BadCell, quoted } from '../../stock/cell-kinds.ts'
import { CSV, type CsvValues } from '../../stock/columns.ts'
import { unguardCell } from '../../stock/csv-cell.ts'
import { IDENTIFIER_KINDS, IDENTIFIERS } from '../../stock/identifier-kinds.ts'
import type { DescribedProduct } from './described-product.ts'
import { lettersOf } from './xlsx/cell-reference.ts'

/**
 * A row of a file. `line` is its number in a spreadsheet (the header is 1), or its place in a partner's push. If the
 * row was split off a row with several IMEIs, `of` is the number of that row; people see only that one.
 */
export type CsvRow = { line: number; of?: number; cells: string[] }

/** The number of a row in its file, for messages. */
export const rowInFile = ({ line, of = line }: Pick<CsvRow, 'line' | 'of'>): number => of

/**
 * A row by the columns of its header. An empty cell is left out; like a missing column, it leaves the item's value as
 * it is.
 */
export type ParsedRow = {
  line: number
  of?: number
  cells: Partial<Record<ExportColumn, string>>
  grading: Record<string, string>
  attributes: Record<string, string>
  /** The values of the cells, and the errors in them, by column. */
  values: CsvValues
  errors: FieldErrors
  /** A cell has a spreadsheet's error and counts as empty. */
  hasIgnoredError?: true
  /** The product that the row means according to a person, no matter what its cells say. */
  product?: DescribedProduct
  /** The product for a new item whose row names none. */
  productIfNew?: DescribedProduct
  /** The purchase price in hundredths, for a new item whose row has none. */
  priceIfNew?: number
  /** The rates for prices if neither the row nor its item has one, by currency. */
  rates?: ReadonlyMap<string, number>
  /** The column holds serial numbers, so a number in it that looks like an IMEI stays a serial number. */
  keepsSerial?: boolean
  /** The meaning of an empty cell in the column of network locks. It holds for a new item. */
  blankLock?: 'locked' | 'unlocked'
  /** The row adds up other rows, or is a sentence below the table. Its only error is then `errors.csv`. */
  isNoItem?: true
  /** The row has one identifier at most, and its quantity is not 1. */
  hasOtherQuantity?: true
}

/** The fields of a row that depend on a preview's settings. */
export type Translated = 'cells' | 'errors' | 'keepsSerial' | 'priceIfNew' | 'rates' | 'blankLock'

/** The most further columns of a shop. An export has all of them, and PostgreSQL allows 1,664 columns. */
export const MAX_FURTHER_COLUMNS = 1000

/**
 * The target of a column's cells. `nowhere`: the column has no name, so its cells must be empty. Null: the column
 * belongs to an import's result and is not read.
 */
export type Target =
  | { to: 'column'; name: ExportColumn }
  | { to: 'grading' | 'attribute'; name: string }
  | { to: 'nowhere'; letters: string }
  | null

/** The number of names that are columns of ours. */
export function knownColumns(header: readonly string[]): number {
  return header.filter((name) => columnCalled(name)).length
}

/**
 * The targets of a header's columns. `grading_x` goes to the raw grading data; an unknown name becomes a further
 * column.
 */
export function targetsOf(header: readonly string[]): Target[] {
  const result = resultColumns(header)
  const isExport = header.includes(ITEM_COLUMN)
  return header.map((name, n) => {
    if (n < result) return null
    if (name === '') return { to: 'nowhere', letters: lettersOf(n) }
    const column = columnCalled(name)
    // An export may have an old further column `Sales Price` beside our `sales_price`, or a second column `grade`.
    const isFurther = isExport && column !== undefined && header.includes(column) && header.indexOf(column) !== n
    if (column && !isFurther) return { to: 'column', name: column }
    if (isGrading(name)) return { to: 'grading', name: name.slice(GRADING.length) }
    return { to: 'attribute', name }
  })
}

/**
 * Reads a row, and collects the errors of all its cells. The item's own number is read only if rows may name items by
 * it. `translate` changes the cells to the form that is read here. If it cannot read a cell, it adds an error to the
 * row.
 */
export function parseRow(
  targets: readonly Target[],
  { line, of, cells }: CsvRow,
  namesItems: boolean,
  translate: (row: Pick<ParsedRow, Translated>) => void = () => undefined,
): ParsedRow {
  const row: ParsedRow = { line, cells: {}, grading: {}, attributes: {}, values: {}, errors: {} }
  if (of !== undefined) row.of = of
  let nameless: string | undefined
  let isTooLong = false
  let sum: string | undefined
  for (const [index, raw] of cells.entries()) {
    const cell = unguardCell(raw).trim()
    // A cell with only invisible characters counts as empty.
    if (plainNotes(cell) === '') continue
    const target = targets[index]
    sum ??= sumIn(cell, target)
    const isError = spreadsheetError(cell) !== null
    if (target === undefined) isTooLong = true
    else if (target?.to === 'column') {
      if (!isError || MUST_SAY.has(target.name)) row.cells[target.name] = cell
      else row.hasIgnoredError = true
    } else if (isError && target?.to !== 'nowhere') {
      if (target) row.hasIgnoredError = true
    } else if (target?.to === 'nowhere')
      nameless ??= `Column ${target.letters} has no name in the header, and here it has ${quoted(cell)}.`
    else if (target) set(target.to === 'grading' ? row.grading : row.attributes, target.name, cell)
  }
  const isSentence = targets.length > 1 && isAlone(row)
  translate(row)
  readCells(row, namesItems)
  if (!row.keepsSerial) imeiOfSerial(row)
  const surplus = isTooLong
    ? 'This row has more cells than the header. If a cell contains the delimiter, put it in quotation marks.'
    : undefined
  const other = sum !== undefined && isAnonymous(row) ? sumMessage(sum) : isSentence ? SENTENCE : undefined
  if (other) row.isNoItem = true
  if (nameless || surplus || other) row.errors['csv'] = [nameless, surplus, other].filter(Boolean).join(' ')
  return row
}

/**
 * The columns that identify an item or its product, and the price. If one of them has a spreadsheet's error, the row
 * fails.
 */
const MUST_SAY: ReadonlySet<ExportColumn> = new Set([
  ...IDENTIFIER_KINDS.map((kind) => IDENTIFIERS[kind].column),
  ITEM_COLUMN,
  'eid',
  'make',
  'model',
  'purchase_price',
])

/** Columns in which people write sentences. Only a cell that is as a whole a word for a sum counts there. */
const IN_WORDS: ReadonlySet<ExportColumn> = new Set(['engineer_notes', 'location'])

/** The cell if it shows that the row adds up others, else undefined. */
function sumIn(cell: string, target: Target | undefined): string | undefined {
  const isSentence = target?.to === 'grading' || (target?.to === 'column' && IN_WORDS.has(target.name))
  return (isSentence ? isSum(cell) : saysSum(cell)) ? cell : undefined
}

const SENTENCE = 'This row has text in one cell only: it is not an item.'
/** The columns that identify an item. */
export const IDENTIFYING = [ITEM_COLUMN, ...IDENTIFIER_KINDS.map((kind) => IDENTIFIERS[kind].column)] as const

/** Whether a row has one cell only, which identifies no item. */
const isAlone = ({ cells, grading, attributes }: ParsedRow) =>
  [cells, grading, attributes].reduce((sum, part) => sum + Object.keys(part).length, 0) === 1 &&
  IDENTIFYING.every((column) => cells[column] === undefined)

/** Whether a row has neither an IMEI nor an item's number. It may not be a phone at all. */
const isAnonymous = ({ values: { imei, imei2, backstock_item } }: ParsedRow) =>
  imei === undefined && imei2 === undefined && backstock_item === undefined

/**
 * If a row's serial number is an IMEI by its form, makes it the phone's IMEI. A row that names its item by number stays
 * as it is, because it has what that item has.
 */
export function imeiOfSerial(row: ParsedRow): void {
  const imei = imeiInSerial(row)
  if (imei === null) return
  row.values.imei = imei
  delete row.values.serial_number
}

/** The IMEI that a row's serial number is by its form; null if the row has an IMEI, or names its item by number. */
export function imeiInSerial({ cells, values, errors }: ParsedRow): string | null {
  if (cells.imei !== undefined || values.backstock_item !== undefined || errors['imei']) return null
  return imeiByForm(values.serial_number ?? '')
}

const TOO_LONG = `At most ${MAX_NOTES.toLocaleString('en')} characters.`

function readCells({ cells, grading, attributes, values, errors }: ParsedRow, namesItems: boolean): void {
  for (const column of EXPORT_COLUMNS) {
    const cell = cells[column]
    if (cell === undefined || (column === ITEM_COLUMN && !namesItems)) continue
    const broken = MUST_SAY.has(column) ? spreadsheetError(cell) : null
    if (broken) {
      errors[column] = spreadsheetErrorMessage(broken)
      continue
    }
    try {
      CSV[column].read(cell, values)
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      errors[column] = error.message
    }
  }
  for (const [name, cell] of Object.entries(grading)) if (cell.length > MAX_NOTES) errors[`grading_${name}`] = TOO_LONG
  for (const [name, cell] of Object.entries(attributes)) if (cell.length > MAX_NOTES) errors[name] = TOO_LONG
}

/** Whether a cell can hardly belong to another column. */
export const isCellOf = (column: ExportColumn, cell: string) => cell !== '' && CSV[column].isPlainly(cell)

/** Sets a property, even if its name is `__proto__`. */
function set(record: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}
