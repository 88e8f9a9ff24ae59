import type { StockQuery } from '@backstock/contract/stock.ts'
import { STOCK_STATUSES, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import { hasStatus, narrowing } from './filters.ts'

type Sql = RawBuilder<unknown>

/**
 * The counters by their filters, each as SQL for rows in the form of items with their number `n`. If the rows have
 * `newest`, none of their items has a higher id.
 */
const COUNTERS: readonly {
  filters: readonly (keyof StockQuery)[]
  isUnsoldOnly?: true
  rows: (query: StockQuery) => Sql
}[] = [
  {
    filters: ['product_id', 'make_id', 'network_locked'],
    rows: () =>
      sql`select status, product_id as actual_product_id, network_locked, n, null::int as newest from product_count`,
  },
  {
    filters: ['supplier_id', 'grade_id'],
    rows: () => sql`select status, supplier_id, grade_id, n, null::int as newest from supplier_count`,
  },
  {
    filters: ['age', 'unpriced'],
    isUnsoldOnly: true,
    rows: ({ age, unpriced }) => {
      const n = unpriced === undefined ? sql`n` : unpriced ? sql`unpriced` : sql`n - unpriced`
      return sql`select status, bought as purchase_date, made as created_at, ${n} as n,
        ${age ? sql`newest` : sql`null::int`} as newest from stock_age`
    },
  },
]

type CountedItems = { n: number; newest: number | null }

/**
 * The number of items that a query with filters finds, from the counters, and an id that none of them exceeds if a
 * counter knows one. Undefined if no counter has all filters.
 */
export async function countedItems(db: Db, query: StockQuery): Promise<CountedItems | undefined> {
  const statuses = query.status ?? STOCK_STATUSES
  const isUnsold = statuses.every((status) => UNSOLD_STATUSES.some((unsold) => unsold === status))
  const counter = COUNTERS.find(
    ({ filters, isUnsoldOnly = false }) => (isUnsold || !isUnsoldOnly) && hasOnly(query, filters),
  )
  if (!counter) return undefined
  const conditions = [hasStatus(statuses), ...narrowing({ ...query, unpriced: undefined })]
  const { rows } = await sql<CountedItems>`
    select coalesce(sum(n), 0)::bigint as n, max(newest) as newest from (${counter.rows(query)}) s
    where ${sql.join(conditions, sql` and `)}`.execute(db)
  return single(rows)
}

/** Whether a query has no search and no other filters than these. */
function hasOnly(query: StockQuery, filters: readonly (keyof StockQuery)[]): boolean {
  const others = Object.fromEntries(Object.entries(query).filter(([name]) => !filters.some((one) => one === name)))
  return query.search === undefined && query.ajax_id === undefined && narrowing(others).length === 0
}
