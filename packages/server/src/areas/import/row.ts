import type { FieldErrors } from '@backstock/contract/answer.ts'
import { compactIdentifier, imeiProblem } from '@backstock/contract/imei.ts'
import { CSV_COLUMNS, type CsvColumn } from '@backstock/contract/import.ts'
import { CURRENCY, MAX_PRICE, parseCurrencyUnits } from '@backstock/contract/money.ts'
import { CAPACITY_UNITS, type CapacityUnit } from '@backstock/contract/product-name.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'

/** A row to import, as text. Columns that the file lacks and empty cells are absent: both leave a value as it is. */
export type RowInput = {
  /** Its line in the file, or its place in a call; unique in the import. */
  line: number
  cells: Partial<Record<CsvColumn, string>>
  grading: Record<string, string>
  attributes: Record<string, string>
  /** Cells beyond the header: something has shifted. */
  surplus?: boolean
}

/** What a row says, checked by itself. Prices in hundredths. */
export type RowValues = {
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

/** A cell that cannot be taken, with the sentence to show. */
class BadCell extends Error {}
const bad = (message: string) => new BadCell(message)

/** So much of a cell as a sentence can quote; no character is cut in half. */
const quoted = (cell: string) => `'${/^.{0,40}/su.exec(cell)![0]}'`

const text = (cell: string) => {
  if (cell.length > MAX_TEXT) throw bad(`At most ${MAX_TEXT} characters.`)
  return cell
}
const notes = (cell: string) => {
  if (cell.length > MAX_NOTES) throw bad(`At most ${MAX_NOTES.toLocaleString('en')} characters.`)
  return cell
}

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

function imei(cell: string): string {
  const compact = compactIdentifier(cell)
  const problem = imeiProblem(compact)
  if (problem) throw bad(problem)
  return compact
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

const readers: Record<CsvColumn, (cell: string) => RowValues> = {
  backstock_id: (cell) => ({ backstock_id: text(cell) }),
  imei: (cell) => ({ imei: imei(cell) }),
  serial_number: (cell) => ({ serial_number: text(cell) }),
  status: (cell) => ({ status: status(cell) }),
  make: (cell) => ({ make: text(cell) }),
  model: (cell) => ({ model: text(cell) }),
  capacity,
  capacity_unit: (cell) => ({ capacity_unit: unit(cell) }),
  colour: (cell) => ({ colour: text(cell) }),
  category: (cell) => ({ category: text(cell) }),
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

/** Reads a row's cells; everything that is wrong with them comes at once, by column. */
export function readRow(row: RowInput): { values: RowValues; errors: FieldErrors } {
  const values: RowValues = {}
  const errors: FieldErrors = {}
  for (const column of CSV_COLUMNS) {
    const cell = row.cells[column]
    if (cell === undefined) continue
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
  if (row.surplus) errors['csv'] = 'This row has more cells than the header. Is a cell with the delimiter not quoted?'
  return { values, errors }
}
