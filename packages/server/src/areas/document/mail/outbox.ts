import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Document } from '@backstock/contract/document.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { composeCreditNoteMail, composeInvoiceMail, type MailedSale } from '../../../render/mail/mail.ts'
import { standingInvoice } from '../final.ts'
import { currentInvoiceFile, documentsAmong, invoiceLanguage, mailedFiles, orderedInvoice } from '../queries.ts'
import { refuseVoided } from '../refuse-voided.ts'
import { orderFiles } from '../write.ts'

export type MailOptions = {
  author: Author
  /** The sender from the environment; if it is left out, the company's. */
  mailFrom?: string | undefined
}
/** The attachments of a mail: documents and their files. The mail waits until the files are made. */
type Carried = { documentIds: number[]; fileIds: number[] }
const NOTHING: Carried = { documentIds: [], fileIds: [] }

/**
 * Puts the mail about a new sale into the outbox. It is sent at once; but if an invoice was ordered, it waits for the
 * invoice. If no sender address is set, the attempt to send it fails, and the error says so.
 */
export async function queueSaleMail(tx: Tx, saleId: number, options: MailOptions): Promise<void> {
  const invoice = await orderedInvoice(tx, saleId)
  const carried = invoice === undefined ? NOTHING : { documentIds: [invoice], fileIds: [] }
  await putInOutbox(tx, saleId, options, await composed(tx, saleId, options, carried))
}

/**
 * Puts mails with documents into the outbox, one for each sale. The caller has locked the sales. A mail is sent as soon
 * as the files of all its documents are made. Its text is about the first document, in the language of that document,
 * and after a credit note also about the invoice that replaces the credited one.
 */
export async function queueDocumentMails(
  tx: Tx,
  mails: readonly { saleId: number; documentIds: readonly number[] }[],
  options: MailOptions,
): Promise<void> {
  const awaiting: number[] = []
  for (const { saleId, documentIds } of mails) {
    const documents = await documentsAmong(tx, documentIds)
    const files = await mailedFiles(tx, documents)
    const isMade = files.every((file) => file !== undefined)
    const carried = { documentIds: documents.map(({ id }) => id), fileIds: isMade ? files : [] }
    await putInOutbox(tx, saleId, options, await composed(tx, saleId, options, carried, documents[0]))
    if (!isMade) awaiting.push(saleId)
  }
  if (awaiting.length) await orderFiles(tx, awaiting, options.author)
}

type Composed = Awaited<ReturnType<typeof composed>>

/**
 * SQL for the invoice among these documents, as a mail names it; null if there is none. It may be a replaced one, and
 * after a return or an allowance it has another total than the sale.
 */
const invoiceAmong = (documentIds: readonly number[]) => sql<CarriedInvoice | null>`(
  select json_build_object('invoice_number', d.printed, 'total_sales_price_vat', d.total_gross,
    'total_items', (select count(*) from document_line l where l.document_id = d.id))
  from document d where d.id = any(${[...documentIds]}::int[]) and d.kind = 'invoice' limit 1)`
type CarriedInvoice = Pick<MailedSale, 'invoice_number' | 'total_sales_price_vat' | 'total_items'>

/**
 * Composes the mail about a sale from the sale's present state. `about` is the document that the mail is about, if that
 * is not the invoice.
 */
async function composed(
  tx: Tx,
  saleId: number,
  { mailFrom }: MailOptions,
  { documentIds, fileIds }: Carried,
  about?: Document,
) {
  const { carried, ...sale } = await tx
    .selectFrom('sale as s')
    .innerJoin('customer', 'customer.id', 's.customer_id')
    .innerJoin('company as c', (join) => join.onTrue())
    .select(['s.id', 's.reference_number', 's.invoice_number', 's.total_items', 's.total_sales_price_vat', 's.buyer'])
    // The mail goes to the customer's present address, not to the one on the sale: somebody may have corrected a typing
    // mistake.
    .select('customer.email as address')
    .select(['c.name as company_name', sql<string | null>`coalesce(c.mail_from, c.email)`.as('company_email')])
    .select(invoiceAmong(documentIds).as('carried'))
    .where('s.id', '=', saleId)
    .executeTakeFirstOrThrow()
  const carriesInvoice = documentIds.length > 0 || fileIds.length > 0
  const text =
    about?.kind === 'credit_note'
      ? composeCreditNoteMail(sale, about, carried)
      : composeInvoiceMail({ ...sale, ...carried }, carriesInvoice, about?.lang ?? (await invoiceLanguage(tx, saleId)))
  return {
    sender: { name: sale.company_name, address: mailFrom ?? sale.company_email ?? '' },
    recipient: { name: sale.buyer.full_name, address: sale.address },
    subject: text.subject,
    body: text.text,
    body_html: text.html,
    file_ids: fileIds,
    document_ids: documentIds,
  }
}

async function putInOutbox(tx: Tx, saleId: number, { author }: MailOptions, mail: Composed) {
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
  const awaitsDocuments = mail.document_ids.length > 0 && mail.file_ids.length === 0
  if (!awaitsDocuments) await sendSoon(tx, id)
}

/**
 * The number of queues for mails. The mails of one queue are sent one after another, so two workers never send the same
 * mail. There are fewer queues than slots for jobs (`worker.ts`). So if the mail server hangs, mails leave a slot for
 * imports and all other jobs.
 */
const MAIL_QUEUES = 2

/** Queues the sending of one mail. The attempts for one mail run one after another. */
export function sendSoon(tx: Tx, mailId: number, runInSeconds = 0): Promise<void> {
  return queue(tx, 'mail_send', { mail_id: mailId }, { queueName: `mail ${mailId % MAIL_QUEUES}`, runInSeconds })
}

