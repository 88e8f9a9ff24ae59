import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { type Locked, lock } from '../../records/lock.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import { leaveBatch } from './items.ts'
import { itemIdsOf } from './queries.ts'

type Lockable = { id: number; name: string; is_locked: boolean }

/**
 * Deletes a batch. Its items that are In Batch become In Stock; the others keep their status. Throws 404, and 409 if
 * the batch is locked.
 */
export async function deleteBatch(tx: Tx, author: Author, id: number): Promise<void> {
  const { stock, batches } = await lockWholeBatch(tx, id)
  const batch = found(batches.get(id), `Batch #${id}`)
  const items = [...stock.values()].filter((item) => item.batch_id === id)
  await emptyAndDelete(tx, author, batch, items)
}

/**
 * Locks a batch with all its items, and further items with their batches: first the items, then the batches. If an item
 * joins the batch between the two steps, the transaction runs again.
 */
export async function lockWholeBatch(tx: Tx, id: number, further: readonly number[] = []): Promise<Locked> {
  const { stock } = await lock(tx, { stock: [...further, ...(await itemIdsOf(tx, id))] })
  const { batches } = await lock(tx, { batches: [id, ...[...stock.values()].flatMap((item) => item.batch_id ?? [])] })
  if ((await itemIdsOf(tx, id)).some((item) => !stock.has(item)))
    throw new RetryTransaction('An item joined the batch meanwhile.')
  return { stock, batches, sales: new Map() }
}

/**
 * Takes all items out of a batch that `lockWholeBatch` has locked, and deletes the batch. Throws 409 if its `is_locked`
 * is set.
 */
export async function emptyAndDelete(
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
