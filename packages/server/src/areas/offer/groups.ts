import type { OfferGroup, OfferQuery } from '@backstock/contract/offer.ts'
import { MAX_OFFER_LINES } from '@backstock/contract/offer-lines.ts'
import { SELLABLE_STATUSES, STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { humanOrder } from '../../db/page.ts'
import { conflict } from '../../http/refusal.ts'
import { single } from '../../lists.ts'
import { basketItems } from '../basket.ts'
import { itemsMatching } from '../stock/find.ts'

const OTHER_STATUSES = STOCK_STATUSES.filter((status) => !SELLABLE_STATUSES.some((sellable) => sellable === status))

/** The sellable items among the chosen ones, by product and grade. `not_sellable` counts the others. */
export type Offered = { groups: OfferGroup[]; not_sellable: number }

/**
 * Groups the chosen items with one statement, however many there are. Throws 409 if the offer would have too many
 * lines.
 */
export async function offered(db: Db, { basket, ...query }: OfferQuery, personId: number): Promise<Offered> {
  const ids = basket ? (await basketItems(db, personId)).map(({ id }) => id) : query.ids
  const wanted = SELLABLE_STATUSES.filter((status) => query.status?.includes(status) ?? true)
  const chosen = { ...query, ids }
  const groups = wanted.length === 0 ? [] : await groupsOf(db, { ...chosen, status: wanted })
  if (groups.length > MAX_OFFER_LINES)
    throw conflict(
      `This offer would have more than ${MAX_OFFER_LINES.toLocaleString('en')} lines. Choose fewer items by a filter.`,
    )
  // If the request names a basket, a batch or items, it means all of them, so the others are counted. A filter only
  // means the items that it finds.
  const isNamed = ids !== undefined || query.id !== undefined || query.batch_id !== undefined
  const not_sellable = isNamed ? await countOf(db, { ...chosen, status: OTHER_STATUSES }) : 0
  return { groups, not_sellable }
}

type Chosen = Omit<OfferQuery, 'basket'>

async function groupsOf(db: Db, chosen: Chosen): Promise<OfferGroup[]> {
  const found = await itemsMatching(db, chosen, sql`s.id, s.actual_product_id, s.grade_id, s.sales_price`)
  const { rows } = await sql<OfferGroup>`
    with grouped as (
      select actual_product_id, grade_id, count(*) as quantity, count(*) - count(sales_price) as unpriced,
        min(sales_price) as lowest, max(sales_price) as highest
      from (${found}) found group by actual_product_id, grade_id)
    select actual_product_id as product_id, grade_id, p.display_name as product, g.name as grade, quantity, unpriced,
      lowest, highest
    from grouped join product p on p.id = actual_product_id left join grade g on g.id = grade_id
    order by ${humanOrder('p.display_name')}, p.id, g.position nulls last, g.id limit ${MAX_OFFER_LINES + 1}`.execute(
    db,
  )
  return rows
}

async function countOf(db: Db, chosen: Chosen): Promise<number> {
  const found = await itemsMatching(db, chosen, sql`s.id`)
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${found}) found`.execute(db)
  return single(rows).n
}
