import { RETURN_REASON_NAMES, type ReturnOutcome, type ReturnReason } from '@backstock/contract/return-state.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { getFrom } from '../../lists.ts'
import { type Author, record } from '../../records/log/write.ts'
import { leaveBatch } from '../batch/items.ts'
import { type LockedLines, putBackInStock } from '../sale/locked-sale.ts'
import { isTaken, twinsOf } from '../stock/identifiers.ts'
import { batchAfterDeletion } from '../stock/status.ts'
import { draftClaimFor } from '../supplier-claim/items.ts'

type Moved = { stock_id: number; reason: ReturnReason; outcome: ReturnOutcome }

/**
 * Moves returned items by their outcome. An item that is not restocked leaves its batch; but a locked batch keeps a
 * scrapped item. An item that goes to its supplier is added to a draft of a claim. Throws 409 if a phone is in stock
 * already as another item, if a locked batch would lose an item, or if an item's supplier is unknown.
 */
export async function moveItems(
  tx: Tx,
  { stock, batches }: LockedLines,
  items: readonly Moved[],
  author: Author,
): Promise<void> {
  const idsOf = (...outcomes: ReturnOutcome[]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).map(({ stock_id }) => stock_id)
  const [restocked, inbound, scrapped] = [idsOf('restock'), idsOf('inbound', 'to_supplier'), idsOf('scrap')]
  await refuseTwins(tx, [...restocked, ...inbound])
  const batchOf = (id: number) => batches.get(getFrom(stock, id).batch_id ?? 0)
  const locked = inbound.flatMap((id) => {
    const batch = batchOf(id)
    return batch?.is_locked ? [`item #${id} in batch #${batch.id}`] : []
  })
  if (locked.length) {
    const which = locked.slice(0, TOLD)
    throw conflict(`An item cannot leave a locked batch. Put these back in stock or scrap them: ${which.join(', ')}.`)
  }

  for (const [batch, ids] of Map.groupBy([...inbound, ...scrapped], batchOf)) {
    if (!batch || batchAfterDeletion(batch) !== null) continue
    await leaveBatch(
      tx,
      author,
      batch,
      ids.map((id) => getFrom(stock, id)),
    )
  }
  try {
    if (restocked.length) await putBackInStock(tx, restocked, author)
    await become(tx, inbound, 'Inbound', author)
    await become(tx, scrapped, 'Deleted', author)
  } catch (error) {
    if (isTaken(error)) throw conflict('Another item already has this IMEI or serial number.')
    throw error
  }
  await claim(
    tx,
    items.filter(({ outcome }) => outcome === 'to_supplier'),
    stock,
    author,
  )
}

/** Adds items to drafts of supplier claims, one for each supplier, in the order of the suppliers' ids. */
async function claim(tx: Tx, items: readonly Moved[], stock: LockedLines['stock'], author: Author): Promise<void> {
  const supplierOf = ({ stock_id }: Moved) => getFrom(stock, stock_id).supplier_id ?? 0
  const bySupplier = Map.groupBy(items, supplierOf)
  const unknown = bySupplier.get(0)
  if (unknown) {
    const which = unknown.slice(0, TOLD).map(({ stock_id }) => `item #${stock_id}`)
    throw conflict(`These items have no supplier: ${which.join(', ')}. Choose another outcome.`)
  }
  for (const [supplier, of] of [...bySupplier].toSorted(([a], [b]) => a - b)) {
    const claimed = of.map(({ stock_id, reason }) => ({ stock_id, reason: RETURN_REASON_NAMES[reason] }))
    await draftClaimFor(tx, supplier, claimed, author)
  }
}
const TOLD = 20

async function become(
  tx: Tx,
  ids: readonly number[],
  status: Extract<StockStatus, 'Inbound' | 'Deleted'>,
  author: Author,
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update stock set status = ${status}, sale_id = null, in_hand = ${status === 'Inbound'}
    where id = any(${ids}::int[])`.execute(tx)
  await record(
    tx,
    author,
    ids.map((id) => ({
      type: 'Stock',
      id,
      content: { type: 'model_update', data: [{ attributeName: 'status', from: 'Sold', to: status }] },
    })),
  )
}

/** Throws 409 if a phone has been bought again, and is in stock already as another item. */
async function refuseTwins(tx: Tx, ids: readonly number[]): Promise<void> {
  const twins = [...(await twinsOf(tx, ids))]
  const [first] = twins
  if (!first) return
  if (ids.length === 1) throw conflict(Object.values(first[1]).join(' '), first[1])
  const message = twins
    .slice(0, TOLD)
    .map(([id, taken]) => `#${id}: ${Object.values(taken).join(' ')}`)
    .join(' ')
  throw conflict(message, { items: message })
}
