import {
  furtherName,
  furtherTitle,
  isStockListColumn,
  STOCK_COLUMN_TITLES,
  type StockListColumn,
} from '@backstock/contract/stock-list-columns.ts'
import { type RawBuilder, sql } from 'kysely'
import { daysHere } from './age.ts'
import { PRICE } from './cell-kinds.ts'
import { CSV } from './columns.ts'
import { formulaGuard, guardCell } from './csv-cell.ts'
import { furtherValue } from './queries.ts'

type Sql = RawBuilder<unknown>

/** A column of a file: its guarded heading, and SQL for its guarded cells. */
export type FileColumn = { head: string; cell: Sql }

const margin = sql`(s.sales_price - s.cost)`

/**
 * SQL for the cells of the stock list's columns. `s` is the item; `p`, `v`, `t`, `g` and `b` have the names of its
 * records.
 */
const CELLS: Record<StockListColumn, Sql> = {
  id: sql`s.id`,
  status: CSV.status.sql,
  product: sql`p.display_name`,
  purchase_price: CSV.purchase_price.sql,
  sales_price: CSV.sales_price.sql,
  imei: CSV.imei.sql,
  imei2: CSV.imei2.sql,
  serial_number: CSV.serial_number.sql,
  backstock_id: CSV.backstock_id.sql,
  grade: CSV.grade.sql,
  functional: CSV.functional.sql,
  battery_health: CSV.battery_health.sql,
  category: CSV.category.sql,
  supplier: CSV.supplier.sql,
  batch: CSV.batch.sql,
  location: CSV.location.sql,
  purchase_date: CSV.purchase_date.sql,
  age: daysHere,
  margin: PRICE.sql(margin),
  margin_percent: sql`round(100.0 * ${margin} / nullif(s.sales_price, 0), 1)`,
  vat: CSV.vat.sql,
  network_locked: CSV.network_locked.sql,
  notes: CSV.engineer_notes.sql,
  created_at: sql`to_char(s.created_at at time zone (select time_zone from company), 'YYYY-MM-DD HH24:MI:SS')`,
}

function shownColumn(name: string): FileColumn[] {
  const further = furtherName(name)
  if (further !== undefined)
    return [{ head: guardCell(furtherTitle(further)), cell: formulaGuard(sql`(${furtherValue(further)})`) }]
  if (!isStockListColumn(name)) return []
  const column = { head: STOCK_COLUMN_TITLES[name], cell: CELLS[name] }
  // The list shows the currency beside the amount, so the file has a column for it.
  const currency = { head: 'Purchase Currency', cell: CSV.purchase_currency.sql }
  return name === 'purchase_price' ? [column, currency] : [column]
}

/** The columns of a file that has these columns of the list. */
export const shownColumns = (names: readonly string[]): FileColumn[] => names.flatMap(shownColumn)
