import type { Tx } from '../../../db/connect.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { renewOrderMails } from '../../document/mail/outbox.ts'
import { filesOf } from '../../document/sale-file.ts'

/**
 * Brings waiting mails up to date after a change of a sale that has no document. An uploaded invoice stays, and the log
 * says that it is the old one.
 */
export async function renewWithoutInvoice(tx: Tx, saleId: number, author: Author): Promise<void> {
  await renewOrderMails(tx, saleId)
  if ((await filesOf(tx, saleId)).invoice)
    await recordMessage(tx, author, 'Sale', saleId, 'The uploaded invoice is still the old one: upload a new one.')
}
