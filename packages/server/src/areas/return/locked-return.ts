import type { Selectable } from 'kysely'
import { type Tx, waitingLess } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { refuseStale } from '../../records/log/stale.ts'

export type ReturnRecord = Selectable<Tables['customer_return']>
export type ReturnLine = Selectable<Tables['customer_return_item']>

/**
 * Locks a return. Lock items, batches and sales before it; claims and baskets after it. Throws 404 if there is none.
 */
export async function lockReturn(tx: Tx, id: number): Promise<ReturnRecord> {
  const row = await waitingLess(tx, () =>
    tx.selectFrom('customer_return').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
  )
  return found(row, `Return #${id}`)
}

/** The items of a return that have not come yet. */
export const awaitedItems = (tx: Tx, id: number): Promise<ReturnLine[]> =>
  tx
    .selectFrom('customer_return_item')
    .selectAll()
    .where('return_id', '=', id)
    .where('received_at', 'is', null)
    .orderBy('stock_id')
    .execute()

/** Throws 409 if the return has ended. */
export function refuseEnded({ id, state }: Pick<ReturnRecord, 'id' | 'state'>): void {
  if (state === 'settled' || state === 'refused')
    throw conflict(`Return #${id} is ${state}: it takes no more items. Make a new return.`)
}

/** Throws 409 if somebody has changed the return since the client loaded it. */
export function refuseStaleReturn(tx: Tx, row: ReturnRecord, loadedAt: string | undefined): Promise<void> {
  return refuseStale(tx, row, loadedAt, { type: 'Return', id: row.id })
}

/** The most items that a refusal names. */
export const NAMED = 20
