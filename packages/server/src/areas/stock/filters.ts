import type { StockExportQuery, StockQuery } from '@backstock/contract/stock.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import { hasAge } from './age.ts'

type Sql = RawBuilder<unknown>
export type Filters = StockExportQuery & Pick<StockQuery, 'ajax_id'>

const hasPrice = sql`s.sales_price is not null`
const productsOf = (makes: readonly number[]): Sql =>
  sql`array(select id from product where make_id = any(${makes}::int[]))`

/**
 * SQL for the ids of the items of imports. They are one array, so that PostgreSQL finds the items by key, even if an
 * import has very many.
 */
const itemsOfImports = (imports: readonly number[]): Sql =>
  sql`array(select item from import_part, unnest(stock_ids) item where import_id = any(${imports}::int[]) and item is not null)`

/** The most values that a filter has as parameters of their own. The database then keeps one plan for all values. */
const FEW = 5
/** SQL for the condition that a column has one of these ids. */
const oneOf = (column: Sql, ids: readonly number[]): Sql =>
  ids.length > 0 && ids.length <= FEW ? sql`${column} in (${sql.join(ids)})` : sql`${column} = any(${ids}::int[])`

/** The SQL conditions for the filters of a stock list. `s` is the table of items. */
export function filters(query: Filters): Sql[] {
  const conditions = narrowing(query)
  if (query.status) conditions.unshift(hasStatus(query.status))
  if (query.ajax_id !== undefined) conditions.push(sql`s.id <> ${query.ajax_id}`)
  return conditions
}

/** The condition that the item `s` has one of these statuses. They are literals, because they decide which index is best. */
export const hasStatus = (statuses: readonly StockStatus[]): Sql =>
  statuses.length === 0 ? sql`false` : sql`s.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`

/** The conditions of all filters except the status. */
export function narrowing(query: Filters): Sql[] {
  const conditions: Sql[] = []
  if (query.id !== undefined) conditions.push(sql`s.id = ${query.id}`)
  if (query.ids) conditions.push(sql`s.id = any(${query.ids}::int[])`)
  if (query.batch_id) conditions.push(oneOf(sql`s.batch_id`, query.batch_id))
  if (query.supplier_id) conditions.push(oneOf(sql`s.supplier_id`, query.supplier_id))
  if (query.product_id) conditions.push(oneOf(sql`s.actual_product_id`, query.product_id))
  if (query.make_id) conditions.push(sql`s.actual_product_id = any(${productsOf(query.make_id)})`)
  if (query.grade_id) conditions.push(oneOf(sql`s.grade_id`, query.grade_id))
  if (query.age) conditions.push(hasAge(query.age))
  if (query.unpriced !== undefined) conditions.push(query.unpriced ? sql`s.sales_price is null` : hasPrice)
  if (query.price_from !== undefined) conditions.push(sql`s.sales_price >= ${query.price_from}`)
  if (query.price_to !== undefined) conditions.push(sql`s.sales_price <= ${query.price_to}`)
  if (query.network_locked !== undefined) conditions.push(sql`s.network_locked = ${query.network_locked}`)
  if (query.import) conditions.push(sql`s.id = any(${itemsOfImports(query.import)})`)
  return conditions
}
