import type {
  CheckedItem,
  DeliveryCheck,
  DeliveryCheckQuery,
  DeliveryCheckRow,
  DeliveryCounts,
  DeliveryLine,
} from '@backstock/contract/delivery-check.ts'
import type { CheckList, ScanResult } from '@backstock/contract/delivery-lists.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, page } from '../../db/page.ts'
import { limited } from '../../db/prepared.ts'
import { single } from '../../lists.ts'
import { logsOf } from '../../records/log/read.ts'
import { undoableOf } from '../stock/bulk/queries.ts'
import { SENT_BACK } from '../stock/bulk/receive.ts'

const checks = (db: Db) =>
  db.selectFrom('delivery_check').select([
    'delivery_check.id',
    'delivery_check.name',
    'delivery_check.state',
    'delivery_check.import_id',
    'delivery_check.supplier_id',
    sql<string | null>`(select company_name from supplier where id = delivery_check.supplier_id)`.as('supplier_name'),
    sql<number>`cardinality(delivery_check.expected)`.as('expected_count'),
    sql<number>`(select count(*) from delivery_scan d where d.check_id = delivery_check.id
        and d.result in ('matched', 'received'))::int`.as('scanned_count'),
    sql<string | null>`(select name from app_user where id = delivery_check.created_by)`.as('created_by_name'),
    'delivery_check.created_at',
    'delivery_check.updated_at',
    'delivery_check.closed_at',
  ])

export function findChecks(db: Db, query: DeliveryCheckQuery): Promise<Found<DeliveryCheckRow>> {
  const { state, import_id, supplier_id } = query
  return page(checks(db), query, {
    table: 'delivery_check',
    sort: { id: 'delivery_check.id', created_at: 'delivery_check.created_at' },
    where: (all) => {
      let found = all
      if (state) found = found.where('delivery_check.state', 'in', state)
      if (import_id) found = found.where(sql<boolean>`delivery_check.import_id = any(${import_id}::int[])`)
      if (supplier_id) found = found.where(sql<boolean>`delivery_check.supplier_id = any(${supplier_id}::int[])`)
      return found
    },
  })
}

/** A whole check without the rows of its lists. */
export async function checkRecord(db: Db, id: number): Promise<DeliveryCheck | undefined> {
  const row = await checks(db).where('delivery_check.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const [counts, undoable, logs] = await Promise.all([
    countsOf(db, id),
    undoableOf(db, { checkId: id }),
    logsOf(db, 'Delivery check', id),
  ])
  return { ...row, counts, undoable, logs }
}

/** The expected items that still exist. `is_back` means that a customer has sent the item back. */
const expected = (id: number) => sql`
  select s.id, s.status, ${SENT_BACK} as is_back
  from delivery_check c, unnest(c.expected) item (id) join stock s on s.id = item.id
  where c.id = ${id}`

/** The condition by which a scan belongs to each list. Missing items have no scan. */
const LISTS: Record<Exclude<CheckList, 'missing'>, RawBuilder<boolean>> = {
  matched: sql`d.result = 'matched' and d.stock_id is not null`,
  received: sql`d.result = 'received' and d.stock_id is not null`,
  unexpected: sql`d.result in ('unexpected', 'unknown')`,
  twice: sql`d.n > 1`,
}

export async function countsOf(db: Db, id: number): Promise<DeliveryCounts> {
  const { rows } = await sql<DeliveryCounts>`
    with d as materialized (select stock_id, result, n from delivery_scan where check_id = ${id}),
    counted as (
      select count(*) filter (where ${LISTS.matched}) as matched, count(*) filter (where ${LISTS.received}) as received,
        count(*) filter (where ${LISTS.unexpected}) as unexpected, count(*) filter (where ${LISTS.twice}) as twice from d)
    select counted.*, e.* from counted, (
      select count(*) as expected, count(*) filter (where d.stock_id is null) as missing,
        count(*) filter (where d.stock_id is not null and e.status = 'Inbound' and not e.is_back) as receivable
      from (${expected(id)}) e left join d on d.stock_id = e.id) e`.execute(db)
  return single(rows)
}

type DeliveryLineRow = Omit<DeliveryLine, 'item'> & { stock_id: number | null } & Omit<CheckedItem, 'id'>

const item = sql`s.status, p.display_name as product_display_name, s.imei, s.serial_number,
  (select name from grade where id = s.grade_id) as grade_name`

/** One page of a list: scans with the newest first, or missing items in the order of their ids. */
export async function linesOf(
  db: Db,
  id: number,
  list: CheckList,
  { page, per_page }: { page: number; per_page: number },
): Promise<DeliveryLine[]> {
  const cut = limited(per_page, (page - 1) * per_page)
  const lines =
    list === 'missing'
      ? sql<DeliveryLineRow>`
          select s.id, s.id as stock_id, null as code, null as result, 0 as n, null as user_name, null as at, ${item}
          from (${expected(id)}) e join stock s on s.id = e.id join product p on p.id = s.actual_product_id
          where not exists (select from delivery_scan d where d.check_id = ${id} and d.stock_id = e.id)
          order by s.id ${cut}`
      : sql<DeliveryLineRow>`
          select d.id, d.stock_id, d.code, d.result, d.n, u.name as user_name, d.at, ${item}
          from delivery_scan d left join stock s on s.id = d.stock_id left join product p on p.id = s.actual_product_id
            left join app_user u on u.id = d.user_id
          where d.check_id = ${id} and ${LISTS[list]} order by d.id desc ${cut}`
  return (await lines.execute(db)).rows.map(withItem)
}

function withItem({ stock_id, ...row }: DeliveryLineRow): DeliveryLine {
  const { status, product_display_name, imei, serial_number, grade_name, ...line } = row
  const told = { status, product_display_name, imei, serial_number, grade_name }
  const item = stock_id === null ? null : { id: stock_id, ...told }
  return { ...line, item }
}

/** A row of the file for the supplier: an item that has not come, or one that has come and is not in the delivery. */
export type Claimed = {
  what: 'missing' | Extract<ScanResult, 'unexpected' | 'unknown'>
  code: string | null
  imei: string | null
  serial_number: string | null
  product: string | null
  purchase_date: string | null
  purchase_price: number | null
  purchase_currency: string | null
}

/**
 * The rows of the file for the supplier. An item that was put in stock or sold without a scan has come, and so has one
 * that a customer has sent back. Neither is claimed.
 */
export async function claimedLines(db: Db, id: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    select 'missing' as what, null as code, s.imei, s.serial_number, p.display_name as product, s.purchase_date,
      s.purchase_price, s.purchase_currency
    from (${expected(id)}) e join stock s on s.id = e.id join product p on p.id = s.actual_product_id
    where e.status in ('Inbound', 'Deleted') and not e.is_back
      and not exists (select from delivery_scan d where d.check_id = ${id} and d.stock_id = e.id) order by s.id`.execute(
    db,
  )
  // Unexpected items may belong to other suppliers, so this supplier must not see their prices.
  const { rows: others } = await sql<Claimed>`
    select d.result as what, d.code, s.imei, s.serial_number, p.display_name as product, null as purchase_date,
      null as purchase_price, null as purchase_currency
    from delivery_scan d left join stock s on s.id = d.stock_id left join product p on p.id = s.actual_product_id
    where d.check_id = ${id} and ${LISTS.unexpected} order by d.id`.execute(db)
  return [...rows, ...others]
}