/** The reasons why a waiting mail is not sent any more. */
export const SUPERSEDED = 'A newer invoice took its place.'
export const VOIDED = 'The sale was voided.'
export const DELETED = 'The invoice was deleted.'

/**
 * The condition that a mail is about the sale or its invoice. A mail with a credit note is sent even if the sale
 * changes.
 */
const isAboutSale = sql<boolean>`not exists
  (select from document d where d.id = any(mail.document_ids) and d.kind = 'credit_note')`

/** Stops the waiting mails about a sale, and returns how many there were. */
export async function stopMails(tx: Tx, saleId: number, why: string): Promise<number> {
  const stopped = await tx
    .updateTable('mail')
    .set({ state: 'failed', error: why })
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .where(isAboutSale)
    .executeTakeFirst()
  return Number(stopped.numUpdatedRows)
}

const OLD_UPLOAD = 'The sale has changed since its invoice was uploaded.'

/**
 * Gives the waiting mails of a sale that has no document a new text, because the sale has changed. A mail with an
 * uploaded invoice is stopped: that file has not changed with the sale.
 */
export async function renewOrderMails(tx: Tx, saleId: number): Promise<void> {
  const waiting = tx.updateTable('mail').where('sale_id', '=', saleId).where('state', '=', 'waiting')
  await waiting.where(sql<boolean>`file_ids <> '{}'`).set({ state: 'failed', error: OLD_UPLOAD }).execute()
  const { subject, body, body_html } = await composed(tx, saleId, { author: {} }, NOTHING)
  await waiting.set({ subject, body, body_html }).execute()
}

/**
 * Gives waiting mails the new version of the invoice, and a new text. So no two contents are ever sent under one
 * number.
 */
export async function renewMails(tx: Tx, saleId: number, invoiceId: number): Promise<void> {
  const carrying = tx
    .updateTable('mail')
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`document_ids @> array[${invoiceId}::int]`)
  const renewed = await carrying.set({ file_ids: [] }).executeTakeFirst()
  if (renewed.numUpdatedRows === 0n) return
  const { subject, body, body_html } = await composed(
    tx,
    saleId,
    { author: {}, mailFrom: undefined },
    {
      documentIds: [invoiceId],
      fileIds: [],
    },
  )
  await carrying.where(isAboutSale).set({ subject, body, body_html }).execute()
  await renewCorrectionMails(tx, saleId, invoiceId)
}

/** Gives waiting mails with a credit note and the invoice that replaces the credited one a new text. */
async function renewCorrectionMails(tx: Tx, saleId: number, invoiceId: number): Promise<void> {
  const mails = await tx
    .selectFrom('mail')
    .select(['id', 'document_ids'])
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`document_ids @> array[${invoiceId}::int] and document_ids[1] <> ${invoiceId}`)
    .execute()
  for (const { id, document_ids } of mails) {
    const [about] = await documentsAmong(tx, document_ids)
    const carried = { documentIds: document_ids, fileIds: [] }
    const { subject, body, body_html } = await composed(tx, saleId, { author: {} }, carried, about)
    await tx.updateTable('mail').set({ subject, body, body_html }).where('id', '=', id).execute()
  }
}

/** Adds a credit note to the waiting mails that have its invoice. They then wait for the file of the note, too. */
export async function addCreditNote(tx: Tx, { invoice, credit_note }: { invoice: number; credit_note: number }) {
  await tx
    .updateTable('mail')
    .set({ file_ids: [], document_ids: sql<number[]>`document_ids || ${credit_note}::int` })
    .where('state', '=', 'waiting')
    .where(sql<boolean>`document_ids @> array[${invoice}::int]`)
    .execute()
}

const BEING_SENT = 'The email is being sent right now.'

/**
 * Sends the mail about a sale at a person's request, with the present invoice, or once the invoice is made. If the last
 * mail still waits and has the same content, it is tried at once; if its content differs, the new mail replaces it.
 * Throws 409 if a mail is being sent, if the sale is voided, if the invoice failed, or if there is neither an invoice
 * nor an earlier mail.
 */
export async function resendMail(tx: Tx, saleId: number, options: MailOptions): Promise<void> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  refuseVoided(sale)
  const invoice = await standingInvoice(tx, saleId)
  const last = await tx
    .selectFrom('mail')
    .select(['id', 'state', 'sender', 'recipient', 'subject', 'body', 'body_html', 'file_ids', 'document_ids'])
    .where('sale_id', '=', saleId)
    .where(isAboutSale)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const fileId = await currentInvoiceFile(tx, saleId)
  if (last?.state === 'sending') throw conflict(BEING_SENT)
  if (!fileId && invoice?.status === 'failed')
    throw conflict('The invoice could not be made. Please generate it again.')
  const awaitsInvoice = !fileId && invoice?.status === 'pending'
  if (!fileId && !awaitsInvoice && !last) throw conflict('This sale has no invoice to send. Please generate it first.')
  const carried = {
    documentIds: invoice && (fileId || awaitsInvoice) ? [invoice.id] : [],
    fileIds: fileId ? [fileId] : [],
  }
  const mail = await composed(tx, saleId, options, carried)
  if (last?.state === 'waiting') {
    const { id, state: _, ...waiting } = last
    if (isDeepStrictEqual(waiting, mail)) {
      if (!awaitsInvoice) await sendSoon(tx, id)
      return
    }
    if ((await stopMails(tx, saleId, 'A newer email took its place.')) === 0) throw conflict(BEING_SENT)
  }
  await putInOutbox(tx, saleId, options, mail)
  const isOfInvoice = carried.documentIds.length > 0 || carried.fileIds.length > 0
  const what = isOfInvoice ? 'The invoice email' : 'The email about the order'
  await recordMessage(tx, options.author, 'Sale', saleId, `${what} was requested again.`)
}
