import type { Tx } from '../../../db/connect.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordChanges } from '../../../records/log/write.ts'
import { stopMails } from '../../document/mail/outbox.ts'

/**
 * Deletes a voided sale with its files. Throws 409 if the sale is not voided, or if it has an invoice number or
 * payments.
 */
export async function removeSale(tx: Tx, id: number, author: Author): Promise<void> {
  const sale = (await lock(tx, { sales: [id] })).sales.get(id)
  if (!sale) throw missing(`Sale #${id}`)
  if (sale.status !== 'Voided') throw conflict('Only a voided sale can be deleted.')
  if (sale.invoice_number !== null)
    throw conflict(`A sale with an invoice number (${sale.invoice_number}) cannot be deleted.`)
  const payments = await tx.selectFrom('payment').select('id').where('sale_id', '=', id).limit(1).execute()
  if (payments.length) throw conflict('A sale with payments cannot be deleted.')
  const files = await tx.selectFrom('sale_file').select('file_id').where('sale_id', '=', id).execute()
  await stopMails(tx, id, 'The sale was deleted.')
  await tx.deleteFrom('sale').where('id', '=', id).execute()
  if (files.length)
    await tx
      .deleteFrom('file')
      .where(
        'id',
        'in',
        files.map((file) => file.file_id),
      )
      .execute()
  const { status, total_sales_price } = sale
  await recordChanges(
    tx,
    author,
    'Sale',
    id,
    { status, customer: { id: sale.customer_id, name: sale.buyer.full_name }, total_sales_price },
    { status: null, customer: { id: null, name: null }, total_sales_price: null },
  )
}
