import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict } from '../../http/refusal.ts'
import { recordChanges } from '../../records/log/write.ts'
import { lockCheck, openCheckOf } from './locked-check.ts'

/**
 * Closes a check or opens it again. If it has the state already, nothing happens. Throws 404, and 409 if its import has
 * another open check.
 */
export async function moveCheck(tx: Tx, userId: number, id: number, state: 'open' | 'closed'): Promise<void> {
  const check = await lockCheck(tx, id)
  if (check.state === state) return
  if (state === 'open') await refuseSecond(tx, check.import_id)
  const closed_at = state === 'closed' ? sql<string>`now()` : null
  await tx.updateTable('delivery_check').set({ state, closed_at }).where('id', '=', id).execute()
  await recordChanges(tx, { userId }, 'Delivery check', id, { state: check.state }, { state })
}

/**
 * Throws 409 if an import has another open check. If two people open checks of one import at the same moment, the
 * unique index refuses the second.
 */
async function refuseSecond(tx: Tx, importId: number | null): Promise<void> {
  if (importId === null) return
  const other = await openCheckOf(tx, importId)
  if (other) throw conflict(`Import #${importId} is being checked by delivery check #${other.id}.`)
}
