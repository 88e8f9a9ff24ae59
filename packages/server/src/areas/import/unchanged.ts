import { CSV_COLUMNS, type CsvColumn } from '@backstock/contract/import.ts'
import { CSV } from '../stock/columns.ts'
import type { CurrentItem } from './current-items.ts'
import { type RowToDecide, updatedItem } from './decide.ts'
import type { RowInput } from './row.ts'

/** Whether a cell says what an export would. */
export function isAlready(item: CurrentItem, column: CsvColumn, { cells }: RowInput): boolean {
  const now = CSV[column].text(item)
  return now !== null && cells[column] === now.trim()
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
