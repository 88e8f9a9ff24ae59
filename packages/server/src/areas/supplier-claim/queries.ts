import type { SupplierClaim, SupplierClaimQuery, SupplierClaimRow } from '@backstock/contract/supplier-claim.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../db/connect.ts'
import { type Found, hasText, page, searchedId, searchedWords } from '../../db/page.ts'
import { getFrom, single } from '../../lists.ts'
import { logsOf } from '../../records/log/read.ts'
import { stockRows } from '../stock/queries.ts'

const claims = (db: Db) =>
  db
    .selectFrom('supplier_claim')
    .select([
      'supplier_claim.id',
      'supplier_claim.supplier_id',
      sql<string>`(select company_name from supplier where id = supplier_claim.supplier_id)`.as('supplier_name'),
      'supplier_claim.state',
      'supplier_claim.reference',
      'supplier_claim.note',
      'supplier_claim.credit_expected',
      'supplier_claim.credit_received',
      sql<string | null>`(select name from app_user where id = supplier_claim.created_by)`.as('created_by_name'),
      'supplier_claim.sent_at',
      'supplier_claim.settled_on',
      'supplier_claim.created_at',
      'supplier_claim.updated_at',
    ])

/**
 * Adds the number of items and their cost to each claim. The cost is that of the day when the claim was sent; in a
 * draft it is the present one.
 */
async function withSums<Row extends { id: number }>(db: Db, rows: Row[]) {
  const { rows: sums } = await sql<{ claim_id: number; items_count: number; total_cost: number }>`
    select claim_id, count(*)::int as items_count, sum(coalesce(i.cost, s.cost))::bigint as total_cost
    from supplier_claim_item i join stock s on s.id = i.stock_id
    where claim_id = any(${rows.map((row) => row.id)}::int[]) group by claim_id`.execute(db)
  const byClaim = new Map(sums.map(({ claim_id, ...sum }) => [claim_id, sum]))
  return rows.map((row) => ({ ...row, ...(byClaim.get(row.id) ?? { items_count: 0, total_cost: 0 }) }))
}

/**
 * The condition that each word of a search is in the claim or in its supplier, or that the search is the claim's id.
 */
function isSearched(search: string) {
  const words = searchedWords(search).map(
    (word) => sql<boolean>`(${hasText(sql`supplier_claim.search`, word)} or supplier_claim.supplier_id = any(array(
      select id from supplier where ${hasText(sql`supplier.search`, word)})))`,
  )
  return sql<boolean>`((${sql.join(words, sql` and `)}) or supplier_claim.id = ${searchedId(search)}::int)`
}

export async function findClaims(
  db: Db,
  { search, state, ...query }: z.output<typeof SupplierClaimQuery>,
): Promise<Found<SupplierClaimRow>> {
  const { rows, total } = await page(claims(db), query, {
    table: 'supplier_claim',
    where: (all) =>
      all
        .$call((q) => (state === undefined ? q : q.where('supplier_claim.state', 'in', state)))
        .$if(query.supplier_id !== undefined, (q) =>
          q.where(sql<boolean>`supplier_claim.supplier_id = any(${query.supplier_id}::int[])`),
        )
        .$call((q) => (search === undefined ? q : q.where(isSearched(search)))),
    sort: {
      id: 'supplier_claim.id',
      sent_at: 'supplier_claim.sent_at',
      settled_on: 'supplier_claim.settled_on',
      credit_received: 'supplier_claim.credit_received',
    },
  })
  return { rows: await withSums(db, rows), total }
}

type ItemColumns = { stock_id: number; reason: string; cost: number; credit: number | null; is_back: boolean }

/** A whole claim with all its items, newest first, and its newest log entries. */
export async function claimRecord(db: Db, id: number): Promise<SupplierClaim | undefined> {
  const row = await claims(db).where('supplier_claim.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const claim = single(await withSums(db, [row]))
  const { rows } = await sql<ItemColumns>`
    select stock_id, reason, coalesce(i.cost, s.cost) as cost, credit, is_back
    from supplier_claim_item i join stock s on s.id = i.stock_id where claim_id = ${id} order by stock_id desc`.execute(
    db,
  )
  const claimed = new Map(rows.map(({ stock_id, ...item }) => [stock_id, item]))
  const items = (await stockRows(db, [...claimed.keys()])).map((item) => ({ ...item, ...getFrom(claimed, item.id) }))
  return { ...claim, items, logs: await logsOf(db, 'Supplier claim', id) }
}
