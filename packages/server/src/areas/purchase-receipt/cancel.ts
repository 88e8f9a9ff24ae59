import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { lockItems } from '../../records/lock.ts'
import type { Author } from '../../records/log/write.ts'
import { receiptData } from './queries.ts'
import { writeReceipt } from './write.ts'

/**
 * Cancels a receipt as a whole, by a receipt with the next number that refers to it. After that, its items can be on
 * another receipt. Throws 404 if there is no such receipt; 409 if it was cancelled before, or is itself a cancellation.
 */
export async function cancelReceipt(
  tx: Tx,
  receiptId: number,
  reason: string,
  author: Author,
): Promise<{ id: number; number: string }> {
  const receipt = found(await receiptData(tx, receiptId), `Purchase receipt #${receiptId}`)
  const { data, stock_ids: stockIds } = receipt
  if (data.cancels) throw conflict(`${data.number} is a cancellation, which cannot be cancelled.`)
  // Another request for a receipt of these items waits for the lock, so the state that is read below is the present one.
  await lockItems(tx, stockIds, [])
  const { rows: before } = await sql<{ printed: string }>`
    select printed from purchase_receipt where cancels_id = ${receiptId}`.execute(tx)
  if (before[0]) throw conflict(`${data.number} was cancelled by ${before[0].printed} already.`)
  await sql`update purchase_receipt_line set is_live = false where receipt_id = ${receiptId} and is_live`.execute(tx)
  const { number, issued_on, ...rest } = data
  return writeReceipt(
    tx,
    {
      data: { ...rest, cancels: { number, issued_on }, reason },
      stockIds,
      supplierId: receipt.supplier_id,
      lang: receipt.lang,
      logoFileId: receipt.logo_file_id,
      cancelsId: receiptId,
    },
    author,
  )
}
