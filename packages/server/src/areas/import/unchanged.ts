import { CSV_COLUMNS, type CsvColumn } from '@backstock/contract/import.ts'
import { toCurrencyUnits } from '@backstock/contract/money.ts'
import type { CurrentItem } from './current-items.ts'
import { type RowToDecide, updatedItem } from './decide.ts'
import type { RowInput } from './row.ts'

/** What an export says of an item. */
const exported: Record<CsvColumn, (item: CurrentItem) => string | number | boolean | null> = {
  backstock_id: ({ row }) => row.backstock_id,
  imei: ({ row }) => row.imei,
  serial_number: ({ row }) => row.serial_number,
  status: ({ row }) => row.status,
  make: ({ product }) => product.make,
  model: ({ product }) => product.model,
  capacity: ({ product }) => product.capacity,
  capacity_unit: ({ product }) => product.capacity_unit,
  colour: ({ product }) => product.colour,
  category: ({ product }) => product.category,
  supplier: ({ supplier }) => supplier,
  purchase_price: ({ row }) => toCurrencyUnits(row.purchase_price),
  purchase_currency: ({ row }) => row.purchase_currency,
  purchase_date: ({ row }) => row.purchase_date,
  sales_price: ({ row }) => (row.sales_price === null ? null : toCurrencyUnits(row.sales_price)),
  sales_currency: ({ row }) => row.sales_currency,
  vat: ({ vat }) => vat,
  network_locked: ({ row }) => row.network_locked,
  engineer_notes: ({ row }) => row.engineer_notes,
  batch: ({ batchName }) => batchName,
}

/** Whether a cell says what an export would. */
export function isAlready(item: CurrentItem, column: CsvColumn, { cells }: RowInput): boolean {
  const now = exported[column](item)
  return now !== null && cells[column] === String(now).trim()
}

/**
 * A row without what its item is already. So an export that comes back changes nothing, also where today's rules would not
 * take what older ones did, as a serial number `N/A` or a name with a line break.
 */
export function withoutUnchanged(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>): RowToDecide {
  const item = updatedItem(row, current)
  if (!item) return row
  const { cells } = row.input
  const already = new Set<string>()
  for (const column of CSV_COLUMNS)
    if (cells[column] !== undefined && isAlready(item, column, row.input)) already.add(column)
  return { ...row, values: without(row.values, already), errors: without(row.errors, already) }
}

/** Copied, as deleting would make each of many rows a slow object. */
function without<Fields extends object>(fields: Fields, names: ReadonlySet<string>): Fields {
  const left = {} as Fields
  for (const name in fields) if (!names.has(name)) left[name] = fields[name]
  return left
}
