import type { StockOrder } from '@backstock/contract/stock.ts'
import { type RawBuilder, sql } from 'kysely'

type Sorting = {
  /** The expressions that lists sort by; `s` is the item. */
  by: RawBuilder<unknown>
  /** The joins that this needs. */
  join?: RawBuilder<unknown>
  /** Items that have none come last in both directions. */
  maybeNone?: true
}

/**
 * The places of names are computed once, so that many items are sorted by numbers: comparing names as people read
 * them takes far longer.
 */
const placesOf = (table: string, by: string) =>
  sql.raw(`(select id, row_number() over (order by ${by}) as place from ${table})`)

/** How a list of stock is sorted. Only those of `INDEXED` come from an index. */
export const SORTINGS: Record<StockOrder, Sorting> = {
  id: { by: sql`s.id` },
  status: { by: sql`s.status` },
  // Prices in several currencies are compared by their amount in EUR.
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
