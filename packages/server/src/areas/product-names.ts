import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'

/**
 * Rewrites the display names of all products of a make or a colour that was just renamed in this transaction, by the rule
 * of the contract's `productDisplayName`.
 */
export async function refreshProductNames(tx: Tx, part: 'make_id' | 'colour_id', id: number): Promise<void> {
  // Locked in a statement of its own: after waiting for a rename of the other part, only the next one sees that name.
  await sql`select from product where ${sql.ref(part)} = ${id} order by id for no key update`.execute(tx)
  await sql`
    update product set display_name = concat_ws(' ', (select name from make where make.id = make_id), model,
      capacity || ' ' || capacity_unit, (select name from colour where colour.id = colour_id))
    where ${sql.ref(part)} = ${id}`.execute(tx)
}
