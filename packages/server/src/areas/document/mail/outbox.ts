import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { composeInvoiceMail } from '../../../render/mail/mail.ts'
import { currentInvoiceFile, invoiceLanguage } from '../queries.ts'
import { refuseVoided } from '../refuse-voided.ts'

export type MailOptions = {
  author: Author
  /** The sender that the environment names; else the company's. */
  mailFrom?: string | undefined
  /** The mail waits until its invoice is rendered, and then carries it. */
  awaitsInvoice: boolean
}

/**
 * Puts the mail about a new sale into the outbox. It is sent at once, unless it waits for its invoice. Where the sender
 * has no address yet, the attempt to send it fails with a message that says so.
 */
export async function queueSaleMail(tx: Tx, saleId: number, options: MailOptions): Promise<void> {
  await putInOutbox(tx, saleId, options, await composed(tx, saleId, options, []))
}

type Composed = Awaited<ReturnType<typeof composed>>

/** Composes the mail about a sale as the sale is now, with these files. */
async function composed(tx: Tx, saleId: number, { mailFrom, awaitsInvoice }: MailOptions, fileIds: number[]) {
  const sale = await tx
    .selectFrom('sale as s')
    .innerJoin('customer', 'customer.id', 's.customer_id')
    .innerJoin('company as c', (join) => join.onTrue())
    .select(['s.id', 's.reference_number', 's.invoice_number', 's.total_items', 's.total_sales_price_vat', 's.buyer'])
    // The customer's address of today, unlike in print: a mistyped one may have been corrected.
    .select('customer.email as address')
    .select(['c.name as company_name', sql<string | null>`coalesce(c.mail_from, c.email)`.as('company_email')])
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow()
  const carriesInvoice = awaitsInvoice || fileIds.length > 0
  const text = composeInvoiceMail(sale, carriesInvoice, await invoiceLanguage(tx, saleId))
  return {
    sender: { name: sale.company_name, address: mailFrom ?? sale.company_email ?? '' },
    recipient: { name: sale.buyer.full_name, address: sale.address },
    subject: text.subject,
    body: text.text,
    body_html: text.html,
    file_ids: fileIds,
  }
}

async function putInOutbox(tx: Tx, saleId: number, { author, awaitsInvoice }: MailOptions, mail: Composed) {
  const { sender, recipient } = mail
  const { id } = await tx
    .insertInto('mail')
    .values({
      ...mail,
      sale_id: saleId,
      user_id: author.userId ?? null,
      message_id: `<${randomUUID()}@${sender.address.split('@')[1] ?? 'backstock.localhost'}>`,
      sender: JSON.stringify(sender),
      recipient: JSON.stringify(recipient),
      error: null,
      sending_since: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!awaitsInvoice) await sendSoon(tx, id)
}

/** Mails of one queue are sent one after the other, so that no two workers send the same mail. */
const MAIL_QUEUES = 8

/** Queues the sending of one mail; its attempts run one after the other. */
export function sendSoon(tx: Tx, mailId: number, runInSeconds = 0): Promise<void> {
  return queue(tx, 'mail_send', { mail_id: mailId }, { queueName: `mail ${mailId % MAIL_QUEUES}`, runInSeconds })
}

/** Stops the mails of a sale that still wait. Returns how many. */
export async function stopMails(tx: Tx, saleId: number, why: string): Promise<number> {
  const stopped = await tx
    .updateTable('mail')
    .set({ state: 'failed', error: why })
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return Number(stopped.numUpdatedRows)
}

const BEING_SENT = 'The email is being sent right now.'

/**
 * Sends the mail about a sale by hand, with the invoice as it is now or once it is ready. Where the last mail still
 * waits and says the same, that one is tried at once; where it says something else, the new mail takes its place. 409
 * while one is being sent, where the sale is voided, where the invoice failed, and where there is neither an invoice
 * nor an earlier mail.
 */
export async function resendMail(
  tx: Tx,
  saleId: number,
  { author, mailFrom }: Omit<MailOptions, 'awaitsInvoice'>,
): Promise<void> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  refuseVoided(sale)
  const invoice = await tx.selectFrom('invoice').select('status').where('sale_id', '=', saleId).executeTakeFirst()
  const last = await tx
    .selectFrom('mail')
    .select(['id', 'state', 'sender', 'recipient', 'subject', 'body', 'body_html', 'file_ids'])
    .where('sale_id', '=', saleId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const fileId = await currentInvoiceFile(tx, saleId)
  if (last?.state === 'sending') throw conflict(BEING_SENT)
  if (!fileId && invoice?.status === 'failed')
    throw conflict('The invoice could not be made. Please generate it again.')
  if (!fileId && invoice?.status !== 'pending' && !last)
    throw conflict('This sale has no invoice to send. Please generate it first.')
  const awaitsInvoice = !fileId && invoice?.status === 'pending'
  const options = { author, mailFrom, awaitsInvoice }
  const mail = await composed(tx, saleId, options, fileId ? [fileId] : [])
  if (last?.state === 'waiting') {
    const { id, state: _, ...waiting } = last
    if (isDeepStrictEqual(waiting, mail)) {
      if (!awaitsInvoice) await sendSoon(tx, id)
      return
    }
    if ((await stopMails(tx, saleId, 'A newer email took its place.')) === 0) throw conflict(BEING_SENT)
  }
  await putInOutbox(tx, saleId, options, mail)
  await recordMessage(tx, author, 'Sale', saleId, 'The invoice email was sent again by hand.')
}
