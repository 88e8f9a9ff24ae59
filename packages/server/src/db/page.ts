import { MAX_ID } from '@backstock/contract/fields.ts'
import type { ListQuery } from '@backstock/contract/page.ts'
import { storedVatNumber } from '@backstock/contract/party-numbers.ts'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { limited, unseen } from './prepared.ts'
import type { Tables } from './tables.ts'

/** The rows of a page, and the exact number of all rows that match. */
export type Found<Row> = { rows: Row[]; total: number }

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The condition that one of the fields in a `search` column begins with a text. */
const beginsWith = (column: RawBuilder<unknown>, search: string) =>
  sql<SqlBool>`${column} like search_text(${`%
${escapeLike(search)}%`})`

/** Whether a pattern index can find a text. The index knows only letters and digits. */
export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

/**
 * The words of a search. A row must have all of them. Words without letters and digits count only if there are no
 * others.
 */
export function searchedWords(search: string): string[] {
  const words = [...new Set(search.split(/\s+/))]
  const named = words.filter(hasWord)
  return named.length ? named : words
}

/**
 * The patterns of a word, of which one must match: any part of a text, or, for a word of one or two characters, the
 * beginning of a word.
 */
export function patternsOf(word: string, starts: readonly string[]): string[] {
  const text = escapeLike(word)
  return word.length < 3 ? starts.map((start) => `${start}${text}%`) : [`%${text}%`]
}

/**
 * The condition that a `search` column has a word, without regard to case and accents. Each field in that column begins
 * after a line break. If the word has a letter or digit, the pattern index is always the best way, so one plan serves
 * all words.
 */
