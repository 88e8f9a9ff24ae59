import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { composeInvoiceMail } from '../../documents/mail.ts'
import { conflict, missing } from '../../http/refusal.ts'
import { queue } from '../../jobs.ts'
import { lock } from '../lock.ts'
import { type Author, recordMessage } from '../log.ts'
import { invoiceLanguage } from './invoice.ts'
import { currentInvoiceFile } from './queries.ts'

export type MailOptions = {
  author: Author
  /** The sender that the environment names; else the company's. */
  mailFrom?: string | undefined
  /** The mail waits until its invoice is rendered, and then carries it. */
  awaitsInvoice: boolean
}

/**
 * Puts the mail about a sale into the outbox. Without an invoice to wait for it is sent at once, with `fileIds`. The
 * sender may be without address where none is known yet: sending it then says so.
 */
export async function queueSaleMail(
  tx: Tx,
  saleId: number,
  { author, mailFrom, awaitsInvoice }: MailOptions,
  fileIds: number[] = [],
): Promise<void> {
  const sale = await tx
    .selectFrom('sale as s')
    .innerJoin('company as c', (join) => join.onTrue())
    .select(['s.id', 's.reference_number', 's.invoice_number', 's.total_items', 's.total_sales_price_vat', 's.buyer'])
    .select(['c.name as company_name', sql<string | null>`coalesce(c.mail_from, c.email)`.as('company_email')])
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow()
  const { buyer } = sale
  const sender = mailFrom ?? sale.company_email ?? ''
  const carriesInvoice = awaitsInvoice || fileIds.length > 0
  const text = composeInvoiceMail(
    carriesInvoice ? sale : { ...sale, invoice_number: null },
    await invoiceLanguage(tx, saleId),
  )
  const { id } = await tx
    .insertInto('mail')
    .values({
      sale_id: saleId,
      user_id: author.userId ?? null,
      message_id: `<${randomUUID()}@${sender.split('@')[1] ?? 'backstock.localhost'}>`,
      sender: JSON.stringify({ name: sale.company_name, address: sender }),
      recipient: JSON.stringify({ name: buyer.full_name, address: buyer.email }),
      subject: text.subject,
      body: text.text,
      body_html: text.html,
      file_ids: fileIds,
      error: null,
      sending_since: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!awaitsInvoice) await sendSoon(tx, id)
}

/** Mails of one queue are sent one after the other, so that a mail is never in two hands. */
const MAIL_QUEUES = 8

/** Queues the sending of one mail; its attempts run one after the other. */
export function sendSoon(tx: Tx, mailId: number, runInSeconds = 0): Promise<void> {
  return queue(tx, 'mail_send', { mail_id: mailId }, { queueName: `mail ${mailId % MAIL_QUEUES}`, runInSeconds })
}

/**
 * Sends the mail about a sale (again), as a person says: with the invoice as it is now, or once it is ready. A mail that
 * still waits for a further attempt is tried at once instead. 409 while one is being sent, where the invoice failed, and
 * where there is neither an invoice nor a mail to send again.
 */
export async function resendMail(
  tx: Tx,
  saleId: number,
  { author, mailFrom }: Omit<MailOptions, 'awaitsInvoice'>,
): Promise<void> {
  if (!(await lock(tx, { sales: [saleId] })).sales.has(saleId)) throw missing(`Sale #${saleId}`)
  const invoice = await tx.selectFrom('invoice').select('status').where('sale_id', '=', saleId).executeTakeFirst()
  const last = await tx
    .selectFrom('mail')
    .select(['id', 'state', 'attempts'])
    .where('sale_id', '=', saleId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const fileId = await currentInvoiceFile(tx, saleId)
  if (last?.state === 'sending') throw conflict('The email is being sent right now.')
  if (last?.state === 'waiting') {
    if (invoice?.status !== 'pending' || last.attempts > 0) await sendSoon(tx, last.id)
    return
  }
  if (!fileId && invoice?.status === 'failed')
    throw conflict('The invoice could not be made. Please generate it again.')
  if (!fileId && invoice?.status !== 'pending' && !last)
    throw conflict('This sale has no invoice to send. Please generate it first.')
  const awaitsInvoice = !fileId && invoice?.status === 'pending'
  await queueSaleMail(tx, saleId, { author, mailFrom, awaitsInvoice }, fileId ? [fileId] : [])
  await recordMessage(tx, author, 'Sale', saleId, 'The invoice email was sent again by hand.')
}
