import { randomUUID } from 'node:crypto'
import { LEVEL_NAMES, type ReminderLevel } from '@backstock/contract/letter-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { single } from '../../../lists.ts'
import { type Entry, record } from '../../../records/log/write.ts'
import { composeLetterMail } from '../../../render/mail/letter-mail.ts'
import type { LetterPaper } from '../../../render/paper/paper.ts'
import type { Outcome } from './attempt-delivery.ts'
import { type MailOptions, sendSoon } from './outbox.ts'

export type LetterMail = { letterId: number; customerId: number; paper: LetterPaper; fileIds: number[] }

/** Puts the mail of a letter into the outbox. All of its files exist already. */
export async function queueLetterMail(
  tx: Tx,
  { letterId, customerId, paper, fileIds }: LetterMail,
  { author, mailFrom }: MailOptions,
): Promise<void> {
  const { address, sender } = await tx
    .selectFrom('customer')
    .innerJoin('company as c', (join) => join.onTrue())
    .select(['customer.email as address', sql<string | null>`coalesce(c.mail_from, c.email)`.as('sender')])
    .where('customer.id', '=', customerId)
    .executeTakeFirstOrThrow()
  const from = mailFrom ?? sender ?? ''
  const { subject, text, html } = composeLetterMail(paper, fileIds.length > 1)
  const { id } = await tx
    .insertInto('mail')
    .values({
      letter_id: letterId,
      sale_id: null,
      user_id: author.userId ?? null,
      message_id: `<${randomUUID()}@${from.split('@')[1] ?? 'backstock.localhost'}>`,
      sender: JSON.stringify({ name: paper.sender.name, address: from }),
      recipient: JSON.stringify({ name: paper.buyer.name, address }),
      subject,
      body: text,
      body_html: html,
      file_ids: fileIds,
      error: null,
      sending_since: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sendSoon(tx, id)
}

const OUTDATED =
  'An invoice in it was paid or changed in the meantime. If others are still overdue, make a new reminder.'
const PASSED = 'The date by which it asks for payment has passed. Make a new reminder.'

/**
 * The reason why a letter must not be sent any more; null if there is none. A statement names its day, so it stays
 * true.
 */
export async function whyNotSendLetter(tx: Tx, letterId: number): Promise<string | null> {
  const { rows } = await sql<{ has_changed: boolean; has_passed: boolean | null }>`
    select l.pay_by < (now() at time zone c.time_zone)::date as has_passed,
      exists (select from letter_line i join sale s on s.id = i.sale_id join document d on d.id = i.document_id
        where i.letter_id = l.id and ((s.open_amount, s.due_on) is distinct from (i.open_amount, i.due_on)
          or d.replaced_by_id is not null)) as has_changed
    from letter l, company c where l.id = ${letterId}`.execute(tx)
  const { has_changed, has_passed } = single(rows)
  if (has_changed) return OUTDATED
  return has_passed ? PASSED : null
}

type Sent = { letter_id: number; user_id: number | null; recipient: { address: string } }

/**
 * Writes the outcome of a letter's mail to the logs of its customer and sales. A reminder counts if one of its mails was
 * or may have been sent. If none was, the next one gets the same level. A mail that was saved as a file was not sent.
 */
export async function recordLetterOutcome(
  tx: Tx,
  { letter_id, user_id, recipient }: Sent,
  outcome: Outcome,
): Promise<void> {
  const { customer_id, level } = await tx
    .selectFrom('letter')
    .select(['customer_id', 'level'])
    .where('id', '=', letter_id)
    .executeTakeFirstOrThrow()
  await sql`
    update letter_line set counts = false where letter_id = ${letter_id} and not exists (select from mail m
      where m.letter_id = ${letter_id} and (m.state = 'unclear' or m.state = 'sent' and m.saved_as is null))`.execute(
    tx,
  )
  const sales = await tx.selectFrom('letter_line').select('sale_id').where('letter_id', '=', letter_id).execute()
  const what = `${level === null ? 'Statement' : LEVEL_NAMES[level as ReminderLevel]} #${letter_id}`
  const message = `${what} to ${recipient.address}: ${words(outcome)}`
  const mail = outcome.state === 'failed' || outcome.state === 'unclear' ? { mail: outcome.state } : {}
  await record(tx, { userId: user_id }, [
    { type: 'Customer', id: customer_id, content: { type: 'message', data: { message, ...mail } } },
    ...sales.map(
      ({ sale_id }): Entry => ({ type: 'Sale', id: sale_id, content: { type: 'message', data: { message } } }),
    ),
  ])
}

function words(outcome: Outcome): string {
  if (outcome.state === 'sent')
    return outcome.savedAs === null ? 'sent.' : 'not sent, since no mail server is set up. Saved as a file.'
  return outcome.state === 'unclear'
    ? `it is not known whether it was sent. ${outcome.error}`
    : `not sent. ${outcome.error}`
}
