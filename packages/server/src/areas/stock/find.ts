import type { StockExportQuery, StockHit, StockListRow, StockQuery } from '@backstock/contract/stock.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, pageOf } from '../../db/page.ts'
import { limited } from '../../db/prepared.ts'
import { single } from '../../lists.ts'
import { countedItems } from './counters.ts'
import { type Filters, filters, narrowing } from './filters.ts'
import { isIndexed, SORTINGS } from './order.ts'
import { type Counted, countedHitsOf, countedRowsOf, stockRows } from './queries.ts'
import { type Searched, searched } from './search.ts'

type Sql = RawBuilder<unknown>
const and = (conditions: Sql[]) => (conditions.length ? sql.join(conditions, sql` and `) : sql`true`)
const EVERYTHING: Searched = { named: null, arms: [sql`true`] }
const unionAll = (parts: Sql[]) => sql.join(parts, sql` union all `)

/**
 * One page of stock, fast even with a million items: the ids of the page come from an index, then their rows are read
 * by id. If only statuses are filtered, the total comes from the counters.
 */
export async function findStock(db: Db, query: StockQuery): Promise<Found<StockListRow>> {
  const isNarrowed = query.search !== undefined || narrowing(query).length > 0
  const shown = query.ajax_id !== undefined && query.page === 1 ? stockRows(db, [query.ajax_id]) : []
  const found = !isNarrowed && isIndexed(query.order.column) ? byStatus(db, query) : filteredStock(db, query)
  const [first, { rows, total }] = await Promise.all([shown, found])
  return { rows: [...first, ...rows], total }
}

/** If a counter says that filters leave at least this many items, the page is read from the index of the newest. */
const MANY_ITEMS = 1000

/**
 * One page of stock with a search or filters. If a counter knows the number of the items that match, and this number
 * is large, the index of the newest items soon has a page of them. All other totals are counted while the items are found.
 */
async function filteredStock(db: Db, query: StockQuery): Promise<Found<StockListRow>> {
  const counted = query.order.column === 'id' ? await countedItems(db, query) : undefined
  if (counted && counted.n >= MANY_ITEMS) {
    // Only the index of the newest fits: PostgreSQL uses no index of a product or a price for a condition that `is true`.
    const conditions = narrowing(query).map((condition) => sql`(${condition}) is true`)
    const upTo = counted.newest === null ? [] : [sql`s.id <= ${counted.newest}`]
    return byStatus(db, query, { conditions: [...conditions, ...upTo], total: counted.n })
  }
  return narrowedDown(db, query, (db, page) => countedRowsOf(db, page, query))
}

/** One page of stock with only the fields that the quick search shows. */
export async function findStockHits(db: Db, query: StockQuery): Promise<Found<StockHit>> {
  const isSearch = query.search !== undefined && query.ajax_id === undefined
  return isSearch ? narrowedDown(db, query, countedHitsOf) : findStock(db, query)
}

/** The ids of all items that match a query, in order: at most `most`, and one more if there are more. */
export async function idsMatching(db: Db, query: StockQuery, most: number): Promise<number[]> {
  const matching = await itemsMatching(db, query, sql`s.id`)
  const { rows } = await sql<{ id: number }>`
    select id from (${matching}) matching order by id limit ${most + 1}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * A statement for these `columns` of all items that match a query. `s` is the item. If its id is among the columns,
 * each item appears once.
 */
export async function itemsMatching(db: Db, query: Filters, columns: Sql): Promise<Sql> {
  const { named, arms } = query.search ? await searched(db, query.search) : EVERYTHING
  const conditions = filters(query)
  const parts = named ? [...arms, named] : arms
  const found = parts.map((part) => sql`select ${columns} from stock s where ${and([part, ...conditions])}`)
  return sql.join(found, sql` union `)
}

/**
 * The number of items that a search with filters would find in other statuses than the chosen ones. Counting stops at
 * `most` + 1.
 */
export async function countElsewhere(db: Db, query: StockExportQuery, most: number): Promise<number> {
  const status = STOCK_STATUSES.filter((one) => query.status && !query.status.includes(one))
  if (status.length === 0) return 0
  const { named, arms } = query.search ? await searched(db, query.search) : EVERYTHING
  const conditions = filters({ ...query, status })
  const parts = named ? [...arms, named] : arms
  const found = parts.map(
    (part) => sql`(select s.id from stock s where ${and([part, ...conditions])} limit ${most + 1})`,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select id from (${sql.join(found, sql` union `)}) found limit ${most + 1}) counted`.execute(
    db,
  )
  return single(rows).n
}

