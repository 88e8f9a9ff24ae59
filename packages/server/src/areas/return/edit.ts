import type { CustomerReturnInput } from '@backstock/contract/customer-return.ts'
import { allowedReturnStates } from '@backstock/contract/return-state.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import { type Author, recordChanges } from '../../records/log/write.ts'
import { lockAnnounced, refuseOthers, tellAnnounced, writeItems } from './announced-items.ts'
import { awaitedItems, lockReturn, type ReturnRecord, refuseEnded, refuseStaleReturn } from './locked-return.ts'

/**
 * Edits a return. A field that is absent stays. Throws 404; 409 if the return has changed or ended; 422 under wrong
 * fields.
 */
export async function editReturn(
  tx: Tx,
  id: number,
  input: Partial<CustomerReturnInput>,
  author: Author,
): Promise<void> {
  const { items, updated_at } = input
  const announced = items && (await lockAnnounced(tx, items))
  const before = await lockReturn(tx, id)
  await refuseStaleReturn(tx, before, updated_at)
  const after = { state: input.state ?? before.state, note: input.note === undefined ? before.note : input.note }
  if (!allowedReturnStates(before.state).includes(after.state))
    throw invalid({ state: `A return that is ${before.state} cannot become ${after.state} by an edit.` })
  if (announced) await replaceItems(tx, before, announced, author)
  await tx.updateTable('customer_return').set(after).where('id', '=', id).execute()
  // The return has ended, so nobody expects its missing items any longer.
  if (after.state === 'settled' || after.state === 'refused')
    await tx.updateTable('customer_return_item').set({ is_open: false }).where('return_id', '=', id).execute()
  await recordChanges(tx, author, 'Return', id, { state: before.state, note: before.note }, after)
}

async function replaceItems(
  tx: Tx,
  row: ReturnRecord,
  { items, locked }: Awaited<ReturnType<typeof lockAnnounced>>,
  author: Author,
): Promise<void> {
  refuseEnded(row)
  if (row.state === 'announced' && items.length === 0) throw invalid({ items: 'Choose at least one item.' })
  await refuseOthers(tx, row, items, locked)
  const kept = new Set(items.map((item) => item.stock_id))
  const gone = (await awaitedItems(tx, row.id)).filter((item) => !kept.has(item.stock_id))
  await sql`
    delete from customer_return_item
    where return_id = ${row.id} and stock_id = any(${gone.map((item) => item.stock_id)}::int[])`.execute(tx)
  await writeItems(tx, row.id, items)
  await tellAnnounced(tx, author, row.id, items)
}
