import { MAX_ID } from '@backstock/contract/fields.ts'
import type { ListQuery } from '@backstock/contract/page.ts'
import { storedVatNumber } from '@backstock/contract/party-numbers.ts'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { limited, unseen } from './prepared.ts'
import type { Tables } from './tables.ts'

/** A page's rows and the exact number of all that match. */
export type Found<Row> = { rows: Row[]; total: number }

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Whether one of the fields of a `search` column begins with a text. */
const beginsWith = (column: RawBuilder<unknown>, search: string) =>
  sql<SqlBool>`${column} like search_text(${`%
${escapeLike(search)}%`})`

/** Whether a pattern index can find a text: it knows letters and digits alone. */
export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

/** The words that must all be found. One without letters and digits counts only if nothing else is typed. */
export function searchedWords(search: string): string[] {
  const words = [...new Set(search.split(/\s+/))]
  const named = words.filter(hasWord)
  return named.length ? named : words
}

/**
 * The patterns of a word; one must match: any part of a text, or, for a word of 1 or 2 characters, the beginning of
 * a word.
 */
export function patternsOf(word: string, starts: readonly string[]): string[] {
  const text = escapeLike(word)
  return word.length < 3 ? starts.map((start) => `${start}${text}%`) : [`%${text}%`]
}

/**
 * Whether a `search` column has a word, ignoring case and accents. Each field in that column begins after a line break.
 * For a pattern with a letter or digit the index is always the best way, so that one plan does for all.
 */
export function hasText(column: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> {
  const matching = patternsOf(word, ['%\n', '% ']).map((pattern) =>
    hasWord(word)
      ? sql`${column} like ${unseen(sql`search_text(${pattern})`)}`
      : sql`${column} like search_text(${pattern})`,
  )
  return sql`(${sql.join(matching, sql` or `)})`
}

/** The id that a search may mean exactly; null if it is no id. */
export function searchedId(search: string): number | null {
  const id = /^#?\d{1,10}$/.test(search) ? Number(search.replace('#', '')) : 0
  return id >= 1 && id <= MAX_ID ? id : null
}

/** The words that people put before a record's number, as in 'sale 25'; else the table's own name. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  sale: ['sale', 'sales', 'order'],
  app_user: ['staff', 'user'],
}

/** The id after one of these names; null if the search is anything else. */
export function calledId(names: readonly string[], search: string): number | null {
  const [name, id, more] = search.split(/\s+/)
  return id && more === undefined && name && names.includes(name.toLowerCase()) ? searchedId(id) : null
}

/** The id that one of several words may mean if names have numbers, too: `#13` is one, the 13 in `iphone 13` is none. */
export const idAmongNames = (word: string): number | null => (/^#|^\d{4}/.test(word) ? searchedId(word) : null)

/**
 * Whether a table's `search` column has each word of a search, or its id is exactly that word, alone or after the
 * name of such a record. A VAT number is found in the form in which it is stored, too.
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
 * The condition that a search finds a row, by its own text or by being among `also`, a statement of ids. Both are one
 * set of ids: PostgreSQL would compare each row with each id of a set beside an `or`.
 */
export function isFound(table: string, search: string, also: RawBuilder<unknown> | null): Expression<SqlBool> {
  if (also === null) return matches(table, search)
  const id = sql.ref(`${table}.id`)
  return sql<SqlBool>`${id} in (select ${id} from ${sql.table(table)} where ${matches(table, search)} union ${also})`
}

/** Text as people read it: `iPhone 9` before `iPhone 10`, in any case of letters. */
export function humanOrder(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} collate human`
}

/** The tables that can be searched. */
type Searchable = { [Name in keyof Tables]: 'search' extends keyof Tables[Name] ? Name : never }[keyof Tables]

/**
 * One page of a query over a table with `id` and `search` columns. `sort` maps the sortable names to a column or an
 * expression; ties are broken by id. `where` applies the area's own filters, which the row of `ajax_id` need not
 * pass: leave rows that a person must never see out of `rows`. For tables of up to some hundred thousand rows.
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
    /** A statement of the ids that this search finds, too. */
    alsoFound?: RawBuilder<unknown> | null
  },
): Promise<Found<Row>> {
  const id = sql.ref(`${table}.id`)
  let found = where(rows)
  if (query.id !== undefined) found = found.where(sql<SqlBool>`${id} = ${query.id}`)
  if (query.ids !== undefined) found = found.where(sql<SqlBool>`${id} = any(${query.ids}::int[])`)
  if (query.search) found = found.where(isFound(table, query.search, alsoFound))
  // The row that a select already shows comes first on page 1 and is not in the total.
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

/** A search matches few rows, and finding them costs most: they are found once, for the page and for the total. */
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
