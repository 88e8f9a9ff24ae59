import type { ListQuery } from '@backstock/contract/page.ts'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A page's rows and the exact number of all that match. */
export type Found<Row> = { rows: Row[]; total: number }

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/**
 * The pattern for a `search` column, whose fields each begin after a line break: one or two characters match beginnings
 * of fields only, more match any part. Wrapped in `search_text()`, it ignores case and accents.
 */
export function searchPattern(search: string): string {
  return search.length < 3 ? `%\n${escapeLike(search)}%` : `%${escapeLike(search)}%`
}

/** The id that a search may mean exactly; null where it is no id. */
export function searchedId(search: string): number | null {
  const id = /^#?\d{1,10}$/.test(search) ? Number(search.replace('#', '')) : 0
  return id >= 1 && id <= 2_147_483_647 ? id : null
}

/** Matches a table's `search` column, or its id exactly. */
export function matches(table: string, search: string): Expression<SqlBool> {
  const byText = sql<SqlBool>`${sql.ref(`${table}.search`)} like search_text(${searchPattern(search)})`
  const id = searchedId(search)
  return id === null ? byText : sql<SqlBool>`(${byText} or ${sql.ref(`${table}.id`)} = ${id})`
}

/** Text as people read it: `iPhone 9` before `iPhone 10`, whatever the case. */
export function humanOrder(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} collate human`
}

/**
 * One page of a query over a table with `id` and `search` columns. `sort` maps the sortable names to a column or an
 * expression; ties are broken by id. For tables of up to some hundred thousand rows.
 */
export async function page<TB extends keyof Tables, Row extends { id: number }>(
  rows: SelectQueryBuilder<Tables, TB, Row>,
  query: ListQuery,
  { table, sort }: { table: TB & string; sort: Record<string, string | RawBuilder<unknown>> },
): Promise<Found<Row>> {
  const id = sql.ref(`${table}.id`)
  let found = rows as SelectQueryBuilder<Tables, TB, Row>
  if (query.id !== undefined) found = found.where(sql<SqlBool>`${id} = ${query.id}`)
  if (query.ids !== undefined) found = found.where(sql<SqlBool>`${id} = any(${query.ids}::int[])`)
  if (query.search) found = found.where(matches(table, query.search))
  // What a select already shows comes first on page 1, outside of the total.
  if (query.ajax_id !== undefined) found = found.where(sql<SqlBool>`${id} <> ${query.ajax_id}`)
  const by = sort[query.order.column] ?? 'id'
  const expression = typeof by === 'string' ? sql.ref(by) : by
  const direction = sql.raw(query.order.direction)
  const [counted, data, shown] = await Promise.all([
    found.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
    found
      .orderBy(sql`${expression} ${direction} nulls last`)
      .orderBy(sql`${id} ${direction}`)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
    query.ajax_id !== undefined && query.page === 1 ? rows.where(sql<SqlBool>`${id} = ${query.ajax_id}`).execute() : [],
  ])
  return { rows: [...(shown as Row[]), ...(data as Row[])], total: (counted as { total: number }).total }
}
