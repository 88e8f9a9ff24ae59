import { allowedStockStatuses, type StockStatus } from '@backstock/contract/stock-status.ts'
import { conflict, invalid, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { statusAfterComingBack } from './status.ts'

/** A batch whose row this transaction has locked. `is_locked` is the lock that a person has set on the batch. */
export type LockedBatch = { id: number; is_locked: boolean }
/** The place of an item. A constraint of the database checks that the three fields agree. */
export type Place = { status: StockStatus; batch_id: number | null; in_hand: boolean }

type PlaceProblem = { field: 'status' | 'batch_id'; message: string; isConflict: boolean }

const lockedMessage = ({ id }: LockedBatch) => `Batch #${id} is locked: items can be neither added nor removed.`

/** Throws 409 under `batch_id` if a batch is locked, because it then neither gains nor loses items. */
export function refuseLocked(batch: LockedBatch): void {
  if (batch.is_locked) throw conflict(lockedMessage(batch), { batch_id: lockedMessage(batch) })
}

function refusedStatus(before: StockStatus, status: StockStatus): string {
  if (status === 'In Batch' && before === 'In Stock') return 'Choose a batch instead: an item in a batch is In Batch.'
  if (status === 'Sold') return 'Only a sale makes an item Sold.'
  if (status === 'Returned to Supplier') return 'Only a supplier claim makes an item Returned to Supplier.'
  return `An item that is ${before} cannot become ${status}.`
}

/** Why an item cannot have the wanted status and batch; null if it can. */
export function placeProblem(
  before: Place,
  wanted: { status: StockStatus; batch_id: number | null },
  batches: ReadonlyMap<number, LockedBatch>,
): PlaceProblem | null {
  const { status, batch_id } = wanted
  if (!allowedStockStatuses(before.status).includes(status))
    return { field: 'status', message: refusedStatus(before.status, status), isConflict: false }
  if (batch_id === before.batch_id) return null
  const inBatch = (message: string, isConflict = true) => ({ field: 'batch_id' as const, message, isConflict })
  const [left, joined] = [batches.get(before.batch_id ?? 0), batches.get(batch_id ?? 0)]
  if (left?.is_locked) return inBatch(lockedMessage(left))
  if (batch_id === null) return null
  if (!joined) return inBatch(NO_SUCH_RECORD, false)
  if (joined.is_locked) return inBatch(lockedMessage(joined))
  if (status === 'In Stock' || status === 'In Batch') return null
  return inBatch(`Only In Stock items can join a batch; this one is ${status}.`)
}

/**
 * The place of an item after an edit to this status and batch. Only the server sets In Batch and Sold: an In Stock item
 * that joins a batch becomes In Batch; an item that leaves its batch becomes In Stock; a Deleted item that comes back
 * becomes In Batch if it has a batch. Throws 422 under `status`, and 409 under `batch_id`.
 */
export function placeAfterEdit(
  before: Place,
  wanted: { status: StockStatus; batch_id: number | null },
  batches: ReadonlyMap<number, LockedBatch>,
): Place {
  const problem = placeProblem(before, wanted, batches)
  if (problem) {
    const errors = { [problem.field]: problem.message }
    throw problem.isConflict ? conflict(problem.message, errors) : invalid(errors)
  }
  return placeOf(before, wanted)
}

/** The place of an item, if `placeProblem` has nothing against the wanted status and batch. */
export function placeOf(before: Place, wanted: { status: StockStatus; batch_id: number | null }): Place {
  const available = wanted.status === 'In Stock' || wanted.status === 'In Batch'
  return {
    status: available ? statusAfterComingBack(wanted) : wanted.status,
    batch_id: wanted.batch_id,
    in_hand: available || (wanted.status !== 'Deleted' && before.in_hand),
  }
}
