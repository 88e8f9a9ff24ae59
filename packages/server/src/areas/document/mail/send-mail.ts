import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { MailAddress } from '../../../db/tables.ts'
import type { JobServices } from '../../../jobs.ts'
import { single } from '../../../lists.ts'
import { readFile } from '../../../records/file.ts'
import { record } from '../../../records/log/write.ts'
import type { OutgoingMail } from '../../../render/mail/mail.ts'
import { makeFinal } from '../final.ts'
import { currentInvoiceFile, orderedInvoice } from '../queries.ts'
import { attemptDelivery, type Outcome } from './attempt-delivery.ts'
import { recordLetterOutcome, whyNotSendLetter } from './letter-mail.ts'
import { DELETED, SUPERSEDED, sendSoon, VOIDED } from './outbox.ts'

/** The most attempts for a mail. With the pauses below, they take some eight hours. */
const MAX_ATTEMPTS = 14
const pauseAfter = (attempt: number) => Math.min(3600, 30 * 2 ** (attempt - 1))

const UNCLEAR =
  'It is not known whether this email was sent: sending it was interrupted. Ask the customer, or send it again.'

const GIVEN_UP = 'The server stopped twice while sending this email and will not try again. Send it again.'

type Mail = {
  id: number
  sale_id: number | null
  letter_id: number | null
  user_id: number | null
  message_id: string
  sender: MailAddress
  recipient: MailAddress
  subject: string
  body: string
  body_html: string | null
  file_ids: number[]
  document_ids: number[]
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'unclear'
  attempts: number
}

/**
 * Sends one mail of the outbox, unless it was sent already or needs a person's decision. The mail is marked `sending`
 * before the attempt. If it has that mark already, the worker that was sending it has died. A file is then written
 * again; but nobody knows whether a mail server got the mail, so a person decides.
 */
export async function sendMail({ db, config, dataDir }: Omit<JobServices, 'log'>, mailId: number): Promise<void> {
  const mail = await db.read.selectFrom('mail').selectAll().where('id', '=', mailId).executeTakeFirst()
  if (!mail || !isUnsent(mail) || awaitsDocuments(mail)) return
  const attachments: OutgoingMail['attachments'] = []
  for (const id of mail.file_ids) {
    const { name, media_type: mediaType, content } = await readFile(db.read, id)
    attachments.push({ name, mediaType, content })
  }
  const sending = await db.write((tx) => markSending(tx, mail, config.smtpUrl !== undefined))
  if (!sending) return
  const outcome = await attemptDelivery(
    {
      messageId: sending.message_id,
      from: sending.sender,
      to: sending.recipient,
      subject: sending.subject,
      text: sending.body,
      html: sending.body_html,
      attachments,
    },
    { smtpUrl: config.smtpUrl, dataDir },
  )
  await db.write((tx) => recordOutcome(tx, sending, outcome))
}

/** Ends a mail whose sending has killed processes: it becomes failed, or unclear if a mail server may have it. */
export async function giveUpMail(tx: Tx, mailId: number, bySmtp: boolean): Promise<void> {
  const mail = await tx.selectFrom('mail').selectAll().where('id', '=', mailId).forNoKeyUpdate().executeTakeFirst()
  if (!mail || !isUnsent(mail) || awaitsDocuments(mail)) return
  const isUnclear = mail.state === 'sending' && bySmtp
  await recordOutcome(tx, mail, isUnclear ? { state: 'unclear', error: UNCLEAR } : { state: 'failed', error: GIVEN_UP })
}

const isUnsent = ({ state }: { state: string }) => state === 'waiting' || state === 'sending'
const awaitsDocuments = ({ document_ids, file_ids }: Pick<Mail, 'document_ids' | 'file_ids'>) =>
  document_ids.length > 0 && file_ids.length === 0

/**
 * Marks a mail with the attempt that begins now, and returns it. Undefined if no attempt is to be made, or if the
 * mail's files have changed since it was read; the change of files then sends the mail.
 */
async function markSending(tx: Tx, { id, file_ids }: Mail, bySmtp: boolean): Promise<Mail | undefined> {
  const mail = await tx.selectFrom('mail').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!mail || !isUnsent(mail) || !isDeepStrictEqual(mail.file_ids, file_ids)) return undefined
  if (mail.state === 'sending' && bySmtp) {
    await recordOutcome(tx, mail, { state: 'unclear', error: UNCLEAR })
    return undefined
  }
  const outdated = await whyNotNow(tx, mail)
  if (outdated) {
    await recordOutcome(tx, mail, { state: 'failed', error: outdated })
    return undefined
  }
  const attempts = mail.attempts + 1
  const recipient = await presentRecipient(tx, mail)
  await tx
    .updateTable('mail')
    .set({ state: 'sending', sending_since: sql<string>`now()`, attempts, error: null })
    .set({ recipient: JSON.stringify(recipient) })
    .where('id', '=', id)
    .execute()
  return { ...mail, state: 'sending', attempts, recipient }
}

