import { isReturnable } from '@backstock/contract/claim-state.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { getFrom } from '../../lists.ts'
import type { Locked } from '../../records/lock.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'
import { removeFromAllBaskets } from '../basket.ts'
import { leaveBatch } from '../batch/items.ts'
import {
  type ClaimRecord,
  lockWholeClaim,
  NAMED,
  refuseStaleClaim,
  refuseUnless,
  type StockRecord,
} from './locked-claim.ts'

/**
 * Sends a draft to its supplier. All its items become Returned to Supplier, and leave their batches and all baskets.
 * Throws 404 if there is no such claim; 409 if it is no draft, has no items, or has items that cannot go, which the
 * message names.
 */
export async function sendClaim(tx: Tx, author: Author, id: number, loadedAt: string | undefined): Promise<void> {
  const { claim, stock, batches } = await lockWholeClaim(tx, id)
  refuseUnless(claim, 'draft', { no: 'it can no longer be sent', done: 'sent' })
  await refuseStaleClaim(tx, claim, loadedAt)
  const items = [...stock.values()]
  if (items.length === 0) throw conflict(`Supplier claim #${id} has no items.`)
  refuseStuck(claim, items, batches)

  for (const [batchId, leaving] of Map.groupBy(items, (item) => item.batch_id))
    if (batchId !== null) await leaveBatch(tx, author, getFrom(batches, batchId), leaving)
  const ids = items.map((item) => item.id)
  await sql`
    update stock set status = 'Returned to Supplier', in_hand = false, supplier_return_id = ${id}
    where id = any(${ids}::int[])`.execute(tx)
  await sql`
    update supplier_claim_item i set cost = s.cost from stock s where i.claim_id = ${id} and s.id = i.stock_id`.execute(
    tx,
  )
  await tx.updateTable('supplier_claim').set({ state: 'sent', sent_at: sql`now()` }).where('id', '=', id).execute()
  await record(tx, author, [claimEntry(id, ids), ...items.flatMap((item) => itemEntries(id, item))])
  await removeFromAllBaskets(tx, ids)
}

/** Throws 409 that names each item which cannot go back, and the reason. */
function refuseStuck(claim: ClaimRecord, items: readonly StockRecord[], batches: Locked['batches']): void {
  const stuck = items.flatMap(({ id, status, supplier_id, batch_id }) => {
    if (!isReturnable(status)) return `item #${id} is ${status}`
    if (supplier_id !== claim.supplier_id) return `the supplier of item #${id} has changed`
    if (batch_id !== null && getFrom(batches, batch_id).is_locked)
      return `item #${id} is in batch #${batch_id}, which is locked`
    return []
  })
  if (stuck.length === 0) return
  const message = `Cannot go back to the supplier: ${someOf(stuck, NAMED)}.`
  throw conflict(message, { items: message })
}

function claimEntry(id: number, ids: readonly number[]): Entry {
  const data = [
    { attributeName: 'state', from: 'draft', to: 'sent' },
    { attributeName: 'returned_to_supplier', from: null, to: listed(ids) },
  ]
  return { type: 'Supplier claim', id, content: { type: 'model_update', data } }
}

function itemEntries(claimId: number, { id, status }: StockRecord): Entry[] {
  const from = status === 'In Batch' ? 'In Stock' : status
  const data = [{ attributeName: 'status', from, to: 'Returned to Supplier' }]
  return [
    { type: 'Stock', id, content: { type: 'model_update', data } },
    {
      type: 'Stock',
      id,
      content: { type: 'message', data: { message: `Returned to the supplier under claim #${claimId}.` } },
    },
  ]
}
