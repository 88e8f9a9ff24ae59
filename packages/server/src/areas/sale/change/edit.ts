import { SaleInput } from '@backstock/contract/sale.ts'
import { allowedSaleStatuses, type SaleStatus } from '@backstock/contract/sale-status.ts'
import type { Tx } from '../../../db/connect.ts'
import { isChanged, patched } from '../../../http/crud.ts'
import { invalid, missing } from '../../../http/refusal.ts'
import { lock } from '../../../records/lock.ts'
import { refuseStale } from '../../../records/log/stale.ts'
import { type Author, recordChanges } from '../../../records/log/write.ts'
import { renewDraft } from '../../document/invoice.ts'
import { type LockedSale, lockSale } from '../locked-sale.ts'
import { resubmit } from './resubmit.ts'
import { dispatch, voidSale } from './status.ts'
import { refundDue, type Told } from './told.ts'

/**
 * Edits a sale. Its present status is always accepted. If its reference changes, an invoice that is not final is made
 * again. If the sale is voided or resubmitted, returns sentences about that. Throws 404; 422 under `status` if the sale
 * cannot move to that status; 409 if its items do not allow the move, or if the sale has changed since it was loaded.
 */
export async function editSale(tx: Tx, id: number, input: SaleInput, author: Author): Promise<Told | undefined> {
  const locked = input.status === undefined ? undefined : await lockSale(tx, id)
  const sale = locked?.sale ?? (await lock(tx, { sales: [id] })).sales.get(id)
  if (!sale) throw missing(`Sale #${id}`)
  await refuseStale(tx, sale, input.updated_at, { type: 'Sale', id })

  const before = patched(sale, {}, SaleInput)
  const fields = patched(before, input, SaleInput)
  const { status, ...typed } = fields
  // A change of the status may make the invoice final, so the invoice must have the new reference before.
  if (isChanged(before, typed)) await tx.updateTable('sale').set(typed).where('id', '=', id).execute()
  if (typed.reference_number !== before.reference_number && sale.status !== 'Voided') await renewDraft(tx, id, author)
  const moved = locked && status !== sale.status ? await move(tx, locked, status, author) : undefined
  if (status !== sale.status) await tx.updateTable('sale').set({ status }).where('id', '=', id).execute()
  await recordChanges(tx, author, 'Sale', id, before, { ...fields, ...moved?.logged })
  const told = moved?.told
  return told && { ...told, warnings: [...told.warnings, ...(await refundDue(tx, id))] }
}

/** Entries for the sale's log, and sentences about a move that does more than to change the status. */
type Moved = { logged?: { items_back_in_stock: number } | undefined; told?: Told }

/** Moves a sale to a status, with its items, totals and documents. */
async function move(tx: Tx, locked: LockedSale, to: SaleStatus, author: Author): Promise<Moved> {
  const from = locked.sale.status
  if (!allowedSaleStatuses(from).includes(to)) throw invalid({ status: whyNot(from, to) })
  if (to === 'Voided') {
    const { items, message } = await voidSale(tx, locked, author)
    return { logged: items > 0 ? { items_back_in_stock: items } : undefined, told: { message, warnings: [] } }
  }
  if (to === 'Dispatched') await dispatch(tx, locked, author)
  if (from === 'Requires Attention' && to === 'Awaiting Dispatch') return { told: await resubmit(tx, locked, author) }
  return {}
}

function whyNot(from: SaleStatus, to: SaleStatus): string {
  const others = allowedSaleStatuses(from).filter((status) => status !== from)
  if (others.length === 0) return `A sale with the status ${from} keeps it.`
  if (from === 'Awaiting Dispatch' && to === 'Voided')
    return 'A sale that awaits dispatch is voided with ‘Void sale’, under General Info.'
  return `A sale with the status ${from} can only become ${listedOr(others)}.`
}

const listedOr = (statuses: readonly SaleStatus[]) =>
  [statuses.slice(0, -1).join(', '), ...statuses.slice(-1)].filter((part) => part !== '').join(' or ')
