import type { Tx } from '../../../db/connect.ts'
import type { UploadedFile } from '../../../http/file-on-disk.ts'
import { missing } from '../../../http/refusal.ts'
import { safeFileName } from '../../../records/file.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { putSaleFile } from '../../document/sale-file.ts'

/** The form fields of `sale/{id}/pdf`, and the slot that each file goes to. */
export const UPLOADS = { invoice: 'invoice', shipping_label: 'label' } as const
export type UploadField = keyof typeof UPLOADS

const called = { invoice: 'Invoice', shipping_label: 'Shipping label' }

/** Stores PDFs that a person has uploaded. An invoice replaces the generated one, a label replaces the label before. */
export async function keepUploads(
  tx: Tx,
  saleId: number,
  uploads: readonly UploadedFile<UploadField>[],
  author: Author,
): Promise<void> {
  if (!(await lock(tx, { sales: [saleId] })).sales.has(saleId)) throw missing(`Sale #${saleId}`)
  for (const { field, name: given, content } of uploads) {
    const name = given || `${field}.pdf`
    await putSaleFile(tx, saleId, UPLOADS[field], { name, mediaType: 'application/pdf', content })
    await recordMessage(tx, author, 'Sale', saleId, `${called[field]} uploaded: ${safeFileName(name)}`)
  }
}
