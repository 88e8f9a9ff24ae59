import type {
  CustomerReturn,
  CustomerReturnItem,
  CustomerReturnQuery,
  CustomerReturnRow,
} from '@backstock/contract/customer-return.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, hasText, page, searchedId, searchedWords } from '../../db/page.ts'
import { single } from '../../lists.ts'
import { logsOf } from '../../records/log/read.ts'
import { isNotedAtZero } from '../document/credit.ts'
import { documentsAmong } from '../document/queries.ts'

const returns = (db: Db) =>
  db.selectFrom('customer_return').select([
    'customer_return.id',
    'customer_return.customer_id',
    sql<string>`(select coalesce(company_name, first_name || ' ' || last_name) from customer
        where id = customer_return.customer_id)`.as('customer_name'),
    'customer_return.state',
    'customer_return.note',
    sql<string | null>`(select name from app_user where id = customer_return.created_by)`.as('created_by_name'),
    'customer_return.created_at',
    'customer_return.updated_at',
  ])

type Sums = Pick<CustomerReturnRow, 'items_count' | 'items_received' | 'total_credited' | 'received_at'>
const NOTHING: Sums = { items_count: 0, items_received: 0, total_credited: 0, received_at: null }

/** Adds the number of items and the credited sum to each return. */
async function withSums<Row extends { id: number }>(db: Db, rows: Row[]) {
  const { rows: sums } = await sql<Sums & { return_id: number }>`
    select return_id, count(*)::int as items_count, count(received_at)::int as items_received, max(received_at) as received_at,
      (select coalesce(sum(total_gross), 0) from document where id = any(array_agg(credit_id)))::bigint as total_credited
    from customer_return_item where return_id = any(${rows.map((row) => row.id)}::int[]) group by return_id`.execute(db)
  const byReturn = new Map(sums.map(({ return_id, ...sum }) => [return_id, sum]))
  return rows.map((row) => ({ ...row, ...(byReturn.get(row.id) ?? NOTHING) }))
}

/**
 * The condition that each word of a search is in the return, in its customer or in an identifier of its items, or that
 * the search is the return's id.
 */
function isSearched(search: string) {
  const words = searchedWords(search).map(
    (word) => sql<boolean>`(${hasText(sql`customer_return.search`, word)}
      or customer_return.customer_id = any(array(select id from customer where ${hasText(sql`customer.search`, word)}))
      or customer_return.id = any(array(
        select i.return_id from customer_return_item i join stock_identifier s on s.stock_id = i.stock_id
        where s.kind in ('i', 'j') and left(s.value, 14) = ${/^\d{14,16}$/.test(word) ? word.slice(0, 14) : null}::text
        union all
        select i.return_id from customer_return_item i join stock_identifier s on s.stock_id = i.stock_id
        where s.kind <> 'i' and s.kind in ('s', 'b', 'm') and upper(s.value) = upper(${word}::text))))`,
  )
  return sql<boolean>`((${sql.join(words, sql` and `)}) or customer_return.id = ${searchedId(search)}::int)`
}

export async function findReturns(
  db: Db,
  { search, state, ...query }: CustomerReturnQuery,
): Promise<Found<CustomerReturnRow>> {
  const { rows, total } = await page(returns(db), query, {
    table: 'customer_return',
    where: (all) =>
      all
        .$call((q) => (state === undefined ? q : q.where('customer_return.state', 'in', state)))
        .$if(query.customer_id !== undefined, (q) =>
          q.where(sql<boolean>`customer_return.customer_id = any(${query.customer_id}::int[])`),
        )
        .$call((q) => (search === undefined ? q : q.where(isSearched(search)))),
    sort: { id: 'customer_return.id', created_at: 'customer_return.created_at' },
  })
  return { rows: await withSums(db, rows), total }
}

/** A whole return with all its items, its credit notes and its newest log entries. */
export async function returnRecord(db: Db, id: number): Promise<CustomerReturn | undefined> {
  const row = await returns(db).where('customer_return.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const whole = single(await withSums(db, [row]))
  const { rows: items } = await sql<CustomerReturnItem>`
    select i.stock_id as id, l.product_name, l.imei, l.serial_number, l.grade as grade_name, s.status, i.sale_id, sale.invoice_number,
      sale.prices_include_vat, coalesce(l.sales_price_vat, l.sales_price) - l.allowed_price as sold_price, ${isNotedAtZero('l')} as noted_at_zero, s.supplier_id,
      v.company_name as supplier_name, s.purchase_date, i.reason, i.condition, i.outcome, i.price, i.received_at, i.credit_id,
      d.printed as credit_number
    from customer_return_item i join sale_item l using (sale_id, stock_id) join sale on sale.id = i.sale_id
      join stock s on s.id = i.stock_id left join supplier v on v.id = s.supplier_id left join document d on d.id = i.credit_id
    where i.return_id = ${id} order by i.sale_id, l.position`.execute(db)
  const credited = [...new Set(items.flatMap(({ credit_id }) => credit_id ?? []))]
  return { ...whole, items, credit_notes: await documentsAmong(db, credited), logs: await logsOf(db, 'Return', id) }
}