export function hasText(column: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> {
  const matching = patternsOf(word, ['%\n', '% ']).map((pattern) =>
    hasWord(word)
      ? sql`${column} like ${unseen(sql`search_text(${pattern})`)}`
      : sql`${column} like search_text(${pattern})`,
  )
  return sql`(${sql.join(matching, sql` or `)})`
}

/** The id that a search may mean; null if it is no id. */
export function searchedId(search: string): number | null {
  const id = /^#?\d{1,10}$/.test(search) ? Number(search.replace('#', '')) : 0
  return id >= 1 && id <= MAX_ID ? id : null
}

/** The words that people put before a record's number, as in 'sale 25'. For other tables, it is the table's name. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  sale: ['sale', 'sales', 'order'],
  app_user: ['staff', 'user'],
}

/** The id in a search such as `sale 25`, whose first word is one of `names`; null if the search has another form. */
export function calledId(names: readonly string[], search: string): number | null {
  const [name, id, more] = search.split(/\s+/)
  return id && more === undefined && name && names.includes(name.toLowerCase()) ? searchedId(id) : null
}

/**
 * The id that one of several words may mean. Names contain numbers too, so the 13 in `iphone 13` is no id; `#13` is
 * one.
 */
export const idAmongNames = (word: string): number | null => (/^#|^\d{4}/.test(word) ? searchedId(word) : null)

/**
 * The condition that a row matches a search: its `search` column has each word, or the search is its id, alone or after
 * a word for the record (`sale 25`). A VAT number is also found by its stored form.
 */
function matches(table: string, search: string): Expression<SqlBool> {
  const column = sql.ref(`${table}.search`)
  const words = searchedWords(search)
  const hasId = (id: number) => sql<SqlBool>`${sql.ref(`${table}.id`)} = ${id}`
  const hasWord = (word: string) => {
    const id = words.length === 1 ? null : table === 'product' ? idAmongNames(word) : searchedId(word)
    return id === null ? hasText(column, word) : sql<SqlBool>`(${hasText(column, word)} or ${hasId(id)})`
  }
  const byText = sql<SqlBool>`(${sql.join(words.map(hasWord), sql` and `)})`
  const id = searchedId(search) ?? calledId(CALLED[table] ?? [table], search)
  if (id !== null) return sql<SqlBool>`(${byText} or ${hasId(id)})`
  const number = storedVatNumber(search)
  return number === search ? byText : sql<SqlBool>`(${byText} or ${hasText(column, number)})`
}

/**
 * The condition that a search finds a row of a table: by its own text, or because its id is in `also`, which is SQL for
 * ids. The condition checks one set with the ids of both: with an `or`, PostgreSQL would compare each row with each id.
 */
export function isFound(table: string, search: string, also: RawBuilder<unknown> | null): Expression<SqlBool> {
  if (also === null) return matches(table, search)
  const id = sql.ref(`${table}.id`)
  return sql<SqlBool>`${id} in (select ${id} from ${sql.table(table)} where ${matches(table, search)} union ${also})`
}

/** A column in the order in which people expect texts: `iPhone 9` before `iPhone 10`, without regard to case. */
export function humanOrder(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} collate human`
}

/** The tables with a `search` column. */
type Searchable = { [Name in keyof Tables]: 'search' extends keyof Tables[Name] ? Name : never }[keyof Tables]

/**
 * One page of a query over a table with `id` and `search` columns. `sort` gives a column or an expression for each
 * sortable name; equal rows are sorted by id. `where` applies the filters of the area. The row of `ajax_id` need not
 * match them, so rows that a person must never see must be left out of `rows`. It is fast for tables with up to some
 * hundred thousand rows.
 */
export async function page<TB extends Searchable, Row extends { id: number }>(
  rows: SelectQueryBuilder<Tables, TB, Row>,
  query: ListQuery,
  {
    table,
    sort,
    where = (all) => all,
    alsoFound = null,
  }: {
    table: TB & string
    sort: Record<string, string | RawBuilder<unknown>>
    where?: (all: SelectQueryBuilder<Tables, TB, Row>) => SelectQueryBuilder<Tables, TB, Row>
    /** SQL for the ids of further rows that the search finds. */
    alsoFound?: RawBuilder<unknown> | null
  },
): Promise<Found<Row>> {
  const id = sql.ref(`${table}.id`)
  let found = where(rows)
  if (query.id !== undefined) found = found.where(sql<SqlBool>`${id} = ${query.id}`)
  if (query.ids !== undefined) found = found.where(sql<SqlBool>`${id} = any(${query.ids}::int[])`)
  if (query.search) found = found.where(isFound(table, query.search, alsoFound))
  // The row that a select on the screen shows already comes first on page 1. It is not in the total.
  if (query.ajax_id !== undefined) found = found.where(sql<SqlBool>`${id} <> ${query.ajax_id}`)
  const by = sort[query.order.column] ?? 'id'
  const order = { by: typeof by === 'string' ? sql.ref(by) : by, direction: sql.raw(query.order.direction) }
  const [hits, shown] = await Promise.all([
    query.search ? searchedPage(rows, found, id, order, { ...query, table }) : countedPage(found, id, order, query),
    query.ajax_id !== undefined && query.page === 1 ? rows.where(sql<SqlBool>`${id} = ${query.ajax_id}`).execute() : [],
  ])
  return { rows: [...(shown as Row[]), ...hits.rows], total: hits.total }
}

type Sorted = { by: RawBuilder<unknown>; direction: RawBuilder<unknown> }

/**
 * A search matches few rows, and finding them is the slow part. So they are found once, for the page and for the total.
 */
async function searchedPage<TB extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, TB, Row>,
  found: SelectQueryBuilder<Tables, TB, Row>,
  id: RawBuilder<unknown>,
  { by, direction }: Sorted,
  query: ListQuery & { table: string },
): Promise<Found<Row>> {
  const begins = query.select ? beginsWith(sql.ref(`${query.table}.search`), query.search ?? '') : sql`true`
  const hits = found.clearSelect().select([sql`${id}`.as('id'), sql`${by}`.as('by'), sql`${begins}`.as('begins')])
  const onPage = sql<{ hit_id: number; hit_n: number; hit_total: number }>`(
    with hit as materialized (${hits})
    select id as hit_id, row_number() over () as hit_n, (select count(*) from hit) as hit_total from (
      select id from hit order by begins desc, by ${direction} nulls last, id ${direction} ${pageOf(query)}) ordered)`
  const data = (await (rows as unknown as SelectQueryBuilder<Tables, keyof Tables, object>)
    .innerJoin(onPage.as('page'), (join) => join.on(sql<SqlBool>`page.hit_id = ${id}`))
    .select('page.hit_total')
    .orderBy('page.hit_n')
    .execute()) as (Row & { hit_total: number })[]
  const total = data[0]?.hit_total ?? (query.page === 1 ? 0 : await totalOf(found))
  return { rows: data, total }
}

async function countedPage<TB extends keyof Tables, Row>(
  found: SelectQueryBuilder<Tables, TB, Row>,
  id: RawBuilder<unknown>,
  { by, direction }: Sorted,
  query: ListQuery,
): Promise<Found<Row>> {
  const [total, rows] = await Promise.all([
    totalOf(found),
    found
      .orderBy(sql`${by} ${direction} nulls last`)
      .orderBy(sql`${id} ${direction}`)
      .limit(sql.lit(query.per_page))
      .offset((query.page - 1) * query.per_page)
      .execute(),
  ])
  return { rows: rows as Row[], total }
}

async function totalOf<TB extends keyof Tables, Row>(found: SelectQueryBuilder<Tables, TB, Row>): Promise<number> {
  const counted = await found.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return (counted as { total: number }).total
}

export const pageOf = ({ page, per_page }: Pick<ListQuery, 'page' | 'per_page'>): RawBuilder<unknown> =>
  limited(per_page, (page - 1) * per_page)
