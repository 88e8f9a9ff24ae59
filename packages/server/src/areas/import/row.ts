import type { FieldErrors } from '@backstock/contract/answer.ts'
import { identifierOfCell, isShortened, shortenedMessage } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, imeiProblem } from '@backstock/contract/imei.ts'
import { EXPORT_COLUMNS, type ExportColumn, ITEM_COLUMN } from '@backstock/contract/import.ts'
import { CURRENCY, MAX_PRICE, parseCurrencyUnits } from '@backstock/contract/money.ts'
import { plainName, plainNotes, textProblem } from '@backstock/contract/plain-text.ts'
import { CAPACITY_UNITS, type CapacityUnit } from '@backstock/contract/product-name.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'

/** A row to import, as text. Columns that the file lacks and empty cells are absent: both leave a value as it is. */
export type RowInput = {
  /** Its row as a spreadsheet numbers it, or its place in a call; unique in the import. */
  line: number
  cells: Partial<Record<ExportColumn, string>>
  grading: Record<string, string>
  attributes: Record<string, string>
  /** Cells beyond the header: something has shifted. */
  surplus?: boolean
  /** The first cell in a column without a name. */
  nameless?: { letters: string; cell: string }
}

/** What a row says, checked by itself. Prices in hundredths. */
export type RowValues = {
  backstock_item?: number
  backstock_id?: string
  imei?: string
  serial_number?: string
  status?: StockStatus
  make?: string
  model?: string
  capacity?: number
  capacity_unit?: CapacityUnit
  colour?: string
  category?: string
  supplier?: string
  vat?: string
  purchase_price?: number
  purchase_date?: string
  sales_price?: number
  network_locked?: boolean
  engineer_notes?: string
}

const MAX_TEXT = 255
const MAX_NOTES = 10_000
const MAX_CAPACITY = 1_000_000
const MAX_ID = 2_147_483_647

/** A cell that cannot be taken, with the sentence to show. */
class BadCell extends Error {}
const bad = (message: string) => new BadCell(message)

/** So much of a cell as a sentence can quote; no character is cut in half. */
const quotedPart = (cell: string) => /^.{0,40}/su.exec(cell)![0]
const quoted = (cell: string) => `'${quotedPart(cell)}'`

/** Text that is plain already, if it can be stored. */
function storable(text: string, max: number): string {
  if (text.length > max) throw bad(`At most ${max.toLocaleString('en')} characters.`)
  const problem = textProblem(text)
  if (problem) throw bad(problem)
  return text
}
const text = (cell: string) => storable(plainName(cell), MAX_TEXT)
const notes = (cell: string) => storable(plainNotes(cell), MAX_NOTES)

function price(cell: string): number {
  const amount = parseCurrencyUnits(cell)
  if (amount === null) throw bad(`${quoted(cell)} is not a price: write it like 249.90 or 249,90.`)
  if (amount > MAX_PRICE) throw bad('At most 1,000,000.00.')
  return amount
}

function currency(cell: string): RowValues {
  if (cell.toUpperCase() !== CURRENCY) throw bad('Only EUR is supported.')
  return {}
}

function date(cell: string): string {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell) ?? []
  const iso = day ? `${year}-${month}-${day}` : cell
  if (!isCalendarDate(iso)) throw bad('Must be a real date as yyyy-mm-dd or dd/MM/yyyy.')
  return iso
}

/** A name of the catalogue, in one line and as it is stored. */
function name(cell: string): string {
  if (/[\r\n\v\f\u0085\u2028\u2029]/.test(cell)) throw bad('Must not hold a line break.')
  return text(cell)
}

/** What stands for no identifier says nothing. */
function identifier(called: string, cell: string, read: (identifier: string) => RowValues): RowValues {
  const found = identifierOfCell(cell)
  if (found === '') return {}
  if (isShortened(found)) throw bad(shortenedMessage(called, quotedPart(found)))
  return read(found)
}

function imei(identifier: string): string {
  const compact = compactIdentifier(identifier)
  const problem = imeiProblem(compact)
  if (problem) throw bad(problem)
  return compact
}

/** An item's own number, also as screens write it: `#7`. */
function itemNumber(cell: string): number {
  const [, digits] = /^#?(\d{1,10})$/.exec(identifierOfCell(cell)) ?? []
  const id = Number(digits)
  if (!digits || id < 1 || id > MAX_ID) throw bad(`${quoted(cell)} is not the number of an item.`)
  return id
}

function status(cell: string): StockStatus {
  const found = STOCK_STATUSES.find((name) => name.toLowerCase() === cell.toLowerCase())
  if (!found) throw bad(`Must be one of ${STOCK_STATUSES.join(', ')}.`)
  return found
}

