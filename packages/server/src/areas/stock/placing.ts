import { allowedStockStatuses, type StockStatus } from '@backstock/contract/stock-status.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { statusAfterComingBack } from './status.ts'

/** A batch whose row is locked for this transaction; `is_locked` is the trader's lock. */
export type LockedBatch = { id: number; is_locked: boolean }
/** Where an item stands. The database checks that the three agree. */
export type Place = { status: StockStatus; batch_id: number | null; in_hand: boolean }

/** 409 under `batch_id`: a locked batch neither gains nor loses items. */
export function refuseLocked(batch: LockedBatch): void {
  if (!batch.is_locked) return
  const message = `Batch #${batch.id} is locked: items can be neither added nor removed.`
  throw conflict(message, { batch_id: message })
}

/**
 * Where an item stands after an edit that wants this status and this batch. The server alone sets In Batch and Sold: an
 * In Stock item that joins a batch becomes In Batch, one that leaves its batch becomes In Stock, and a Deleted item
 * that comes back becomes In Batch if it still has a batch. Throws 422 under `status`, 409 under `batch_id`.
 */
export function placeAfterEdit(
  before: Place,
  wanted: { status: StockStatus; batch_id: number | null },
  batches: ReadonlyMap<number, LockedBatch>,
): Place {
  if (!allowedStockStatuses(before.status).includes(wanted.status))
    throw invalid({ status: `An item that is ${before.status} cannot become ${wanted.status}.` })
  if (wanted.batch_id !== before.batch_id) {
    const [left, joined] = [batches.get(before.batch_id ?? 0), batches.get(wanted.batch_id ?? 0)]
    if (left) refuseLocked(left)
    if (wanted.batch_id !== null) {
      if (!joined) throw invalid({ batch_id: 'Does not exist.' })
      refuseLocked(joined)
      if (wanted.status !== 'In Stock' && wanted.status !== 'In Batch') throw notInStock(wanted.status)
    }
  }
  const available = wanted.status === 'In Stock' || wanted.status === 'In Batch'
  return {
    status: available ? statusAfterComingBack(wanted) : wanted.status,
    batch_id: wanted.batch_id,
    in_hand: available || (wanted.status !== 'Deleted' && before.in_hand),
  }
}

function notInStock(status: StockStatus) {
  const message = `Only In Stock items can join a batch; this one is ${status}.`
  return conflict(message, { batch_id: message })
}
