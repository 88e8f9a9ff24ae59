import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { getFrom } from '../lists.ts'
import { type Author, changes, record } from './log/write.ts'

/**
 * Rewrites the display names of all products of a make or colour that this transaction has renamed, by the rule of the
 * contract's `productDisplayName`, and logs that for each product.
 */
export async function refreshProductNames(
  tx: Tx,
  part: 'make_id' | 'colour_id',
  id: number,
  author: Author,
): Promise<void> {
  // The rows are locked in a statement of their own. If this statement waits for a rename of the product's other part,
  // only the next statement sees that part's new name.
  const before = await sql<{ id: number; display_name: string }>`
    select id, display_name from product where ${sql.ref(part)} = ${id} order by id for no key update`.execute(tx)
  const after = await sql<{ id: number; display_name: string }>`
    update product set display_name = concat_ws(' ', (select name from make where make.id = make_id), model,
      capacity || ' ' || capacity_unit, (select name from colour where colour.id = colour_id))
    where ${sql.ref(part)} = ${id} returning id, display_name`.execute(tx)
  const names = new Map(after.rows.map((row) => [row.id, row]))
  const entries = before.rows.map((row) => ({
    type: 'Product' as const,
    id: row.id,
    content: {
      type: 'model_update' as const,
      data: changes({ display_name: row.display_name }, { display_name: getFrom(names, row.id).display_name }),
    },
  }))
  await record(
    tx,
    author,
    entries.filter(({ content }) => content.data.length > 0),
  )
}
