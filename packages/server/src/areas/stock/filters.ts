import type { StockExportQuery, StockQuery } from '@backstock/contract/stock.ts'
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

/** The SQL conditions for the filters of a stock list. `s` is the table of items. */
export function filters(query: Filters): Sql[] {
  const conditions = narrowing(query)
  if (query.status) conditions.unshift(sql`s.status = any(${query.status}::stock_status[])`)
  if (query.ajax_id !== undefined) conditions.push(sql`s.id <> ${query.ajax_id}`)
  return conditions
}

/** The conditions of all filters except the status. No counter of stock exists for these filters. */
export function narrowing(query: Filters): Sql[] {
  const conditions: Sql[] = []
  if (query.id !== undefined) conditions.push(sql`s.id = ${query.id}`)
  if (query.ids) conditions.push(sql`s.id = any(${query.ids}::int[])`)
  if (query.batch_id) conditions.push(sql`s.batch_id = any(${query.batch_id}::int[])`)
  if (query.supplier_id) conditions.push(sql`s.supplier_id = any(${query.supplier_id}::int[])`)
  if (query.product_id) conditions.push(sql`s.actual_product_id = any(${query.product_id}::int[])`)
  if (query.make_id) conditions.push(sql`s.actual_product_id = any(${productsOf(query.make_id)})`)
  if (query.grade_id) conditions.push(sql`s.grade_id = any(${query.grade_id}::int[])`)
  if (query.age) conditions.push(hasAge(query.age))
  if (query.unpriced !== undefined) conditions.push(query.unpriced ? sql`s.sales_price is null` : hasPrice)
  if (query.price_from !== undefined) conditions.push(sql`s.sales_price >= ${query.price_from}`)
  if (query.price_to !== undefined) conditions.push(sql`s.sales_price <= ${query.price_to}`)
  if (query.network_locked !== undefined) conditions.push(sql`s.network_locked = ${query.network_locked}`)
  if (query.import) conditions.push(sql`s.id = any(${itemsOfImports(query.import)})`)
  return conditions
}