/** The condition that the item `s` is in the list with this search and these filters. */
export async function isShown(db: Db, query: StockExportQuery): Promise<Sql> {
  return query.search ? sql`s.id in (${await itemsMatching(db, query, sql`s.id`)})` : and(filters(query))
}

const without = (query: StockQuery): Sql[] => (query.ajax_id === undefined ? [] : [sql`id <> ${query.ajax_id}`])

async function countOf(db: Db, query: StockQuery, statuses: readonly StockStatus[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${total(query, statuses)} as total`.execute(db)
  return single(rows).total
}

/** The statuses are literals in the statement, so that PostgreSQL can choose the right index when it plans. */
const isOneOf = (statuses: readonly StockStatus[]) =>
  sql`status in (${sql.join(statuses.map((status) => sql.lit(status)))})`

/** SQL for the number of items with these statuses, from the counters. */
function total(query: StockQuery, statuses: readonly StockStatus[]): Sql {
  const less =
    query.ajax_id === undefined
      ? sql``
      : sql`- (select count(*) from stock where id = ${query.ajax_id} and ${isOneOf(statuses)})`
  return sql`(select coalesce(sum(n), 0)::bigint ${less} from stock_count where ${isOneOf(statuses)})`
}

/**
 * One page of stock that is filtered by statuses, and perhaps narrowed to very many of their items, whose `total` is
 * known. An index has each status in order. Several statuses are merged, so that a page reads no more rows than it
 * skips and shows.
 */
async function byStatus(
  db: Db,
  query: StockQuery,
  narrowed?: { conditions: Sql[]; total: number },
): Promise<Found<StockListRow>> {
  const counted = narrowed ? sql`${narrowed.total}::bigint` : undefined
  const always = [...without(query), ...(narrowed?.conditions ?? [])]
  const statuses = query.status ?? STOCK_STATUSES
  const { column, direction } = query.order
  const limit = query.per_page
  const offset = (query.page - 1) * limit
  const run = (status: StockStatus, select: Sql, conditions: Sql[]) =>
    sql`select ${select} from stock s where status = ${sql.lit(status)} and ${and([...conditions, ...always])}`
  const rows = (ids: Sql, order: Sql, take: number, skip: number) =>
    countedRowsOf(
      db,
      sql`select id, row_number() over () as n, ${counted ?? total(query, statuses)} as total from (
        ${ids} order by ${order} ${limited(take, skip)}) ordered`,
      query,
    )
  const page = (select: Sql, order: Sql, conditions: Sql[] = [], take = limit, skip = offset) => {
    const ofStatuses = statuses.map((status) => run(status, select, conditions))
    if (ofStatuses.length === 1) return rows(single(ofStatuses), order, take, skip)
    const runs = ofStatuses.map((ids) => sql`(${ids} order by ${order} ${limited(take + skip, 0)})`)
    return rows(sql`select id from (${unionAll(runs)}) runs`, order, take, skip)
  }
  const found = async ({ rows, total }: Counted<StockListRow>) => ({
    rows,
    total: total ?? narrowed?.total ?? (await countOf(db, query, statuses)),
  })
  const dir = sql.raw(direction)

  if (column === 'id' && statuses.length === STOCK_STATUSES.length)
    return found(await rows(sql`select id from stock s where ${and(always)}`, sql`id ${dir}`, limit, offset))
  if (column === 'id') return found(await page(sql`id`, sql`id ${dir}`))
  if (column === 'status') {
    const ids = sql`select id, status from stock s where ${isOneOf(statuses)} and ${and(always)}`
    return found(await rows(ids, sql`status ${dir}, id ${reverse(direction)}`, limit, offset))
  }
  // Prices in different currencies are compared by the item's cost in EUR.
  const price = sql.ref(column === 'purchase_price' ? 'cost' : column)
  if (column === 'purchase_price' || direction === 'asc')
    return found(await page(sql`id, ${price}`, sql`${price} ${dir}, id ${dir}`))

  // Items without a sales price come last in both directions. Read backwards, the index would have them first.
  const isPriced = sql`sales_price is not null`
  const priced = await page(sql`id, sales_price`, sql`sales_price desc, id desc`, [isPriced])
  if (priced.rows.length === limit) return found(priced)
  const countPriced = async () => {
    const all = unionAll(statuses.map((status) => run(status, sql`id`, [isPriced])))
    const { rows: counts } = await sql<{ n: number }>`select count(*) as n from (${all}) priced`.execute(db)
    return single(counts).n
  }
  const before = priced.rows.length > 0 ? offset + priced.rows.length : await countPriced()
  const left = limit - priced.rows.length
  const unpriced = await page(sql`id`, sql`id desc`, [sql`sales_price is null`], left, Math.max(0, offset - before))
  return found({ rows: [...priced.rows, ...unpriced.rows], total: priced.total ?? unpriced.total })
}

/** Within one status the newest items come first, as in the index. */
const reverse = (direction: 'asc' | 'desc') => sql.raw(direction === 'asc' ? 'desc' : 'asc')

/**
 * One page of stock that a search or filters narrow down. All matches are found once, for the total and the page. Only
 * the products and suppliers that a search names may have very many items: those are counted by their index, and only
 * the page of them is read.
 */
async function narrowedDown<Row>(
  db: Db,
  query: StockQuery,
  countedOf: (db: Db, page: Sql) => Promise<Counted<Row>>,
): Promise<Found<Row>> {
  const { column, direction } = query.order
  const { by, join = sql``, maybeNone = false } = SORTINGS[column]
  const conditions = filters(query)
  const { named, arms } = query.search ? await searched(db, query.search) : EVERYTHING
  const select = (condition: Sql) =>
    sql`select s.id, ${by} as by from stock s ${join} where ${and([condition, ...conditions])}`
  const hits = sql.join(
    // `named` may be null for an item without a supplier, and `not null` would leave the item out.
    arms.map((arm) => select(named ? sql`${arm} and (${named}) is not true` : arm)),
    sql` union `,
  )
  // If the column cannot be null, `nulls last` is left out, because with it an index could not be read backwards.
  const nulls = maybeNone ? sql`nulls last` : sql``
  const order = sql`by ${sql.raw(direction)} ${nulls}, id ${column === 'status' ? reverse(direction) : sql.raw(direction)}`
  const matching = sql`with hit as materialized (${hits})`
  const until = query.page * query.per_page
  const [matches, total] = named
    ? [
        sql`((${select(named)} order by ${order} limit ${until}) union all select id, by from hit) matches`,
        sql`(select count(*) from hit) + (select count(*) from stock s where ${and([named, ...conditions])})`,
      ]
    : [sql`hit`, sql`(select count(*) from hit)`]
  const found = await countedOf(
    db,
    sql`${matching} select id, row_number() over () as n, ${total} as total from (
      select id from ${matches} order by ${order} ${pageOf(query)}) ordered`,
  )
  if (found.total !== undefined || query.page === 1) return { rows: found.rows, total: found.total ?? 0 }
  const beyond = await sql<{ total: number }>`${matching} select ${total} as total`.execute(db)
  return { rows: found.rows, total: single(beyond.rows).total }
}
