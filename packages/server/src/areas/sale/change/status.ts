import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict } from '../../../http/refusal.ts'
import type { Author } from '../../../records/log/write.ts'
import { creditItems } from '../../document/credit.ts'
import { makeInvoiceFinal } from '../../document/final.ts'
import { renewDraft } from '../../document/invoice.ts'
import { addCreditNote, stopMails, VOIDED } from '../../document/mail/outbox.ts'
import { bookPurchases } from '../../supplier-claim/credits.ts'
import { isStillSold, type LockedSale, putBackInStock, release } from '../locked-sale.ts'

/**
 * Puts all items of a sale back in stock, and credits its invoice. Waiting mails about the sale are not sent. Returns
 * the number of the items, and a message about the voided sale.
 */
export async function voidSale(
  tx: Tx,
  { sale, lines, stock }: LockedSale,
  author: Author,
): Promise<{ items: number; message: string }> {
  const sold = lines.filter((line) => isStillSold(line, stock))
  const open = lines.filter((line) => line.released === null || line.released === 'lost')
  await release(
    tx,
    sale.id,
    open.map((line) => line.stock_id),
    'voided',
  )
  await putBackInStock(
    tx,
    sold.map((line) => line.stock_id),
    author,
  )
  await stopMails(tx, sale.id, VOIDED)
  const note = await creditItems(tx, sale.id, { reason: 'void' }, author)
  if (note) await addCreditNote(tx, { invoice: note.invoice_id, credit_note: note.id })
  else await bookPurchases(tx, [sale.id])
  const items = sold.length
  const back = items === 0 ? 'no item of it is' : items === 1 ? '1 item is' : `${items} items are`
  const credited = note ? ` Credit note ${note.printed} is being made.` : ''
  return { items, message: `Sale #${sale.id} voided: ${back} back in stock.${credited}` }
}

/**
 * Dispatches all items of a sale today; they leave the stock. If the invoice is not final, it is made again with the
 * date of supply, and becomes final. Throws 409 if the sale has lost an item.
 */
export async function dispatch(tx: Tx, { sale, lines, stock }: LockedSale, author: Author): Promise<void> {
  const going = lines.filter((line) => line.released !== 'removed')
  const gone = going.filter((line) => !isStillSold(line, stock))
  if (gone.length || going.length === 0) {
    const lost = gone.map((line) => `#${line.stock_id}`).join(', ')
    const message = lost ? `No longer available: ${lost}.` : 'No item of this sale is left.'
    throw conflict(message, { status: message })
  }
  await sql`
    update sale set dispatched_on = (now() at time zone company.time_zone)::date from company
    where sale.id = ${sale.id}`.execute(tx)
  await sql`update stock set in_hand = false where id = any(${going.map((line) => line.stock_id)}::int[])`.execute(tx)
  await renewDraft(tx, sale.id, author)
  await makeInvoiceFinal(tx, sale.id)
}
