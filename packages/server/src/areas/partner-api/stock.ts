import type {
  PartnerProduct,
  PartnerProductQuery,
  PartnerStockItem,
  PartnerStockQuery,
} from '@backstock/contract/partner-api.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { at } from '../../lists.ts'

/** A page of records. `next` is the `after` of the next page, null on the last one. */
export type Slice<Row> = { data: Row[]; next: number | null }

/**
 * Makes a page of at most `limit` rows. The query must ask for one row more than `limit`, which shows that there is a
 * next page.
 */
export function slice<Row>(rows: Row[], limit: number, place: (row: Row) => number): Slice<Row> {
  const data = rows.slice(0, limit)
  return { data, next: rows.length > limit ? place(at(data, limit - 1)) : null }
}

const and = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)

type CatalogueFilters = Pick<PartnerProductQuery, 'make' | 'category' | 'colour'>

/** The conditions that products `p` have these makes, categories and colours. */
function named(query: CatalogueFilters): RawBuilder<unknown>[] {
  return (['make', 'category', 'colour'] as const).flatMap((table) => {
    const names = query[table]
    if (!names) return []
    const ids = sql`select id from ${sql.table(table)} where lower(name) in (select lower(n) from unnest(${names}::text[]) n)`
    return sql`${sql.ref(`p.${table}_id`)} in (${ids})`
  })
}

const description = sql`p.display_name, m.name as make, p.model, p.capacity, p.capacity_unit, c.name as colour, g.name as category`
const descriptionOf = sql`
  join make m on m.id = p.make_id
  join category g on g.id = p.category_id
  left join colour c on c.id = p.colour_id`

/** A page of products in the order of their ids, after the id `after`. */
export async function findProducts(db: Db, query: PartnerProductQuery): Promise<Slice<PartnerProduct>> {
  const conditions = and([sql`p.id > ${query.after ?? 0}`, ...named(query)])
  const { rows } = await sql<PartnerProduct>`
    select p.id, p.active, ${description} from product p ${descriptionOf}
    where ${conditions} order by p.id limit ${query.limit + 1}`.execute(db)
  return slice(rows, query.limit, (row) => row.id)
}

/**
 * The ids of the products are read first: with them, PostgreSQL knows how many items to expect, and chooses the right
 * index.
 */
async function productIds(db: Db, conditions: RawBuilder<unknown>[]): Promise<number[] | undefined> {
  if (conditions.length === 0) return undefined
  const { rows } = await sql<{ id: number }>`select p.id from product p where ${and(conditions)}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * A page of items for sale in the order of their ids, after the id `after`. If items are sold meanwhile, the next page
 * neither skips an item nor shows one twice.
 */
export async function findAvailable(db: Db, query: PartnerStockQuery): Promise<Slice<PartnerStockItem>> {
  const products = await productIds(db, named(query))
  const conditions = [sql`s.status = 'In Stock'`, sql`s.id > ${query.after ?? 0}`]
  if (query.ids) conditions.push(sql`s.id = any(${query.ids}::int[])`)
  if (query.product_id) conditions.push(sql`s.actual_product_id = any(${query.product_id}::int[])`)
  if (products) conditions.push(sql`s.actual_product_id = any(${products}::int[])`)
  if (query.min_price !== undefined) conditions.push(sql`s.sales_price >= ${query.min_price}`)
  if (query.max_price !== undefined) conditions.push(sql`s.sales_price <= ${query.max_price}`)
  if (query.network_locked !== undefined) conditions.push(sql`s.network_locked = ${query.network_locked}`)
  const { rows } = await sql<PartnerStockItem>`
    select s.id, p.id as product_id, ${description}, s.imei, s.serial_number, s.imei2, s.meid, s.eid, q.name as grade,
      s.functional, s.battery_health, s.grading_data, s.network_locked, s.sales_price, s.sales_currency, coalesce(v.rate, 0) / 100.0 as vat_rate
    from (select * from stock s where ${and(conditions)} order by s.id limit ${query.limit + 1}) s
    join product p on p.id = s.actual_product_id ${descriptionOf}
    left join vat v on v.id = s.vat_id
    left join grade q on q.id = s.grade_id
    order by s.id`.execute(db)
  return slice(rows, query.limit, (row) => row.id)
}
