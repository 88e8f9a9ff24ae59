import { compactIdentifier, imeiKey } from '@backstock/contract/imei.ts'
import type { StockQuery, StockRow } from '@backstock/contract/stock.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, searchedId, searchPattern } from '../../db/page.ts'
import { hasAge } from './age.ts'
import { countedRowsOf, rowsOf, stockRows } from './queries.ts'

type Sql = RawBuilder<unknown>
const and = (conditions: Sql[]) => (conditions.length ? sql.join(conditions, sql` and `) : sql`true`)
const unionAll = (parts: Sql[]) => sql.join(parts, sql` union all `)

/**
 * One page of stock, quick on a million items: first the ids of the page from an index, then their rows by key. Where
 * only statuses filter, the total comes from the counters; everything else is counted while it is found.
 */
export async function findStock(db: Db, query: StockQuery): Promise<Found<StockRow>> {
  const narrowed = query.search ?? query.ids ?? query.batch_id ?? query.supplier_id ?? query.product_id ?? query.age
  const shown = query.ajax_id !== undefined && query.page === 1 ? stockRows(db, [query.ajax_id]) : []
  const found = narrowed === undefined ? byStatus(db, query) : narrowedDown(db, query)
  const [first, { rows, total }] = await Promise.all([shown, found])
  return { rows: [...first, ...rows], total }
}

const without = (query: StockQuery): Sql[] => (query.ajax_id === undefined ? [] : [sql`id <> ${query.ajax_id}`])

async function byStatus(db: Db, query: StockQuery): Promise<Found<StockRow>> {
  const statuses = query.status ?? STOCK_STATUSES
  const [rows, total] = await Promise.all([pageByStatus(db, query, statuses), countOf(db, query, statuses)])
  return { rows, total }
}

