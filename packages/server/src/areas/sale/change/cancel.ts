import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import type { CancelSaleInput } from '@backstock/contract/sale.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import type { Tx } from '../../../db/connect.ts'
import { conflict } from '../../../http/refusal.ts'
import { refuseStale } from '../../../records/log/stale.ts'
import { type Author, recordChanges } from '../../../records/log/write.ts'
import { lockSale } from '../locked-sale.ts'
import { voidSale } from './status.ts'

/** The message about the cancellation. `warning` names the sum that the shop must give back. */
export type Cancelled = { message: string; warning?: string }

const INSTEAD: Partial<Record<SaleStatus, string>> = {
  Dispatched: 'Its items have been dispatched: they can only be returned.',
  Voided: 'It is already voided.',
}

/**
 * Cancels a sale that awaits its dispatch. No edit can move such a sale to Voided. So the server first takes its items
 * away, which makes it a sale that requires attention, and then voids it. Its items are in stock again, its invoice is
 * credited, and the shop owes the paid sum. Throws 404; 409 in any other status, with a hint what to do instead; 409 if
 * the sale has changed since it was loaded.
 */
export async function cancelSale(tx: Tx, id: number, input: CancelSaleInput, author: Author): Promise<Cancelled> {
  const locked = await lockSale(tx, id)
  const { sale } = locked
  await refuseStale(tx, sale, input.updated_at, { type: 'Sale', id })
  if (sale.status !== 'Awaiting Dispatch')
    throw conflict(`Sale #${id} is ${sale.status}. ${INSTEAD[sale.status] ?? 'To void it, set its status to Voided.'}`)
  const { items, note } = await voidSale(tx, locked, author)
  await tx.updateTable('sale').set({ status: 'Voided' }).where('id', '=', id).execute()
  const moved = (from: SaleStatus, to: SaleStatus, more: object = {}) =>
    recordChanges(tx, author, 'Sale', id, { status: from }, { status: to, ...more })
  await moved('Awaiting Dispatch', 'Requires Attention')
  await moved('Requires Attention', 'Voided', { items_back_in_stock: items })
  const back = items === 1 ? '1 item is' : `${items} items are`
  const credited = note ? ` Credit note ${note.printed} is being made.` : ''
  return {
    message: `Sale #${id} voided: ${back} back in stock.${credited}`,
    ...(sale.paid_total > 0 && { warning: `${money(sale.paid_total)} is to be refunded.` }),
  }
}

const money = (amount: Hundredths) => `${formatMoney(amount)} ${CURRENCY}`
