import { PHONES_LOOKED_AT } from '@backstock/contract/imei.ts'
import type { ProposedProduct } from '@backstock/contract/proposed-product.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * The product that the shop has had most often under each of these type allocation codes (`tacOf`), by the code; none
 * if it has had no phone of it. If several products are as frequent, the one that came last. One query, however many
 * codes.
 */
export async function proposedProducts(db: Db, tacs: readonly string[]): Promise<Map<string, ProposedProduct>> {
  const { rows } = await sql<ProposedProduct>`
    select tac.tac, p.id as product_id, p.display_name, most.times, most.phones
    from unnest(${[...new Set(tacs)]}::text[]) as tac (tac)
    cross join lateral (
      select actual_product_id, count(*) as times, (sum(count(*)) over ())::bigint as phones
      from (
        select id, actual_product_id from stock
        where left(imei, 8) = tac.tac and status <> 'Deleted' order by id desc limit ${sql.lit(PHONES_LOOKED_AT)}) newest
      group by actual_product_id order by count(*) desc, max(id) desc limit 1) most
    join product p on p.id = most.actual_product_id`.execute(db)
  return new Map(rows.map((row) => [row.tac, row]))
}
