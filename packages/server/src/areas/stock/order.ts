import type { StockOrder } from '@backstock/contract/stock.ts'
import { type RawBuilder, sql } from 'kysely'

type Sorting = {
  /** The SQL expression by which a list sorts. `s` is the item. */
  by: RawBuilder<unknown>
  /** The joins that the expression needs. */
  join?: RawBuilder<unknown>
  /** Whether the value may be null. Items without a value come last in both directions. */
  maybeNone?: true
}

/**
 * SQL for the ranks of names. They are computed once, so that many items can be sorted by numbers: comparing names in
 * human order takes far longer.
 */
const placesOf = (table: string, by: string) =>
  sql.raw(`(select id, row_number() over (order by ${by}) as place from ${table})`)

/** How a list of stock is sorted by each column. Only the columns in `INDEXED` are sorted by an index. */
export const SORTINGS: Record<StockOrder, Sorting> = {
  id: { by: sql`s.id` },
  status: { by: sql`s.status` },
  // Prices in different currencies are compared by the item's cost in EUR.
  purchase_price: { by: sql`s.cost` },
  sales_price: { by: sql`s.sales_price`, maybeNone: true },
  purchase_date: { by: sql`s.purchase_date`, maybeNone: true },
  margin: { by: sql`s.sales_price - s.cost`, maybeNone: true },
  supplier: {
    by: sql`by_supplier.place`,
    join: sql`left join ${placesOf('supplier', 'company_name collate human')} by_supplier on by_supplier.id = s.supplier_id`,
    maybeNone: true,
  },
  grade: {
    by: sql`by_grade.place`,
    join: sql`left join ${placesOf('grade', 'position, name collate human')} by_grade on by_grade.id = s.grade_id`,
    maybeNone: true,
  },
}

const INDEXED = ['id', 'status', 'purchase_price', 'sales_price'] as const
export type IndexedOrder = (typeof INDEXED)[number]

export const isIndexed = (column: StockOrder): column is IndexedOrder => INDEXED.some((one) => one === column)