function unit(cell: string): CapacityUnit {
  const found = CAPACITY_UNITS.find((name) => name === cell.toUpperCase())
  if (!found) throw bad('Must be MB, GB or TB.')
  return found
}

const flags = new Map([
  ...['true', '1', 'yes'].map((text) => [text, true] as const),
  ...['false', '0', 'no'].map((text) => [text, false] as const),
])
function flag(cell: string): boolean {
  const known = flags.get(cell.toLowerCase())
  if (known === undefined) throw bad('Must be true or false.')
  return known
}

/** Suppliers also write both into one cell: `128 GB`. */
function capacity(cell: string): Pick<RowValues, 'capacity' | 'capacity_unit'> {
  const [, digits, after] = /^(\d{1,9})\s*(MB|GB|TB)?$/i.exec(cell) ?? []
  const amount = Number(digits)
  if (!digits || amount < 1 || amount > MAX_CAPACITY)
    throw bad(`Must be a whole number from 1 to ${MAX_CAPACITY.toLocaleString('en')}.`)
  return { capacity: amount, ...(after && { capacity_unit: unit(after) }) }
}

const readers: Record<ExportColumn, (cell: string) => RowValues> = {
  backstock_item: (cell) => ({ backstock_item: itemNumber(cell) }),
  backstock_id: (cell) => identifier('Backstock ID', cell, (id) => ({ backstock_id: text(id) })),
  imei: (cell) => identifier('IMEI', cell, (id) => ({ imei: imei(id) })),
  serial_number: (cell) => identifier('serial number', cell, (id) => ({ serial_number: text(id) })),
  status: (cell) => ({ status: status(cell) }),
  make: (cell) => ({ make: name(cell) }),
  model: (cell) => ({ model: name(cell) }),
  capacity,
  capacity_unit: (cell) => ({ capacity_unit: unit(cell) }),
  colour: (cell) => ({ colour: name(cell) }),
  category: (cell) => ({ category: name(cell) }),
  supplier: (cell) => ({ supplier: text(cell) }),
  purchase_price: (cell) => ({ purchase_price: price(cell) }),
  purchase_currency: currency,
  purchase_date: (cell) => ({ purchase_date: date(cell) }),
  sales_price: (cell) => ({ sales_price: price(cell) }),
  sales_currency: currency,
  vat: (cell) => ({ vat: text(cell) }),
  network_locked: (cell) => ({ network_locked: flag(cell) }),
  engineer_notes: (cell) => ({ engineer_notes: notes(cell) }),
  batch: () => ({}), // exported for people, never imported
}

/** Columns whose cells are told from other text by what they may say. */
const TYPED: readonly ExportColumn[] = [
  'backstock_item',
  'imei',
  'status',
  'capacity',
  'capacity_unit',
  'purchase_price',
  'purchase_currency',
  'purchase_date',
  'sales_price',
  'sales_currency',
  'network_locked',
]

/** A day, as notes have it at the beginning of a line. */
const DAY = /^\d{1,4}[/-]\d{1,2}[/-]\d{1,4}$/

/** Whether a cell is plainly one of its column's. */
export function isCellOf(column: ExportColumn, cell: string): boolean {
  if (cell === '') return false
  if (column === 'serial_number' || column === 'backstock_id')
    return /^(?=.*\d)[A-Z0-9/-]{4,40}$/i.test(identifierOfCell(cell)) && !DAY.test(cell)
  if (!TYPED.includes(column)) return false
  try {
    readers[column](cell)
    return true
  } catch {
    return false
  }
}

/**
 * Reads a row's cells; everything that is wrong with them comes at once, by column. The item's own number only where rows
 * may mean items by it.
 */
export function readRow(row: RowInput, namesItems: boolean): { values: RowValues; errors: FieldErrors } {
  const values: RowValues = {}
  const errors: FieldErrors = {}
  for (const column of EXPORT_COLUMNS) {
    const cell = row.cells[column]
    if (cell === undefined || (column === ITEM_COLUMN && !namesItems)) continue
    try {
      Object.assign(values, readers[column](cell))
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      errors[column] = error.message
    }
  }
  for (const [name, cell] of Object.entries(row.grading))
    if (cell.length > MAX_NOTES) errors[`grading_${name}`] = `At most ${MAX_NOTES.toLocaleString('en')} characters.`
  for (const [name, cell] of Object.entries(row.attributes))
    if (cell.length > MAX_NOTES) errors[name] = `At most ${MAX_NOTES.toLocaleString('en')} characters.`
  const shifted = [
    ...(row.nameless
      ? [`Column ${row.nameless.letters} has no name in the header, and here it has ${quoted(row.nameless.cell)}.`]
      : []),
    ...(row.surplus ? ['This row has more cells than the header. Is a cell with the delimiter not quoted?'] : []),
  ]
  if (shifted.length) errors['csv'] = shifted.join(' ')
  return { values, errors }
}
