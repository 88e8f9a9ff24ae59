import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { lock } from '../../records/lock.ts'
import { type Author, recordMessage } from '../../records/log.ts'
import { leaveBatch } from './items.ts'
import { itemIdsOf } from './queries.ts'

type Lockable = { id: number; name: string; is_locked: boolean }

/**
 * Deletes a batch: its unsold items are In Stock again, sold and deleted ones merely lose it. Throws 404, and 409 where it
 * is locked.
 */
export async function deleteBatch(tx: Tx, author: Author, id: number): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    await sql`savepoint all_items`.execute(tx)
    const ids = await itemIdsOf(tx, id)
    const { stock, batches } = await lock(tx, { stock: ids, batches: [id] })
    const batch = found(batches.get(id), `Batch #${id}`)
    // Nothing joins while the batch is locked, but something may have until then.
    if ((await itemIdsOf(tx, id)).every((item) => stock.has(item))) {
      const items = [...stock.values()].filter((item) => item.batch_id === id)
      return dissolve(tx, author, batch, items)
    }
    // Lets go of the locks: items are never locked after batches.
    await sql`rollback to savepoint all_items`.execute(tx)
  }
  throw conflict(`Items are being added to batch #${id}. Please try again in a moment.`)
}

/**
 * Deletes a batch whose items and whose row the caller has locked; `items` are all that are in it now. Throws 409 where
 * the batch is locked.
 */
export async function dissolve(
  tx: Tx,
  author: Author,
  batch: Lockable,
  items: Parameters<typeof leaveBatch>[3],
): Promise<void> {
  if (batch.is_locked) throw conflict(`Batch #${batch.id} is locked and cannot be deleted.`)
  await leaveBatch(tx, author, batch, items)
  await tx.deleteFrom('batch').where('id', '=', batch.id).execute()
  await recordMessage(tx, author, 'Batch', batch.id, `Batch "${batch.name}" deleted.`)
}
