import type { CancelSaleInput } from '@backstock/contract/sale.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import type { Tx } from '../../../db/connect.ts'
import { conflict } from '../../../http/refusal.ts'
import { refuseStale } from '../../../records/log/stale.ts'
import { type Author, recordChanges, recordMessage } from '../../../records/log/write.ts'
import { lockSale, type SaleRecord } from '../locked-sale.ts'
import { voidSale } from './status.ts'
import { refundDue, type Told } from './told.ts'

/**
 * Cancels a sale that awaits its dispatch. No edit can move such a sale to Voided. So the server first takes its items
 * away, which makes it a sale that requires attention, and then voids it. Its items are in stock again, its invoice is
 * credited, and the shop owes the paid sum, which a warning names. Throws 404; 409 in any other status, with a hint
 * what to do instead; 409 if the sale has changed since it was loaded.
 */
export async function cancelSale(tx: Tx, id: number, input: CancelSaleInput, author: Author): Promise<Told> {
  const locked = await lockSale(tx, id)
  const { sale } = locked
  await refuseStale(tx, sale, input.updated_at, { type: 'Sale', id })
  if (sale.status !== 'Awaiting Dispatch') throw conflict(whyNot(sale))
  await recordMessage(tx, author, 'Sale', id, 'The sale was cancelled before its dispatch: its items were taken off.')
  const { items, message } = await voidSale(tx, locked, author)
  await tx.updateTable('sale').set({ status: 'Voided' }).where('id', '=', id).execute()
  const moved = (from: SaleStatus, to: SaleStatus, more: object = {}) =>
    recordChanges(tx, author, 'Sale', id, { status: from }, { status: to, ...more })
  await moved('Awaiting Dispatch', 'Requires Attention')
  await moved('Requires Attention', 'Voided', { items_back_in_stock: items })
  return { message, warnings: await refundDue(tx, id) }
}

function whyNot({ id, status }: SaleRecord): string {
  if (status === 'Voided') return `Sale #${id} is voided already.`
  if (status === 'Dispatched')
    return `The items of sale #${id} have been dispatched, so it cannot be voided. They can only be returned.`
  return `Sale #${id} has the status ${status}. To void it, set its status to Voided.`
}