/** The recipient with the present address of the customer: somebody may have corrected it while the mail waited. */
async function presentRecipient(tx: Tx, { sale_id, letter_id, recipient }: Mail): Promise<MailAddress> {
  const { rows } = await sql<{ email: string }>`
    select email from customer where id = coalesce((select customer_id from sale where id = ${sale_id}::int),
      (select customer_id from letter where id = ${letter_id}::int))`.execute(tx)
  return { ...recipient, address: rows[0]?.email ?? recipient.address }
}

async function whyNotNow(tx: Tx, { id, letter_id, attempts }: Mail): Promise<string | null> {
  if (letter_id !== null) return whyNotSendLetter(tx, letter_id)
  return attempts > 0 ? whyNotAgain(tx, id) : null
}

/**
 * The reason why a mail must not be tried again: while an attempt was under way, somebody corrected or voided the sale,
 * or deleted the invoice and uploaded none. Null if there is none. A mail with a credit note is sent even if the sale
 * changes.
 */
async function whyNotAgain(tx: Tx, mailId: number): Promise<string | null> {
  const { rows } = await sql<{ why: string | null }>`
    select case
      when bool_or(d.kind = 'credit_note') then null
      when bool_or(newer.created_at > m.created_at) then ${SUPERSEDED}
      when bool_and(s.status = 'Voided' and d.replaced_by_id is null) then ${VOIDED}
      when bool_or(d.status = 'none') and not exists (select from sale_file f where f.sale_id = m.sale_id
        and f.slot = 'invoice' and f.removed_at is null and f.file_id = any(m.file_ids)) then ${DELETED} end as why
    from mail m left join sale s on s.id = m.sale_id left join document d on d.id = any(m.document_ids)
      left join document newer on newer.id = d.replaced_by_id
    where m.id = ${mailId} group by m.id`.execute(tx)
  return single(rows).why
}

/**
 * Stores the outcome of an attempt, unless another worker has taken this worker for dead and has stored an outcome
 * already. If the mail was sent, that is stored in any case.
 */
async function recordOutcome(tx: Tx, mail: Mail, outcome: Outcome): Promise<void> {
  const again = outcome.state === 'later' && mail.attempts < MAX_ATTEMPTS
  const state = outcome.state === 'later' ? (again ? 'waiting' : 'failed') : outcome.state
  const error = outcome.state === 'sent' ? null : outcome.error
  const written = await tx
    .updateTable('mail')
    .set({
      state,
      error,
      ...(outcome.state === 'sent' ? { sent_at: sql<string>`now()`, saved_as: outcome.savedAs } : {}),
    })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .where('state', 'in', state === 'sent' ? ['sending', 'unclear'] : [mail.state])
    .executeTakeFirst()
  if (written.numUpdatedRows === 0n) return
  if (again) await sendSoon(tx, mail.id, pauseAfter(mail.attempts))
  if (state === 'sent' || state === 'unclear') await makeFinal(tx, mail.document_ids)
  const { letter_id } = mail
  if (letter_id !== null && !again) {
    const ended = outcome.state === 'later' ? { state: 'failed' as const, error: outcome.error } : outcome
    await recordLetterOutcome(tx, { ...mail, letter_id }, ended)
  }
  if (mail.sale_id === null) return
  if (outcome.state === 'sent') await markSent(tx, mail, mail.sale_id, outcome.savedAs)
  if (state !== 'failed' && state !== 'unclear') return
  const about = `to ${mail.recipient.address} (${mail.subject})`
  const message = state === 'failed' ? `The email ${about} failed: ${error}` : `Email ${about}: ${UNCLEAR}`
  await record(tx, { userId: mail.user_id }, [
    { type: 'Sale', id: mail.sale_id, content: { type: 'message', data: { message, mail: state } } },
  ])
}

async function markSent(tx: Tx, mail: Mail, saleId: number, savedAs: string | null): Promise<void> {
  const invoice = await currentInvoiceFile(tx, saleId)
  // If a newer invoice is being made or has failed, the invoice in this mail is not up to date.
  const upToDate =
    invoice === undefined ? (await orderedInvoice(tx, saleId)) === undefined : mail.file_ids.includes(invoice)
  if (await showsInvoice(tx, mail))
    await tx.updateTable('sale').set({ email_sent: true, resend_needed: !upToDate }).where('id', '=', saleId).execute()
  const to = `${mail.recipient.address}: ${mail.subject}`
  const message =
    savedAs === null ? `Email sent to ${to}` : `Email saved as a file, since no mail server is set up. To ${to}`
  await record(tx, { userId: mail.user_id }, [
    { type: 'Sale', id: saleId, content: { type: 'email_sent', data: { message, email_body: mail.body } } },
  ])
}

/**
 * Whether a mail shows if the customer has the invoice of the sale. One that has only a credit note does not, and one
 * with an invoice that another had replaced before does not either.
 */
async function showsInvoice(tx: Tx, { id }: Mail): Promise<boolean> {
  const { rows } = await sql<{ shows: boolean }>`
    select coalesce(bool_or(d.kind = 'invoice' and not coalesce(newer.created_at <= m.created_at, false)), true)
      as shows
    from mail m left join document d on d.id = any(m.document_ids)
      left join document newer on newer.id = d.replaced_by_id
    where m.id = ${id}`.execute(tx)
  return single(rows).shows
}
