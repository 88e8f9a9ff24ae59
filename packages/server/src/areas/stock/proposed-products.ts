import { PHONES_LOOKED_AT } from '@backstock/contract/imei.ts'
import type { ProposedProduct } from '@backstock/contract/proposed-product.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * The product that most of the shop's phones under each of these TACs have, by TAC; a TAC without phones is missing. If
 * several products are equally frequent, it is the one that was used last. One query is enough for all TACs.
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
