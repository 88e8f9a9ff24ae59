import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { found } from '../../http/crud.ts'
import { conflict, invalid, missing, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { getFrom } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { listed, noItems } from '../../records/log/listed.ts'
import { type Author, changes, type Entry, record, recordMessage } from '../../records/log/write.ts'
import { removeFromBasket } from '../basket.ts'
import { refuseLocked } from '../stock/status-and-batch.ts'

type StockItem = Selectable<Tables['stock']>
type Batch = Selectable<Tables['batch']>
type NamedBatch = Pick<Batch, 'id' | 'name'>

/**
 * Puts items into a batch: all of them, or none. They must be In Stock, and leave the person's basket. With `from`,
 * they must be In Batch in that batch. Throws 422 under `items`; 404 if there is no such batch; 409 if a batch is
 * locked, or with the items that cannot join.
 */
export async function addItems(
  tx: Tx,
  author: Author,
  { batchId, items, from }: { batchId: number; items: readonly number[]; from?: number | null | undefined },
): Promise<void> {
  const ids = checkIds(items)
  if (from === batchId) throw invalid({ batch_id: 'The items are in this batch already.' })
  const { stock, batches } = await lock(tx, { stock: ids, batches: from ? [batchId, from] : [batchId] })
  const batch = found(batches.get(batchId), `Batch #${batchId}`)
  refuseLocked(batch)
  await join(tx, author, { batch, ids, stock, from: from ? leftBatch(batches, from) : null })
}

/**
 * Puts items into a batch that this transaction has made, even if the batch is locked. Throws the errors of `addItems`.
 */
export async function fillNewBatch(
  tx: Tx,
  author: Author,
  { batch, items, from }: { batch: NamedBatch; items: readonly number[]; from?: number | null | undefined },
): Promise<void> {
  const ids = checkIds(items)
  const { stock, batches } = await lock(tx, { stock: ids, batches: from ? [from] : [] })
  await join(tx, author, { batch, ids, stock, from: from ? leftBatch(batches, from) : null })
}

function leftBatch(batches: Map<number, Batch>, from: number): Batch {
  const left = batches.get(from)
  if (!left) throw invalid({ id: NO_SUCH_RECORD })
  refuseLocked(left)
  return left
}

function checkIds(items: readonly number[]): number[] {
  const ids = [...new Set(items)]
  if (ids.length === 0) throw invalid({ items: 'Choose at least one item.' })
  return ids
}

async function join(
  tx: Tx,
  author: Author,
  move: { batch: NamedBatch; ids: number[]; stock: Map<number, StockItem>; from: Batch | null },
): Promise<void> {
  const { batch, ids, stock, from } = move
  const unknown = ids.filter((id) => !stock.has(id))
  if (unknown.length) throw invalid({ items: noItems(unknown) })
  const items = ids.map((id) => getFrom(stock, id))
  const stuck = items.filter((item) =>
    from ? item.status !== 'In Batch' || item.batch_id !== from.id : item.status !== 'In Stock',
  )
  if (stuck.length) {
    const why = from ? `not in batch #${from.id}` : 'not In Stock'
    const message = `Cannot join the batch: ${listed(stuck.map((item) => item.id))} (${why}).`
    throw conflict(message, { items: message })
  }
  if (!from && author.userId) await removeFromBasket(tx, author.userId, ids)
  await sql`update stock set status = 'In Batch', batch_id = ${batch.id} where id = any(${ids}::int[])`.execute(tx)
  await record(
    tx,
    author,
    items.map((item) => movedEntry(item, { status: 'In Batch', from, to: batch })),
  )
  if (from) await recordMessage(tx, author, 'Batch', from.id, `Moved to batch #${batch.id}: ${listed(ids)}.`)
  await recordMessage(
    tx,
    author,
    'Batch',
    batch.id,
    from ? `Moved from batch #${from.id}: ${listed(ids)}.` : `Added: ${listed(ids)}.`,
  )
}

/**
 * Takes items out of a batch. The caller has locked the items and the batch, and has checked `is_locked`. Items that
 * are In Batch become In Stock; the others keep their status.
 */
export async function leaveBatch(
  tx: Tx,
  author: Author,
  batch: NamedBatch,
  items: readonly Pick<StockItem, 'id' | 'status'>[],
): Promise<void> {
  if (items.length === 0) return
  const ids = items.map((item) => item.id)
  await sql`
    update stock set batch_id = null, status = case status when 'In Batch' then 'In Stock' else status end
    where id = any(${ids}::int[])`.execute(tx)
  await record(
    tx,
    author,
    items.map((item) =>
      movedEntry(item, { status: item.status === 'In Batch' ? 'In Stock' : item.status, from: batch, to: null }),
    ),
  )
  await recordMessage(tx, author, 'Batch', batch.id, `Removed: ${listed(ids)}.`)
}

/** Takes one item out of its batch. Throws 404 if the item is not in this batch, 409 if the batch is locked. */
export async function removeItem(tx: Tx, author: Author, batchId: number, stockId: number): Promise<void> {
  const { stock, batches } = await lock(tx, { stock: [stockId], batches: [batchId] })
  const batch = found(batches.get(batchId), `Batch #${batchId}`)
  const item = stock.get(stockId)
  if (item?.batch_id !== batchId) throw missing(`Item #${stockId} in batch #${batchId}`)
  refuseLocked(batch)
  await leaveBatch(tx, author, batch, [item])
}

function movedEntry(
  item: Pick<StockItem, 'id' | 'status'>,
  moved: { status: StockItem['status']; from: NamedBatch | null; to: NamedBatch | null },
): Entry {
  const data = changes(
    { status: item.status, batch: { id: moved.from?.id ?? null, name: moved.from?.name ?? null } },
    { status: moved.status, batch: { id: moved.to?.id ?? null, name: moved.to?.name ?? null } },
  )
  return { type: 'Stock', id: item.id, content: { type: 'model_update', data } }
}
