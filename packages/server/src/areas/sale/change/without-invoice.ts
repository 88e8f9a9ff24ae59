import type { Tx } from '../../../db/connect.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { renewOrderMails } from '../../document/mail/outbox.ts'
import { filesOf } from '../../document/sale-file.ts'

/**
 * Brings waiting mails up to date after a change of a sale that has no document. An uploaded invoice stays, and the log
 * says that it is the old one. Returns this sentence for the person, if there is such an invoice.
 */
export async function renewWithoutInvoice(tx: Tx, saleId: number, author: Author): Promise<string[]> {
  await renewOrderMails(tx, saleId)
  if (!(await filesOf(tx, saleId)).invoice) return []
  await recordMessage(tx, author, 'Sale', saleId, OLD_UPLOAD)
  return [OLD_UPLOAD]
}
const OLD_UPLOAD = 'The uploaded invoice is still the old one: upload a new one.'