async function countOf(db: Db, query: StockQuery, statuses: readonly StockStatus[]): Promise<number> {
  const chosen = sql`status = any(${statuses}::stock_status[])`
  const less =
    query.ajax_id === undefined ? sql`` : sql`- (select count(*) from stock where id = ${query.ajax_id} and ${chosen})`
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::bigint ${less} as total from stock_count where ${chosen}`.execute(db)
  return rows[0]!.total
}

/** Each status is a run of an index; several are merged in order, so a page reads no more of them than it skips. */
async function pageByStatus(db: Db, query: StockQuery, statuses: readonly StockStatus[]): Promise<StockRow[]> {
  const { column, direction } = query.order
  const limit = query.per_page
  const offset = (query.page - 1) * limit
  const run = (status: StockStatus, select: Sql, conditions: Sql[]) =>
    sql`select ${select} from stock where status = ${sql.lit(status)} and ${and([...conditions, ...without(query)])}`
  const rows = (ids: Sql, order: Sql, take: number, skip: number) =>
    rowsOf(
      db,
      sql`select id, row_number() over () as n from (
        select id from (${ids}) runs order by ${order} limit ${take} offset ${skip}) ordered`,
    )
  const page = (select: Sql, order: Sql, conditions: Sql[] = [], take = limit, skip = offset) => {
    const runs = statuses.map(
      (status) => sql`(${run(status, select, conditions)} order by ${order} limit ${take + skip})`,
    )
    return rows(unionAll(runs), order, take, skip)
  }
  const dir = sql.raw(direction)

  if (column === 'id' && statuses.length === STOCK_STATUSES.length)
    return rows(sql`select id from stock where ${and(without(query))}`, sql`id ${dir}`, limit, offset)
  if (column === 'id') return page(sql`id`, sql`id ${dir}`)
  if (column === 'status') {
    const ids = sql`select id, status from stock where status = any(${statuses}::stock_status[]) and ${and(without(query))}`
    return rows(ids, sql`status ${dir}, id ${reverse(direction)}`, limit, offset)
  }
  const price = sql.ref(column)
  if (column === 'purchase_price' || direction === 'asc')
    return page(sql`id, ${price}`, sql`${price} ${dir}, id ${dir}`)

  // Items without a sales price come last both ways, while the index has them first when read backwards.
  const isPriced = sql`sales_price is not null`
  const priced = await page(sql`id, sales_price`, sql`sales_price desc, id desc`, [isPriced])
  if (priced.length === limit) return priced
  const countPriced = async () => {
    const all = unionAll(statuses.map((status) => run(status, sql`id`, [isPriced])))
    return (await sql<{ n: number }>`select count(*) as n from (${all}) priced`.execute(db)).rows[0]!.n
  }
  const before = priced.length > 0 ? offset + priced.length : await countPriced()
  const left = limit - priced.length
  const unpriced = await page(sql`id`, sql`id desc`, [sql`sales_price is null`], left, Math.max(0, offset - before))
  return [...priced, ...unpriced]
}

/** Within one status the newest come first, as the index has them. */
const reverse = (direction: 'asc' | 'desc') => sql.raw(direction === 'asc' ? 'desc' : 'asc')

/** Everything that matches is found once, which gives both the total and the page. */
async function narrowedDown(db: Db, query: StockQuery): Promise<Found<StockRow>> {
  const { column, direction } = query.order
  const by = sql.ref(`s.${column}`)
  const conditions = filters(query)
  const hits = sql.join(
    (query.search ? searched(query.search) : [sql`true`]).map(
      (arm) => sql`select s.id, ${by} as by from stock s where ${and([arm, ...conditions])}`,
    ),
    sql` union `,
  )
  const order = sql`by ${sql.raw(direction)} nulls last, id ${column === 'status' ? reverse(direction) : sql.raw(direction)}`
  const matching = sql`with hit as materialized (${hits})`
  const { rows, total } = await countedRowsOf(
    db,
    sql`${matching} select id, row_number() over () as n, (select count(*) from hit) as total from (
      select id from hit order by ${order} limit ${query.per_page} offset ${(query.page - 1) * query.per_page}) ordered`,
  )
  if (total !== undefined || query.page === 1) return { rows, total: total ?? 0 }
  const beyond = await sql<{ total: number }>`${matching} select count(*) as total from hit`.execute(db)
  return { rows, total: beyond.rows[0]!.total }
}

function filters(query: StockQuery): Sql[] {
  const conditions: Sql[] = []
  if (query.status) conditions.push(sql`s.status = any(${query.status}::stock_status[])`)
  if (query.ids) conditions.push(sql`s.id = any(${query.ids}::int[])`)
  if (query.batch_id) conditions.push(sql`s.batch_id = any(${query.batch_id}::int[])`)
  if (query.supplier_id) conditions.push(sql`s.supplier_id = any(${query.supplier_id}::int[])`)
  if (query.product_id) conditions.push(sql`s.actual_product_id = any(${query.product_id}::int[])`)
  if (query.age) conditions.push(hasAge(query.age))
  if (query.ajax_id !== undefined) conditions.push(sql`s.id <> ${query.ajax_id}`)
  return conditions
}

/** Id exactly; IMEI, serial number, Backstock ID and product name by part, or by beginning where only 1 or 2 are typed. */
function searched(search: string): Sql[] {
  const arms = [
    sql`s.id in (select stock_id from stock_identifier where ${identifierMatches(search)})`,
    sql`s.actual_product_id = any(array(
      select id from product where search like search_text(${searchPattern(search)})))`,
  ]
  const id = searchedId(search)
  if (id !== null) arms.push(sql`s.id = ${id}`)
  return arms
}

const part = (text: string) => `${text.length < 3 ? '' : '%'}${text.replace(/[\\%_]/g, '\\$&')}%`

/** An IMEI is found in each of its forms, and with the spaces and dashes that people paste. */
function identifierMatches(search: string): Sql {
  const digits = compactIdentifier(search)
  if (/^\d{15,16}$/.test(digits)) return wholeIdentifier(search, digits)
  const patterns = new Set([part(search), ...(/^\d{3,}$/.test(digits) ? [part(digits)] : [])])
  // Ignoring the case of digits would only take time.
  const like = sql.raw(/\p{L}/u.test(search) ? 'ilike' : 'like')
  return sql.join(
    [...patterns].map((pattern) => sql`value ${like} ${pattern}`),
    sql` or `,
  )
}

/** A whole IMEI has so many parts in common with others that the pattern index is slower than the unique ones. */
function wholeIdentifier(search: string, digits: string): Sql {
  const arms = [sql`in_hand`, sql`not in_hand`].flatMap((held) => [
    sql`${held} and kind = 'i' and left(value, 14) = ${imeiKey(digits)}`,
    sql`${held} and kind <> 'i' and kind in ('s', 'b') and upper(value) in (upper(${search}), ${digits})`,
  ])
  return sql.join(
    arms.map((arm) => sql`(${arm})`),
    sql` or `,
  )
}
