import { countryName } from '@backstock/contract/country.ts'
import type { Letter, LetterInput, OpenItem } from '@backstock/contract/letter.ts'
import {
  isStated,
  levelName,
  MAX_ATTACHED,
  MAX_ATTACHED_BYTES,
  MAX_OPEN_ITEMS,
  MAX_REMINDED,
  nextLevel,
  whyNotReminded,
} from '@backstock/contract/letter-kind.ts'
import { formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import type { BuyerAddress } from '../../../db/tables.ts'
import { found } from '../../../http/crud.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import { zip } from '../../../lists.ts'
import { storeFile } from '../../../records/file.ts'
import { lock } from '../../../records/lock.ts'
import { type Entry, record } from '../../../records/log/write.ts'
import { invoiceAddress } from '../../../render/invoice/data.ts'
import { INVOICE_TEXTS } from '../../../render/invoice/texts.ts'
import { letterTitle } from '../../../render/paper/letter-texts.ts'
import type { LetterPaper } from '../../../render/paper/paper.ts'
import { senderOf } from '../../company.ts'
import { buyerOf, customerLanguage } from '../../customer.ts'
import { type LetterMail, queueLetterMail } from '../mail/letter-mail.ts'
import type { MailOptions } from '../mail/outbox.ts'
import { documentsAmong, mailedFiles } from '../queries.ts'
import { letterOf } from './letters.ts'
import { levelsOf, openItems } from './open-items.ts'

/** A letter that is not made yet: its paper, and its items. */
export type Draft = { paper: LetterPaper; items: OpenItem[]; today: string }

const address = (parts: BuyerAddress | null) =>
  invoiceAddress(parts && { ...parts, country: countryName(parts.country_code) })

/** The letter that this input asks for, from the customer's present account. Throws 404, 409 or 422. */
export async function draftLetter(db: Db, customerId: number, input: LetterInput): Promise<Draft> {
  const { sender, today } = await senderOf(db)
  const buyer = found(await buyerOf(db, customerId), `Customer #${customerId}`)
  const all = await openItems(db, customerId)
  const isReminder = input.kind === 'reminder'
  const items = isReminder ? remindedOf(all, today, input.documents) : statedOf(all)
  const lang = input.lang ?? (await customerLanguage(db, customerId))
  const { bank_name, iban, bic, pay_by } = await db
    .selectFrom('company')
    .select(['bank_name', 'iban', 'bic', sql<string>`${today}::date + reminder_days`.as('pay_by')])
    .executeTakeFirstOrThrow()
  const total = items.reduce((sum, { open }) => sum + open, 0)
  if (input.total !== undefined && input.total !== total)
    throw conflict('The open items have changed in the meantime. Please look at them again.')
  const paper: LetterPaper = {
    kind: 'letter',
    letter: input.kind,
    level: isReminder ? (input.level ?? nextLevel(levelsOf(items))) : null,
    sender,
    bank: { name: bank_name, iban, bic },
    lang,
    date: today,
    pay_by: isReminder ? pay_by : null,
    buyer: { name: buyer.full_name, company_name: buyer.company_name },
    address: address(buyer.billing_address ?? buyer.delivery_address),
    lines: items.map((item) => ({
      number: item.number ?? `${INVOICE_TEXTS[lang].order} ${item.sale_id}`,
      issued_on: item.issued_on,
      due_on: item.open > 0 ? item.due_on : null,
      days: item.days_overdue,
      total: item.total,
      paid: item.paid,
      open: item.open,
    })),
    total,
    overdue: items.reduce((sum, { open, days_overdue }) => (days_overdue > 0 ? sum + open : sum), 0),
  }
  return { paper, items, today }
}

/** The items of a statement: open invoices that were sent, and all sums that the shop owes the customer. */
function statedOf(all: readonly OpenItem[]): OpenItem[] {
  if (all.length > MAX_OPEN_ITEMS)
    throw conflict(`A statement takes at most ${MAX_OPEN_ITEMS} open items. This customer has more.`)
  const items = all.filter(isStated)
  if (items.length === 0) throw conflict('This customer has no open invoice that was sent.')
  return items
}

/** The invoices of a reminder: the chosen ones, or all that are overdue. Throws 422 and names those that cannot be in it. */
function remindedOf(all: readonly OpenItem[], today: string, chosen: readonly number[] | undefined): OpenItem[] {
  const overdue = all.filter((item) => whyNotReminded(item, today) === null)
  if (chosen === undefined) {
    if (overdue.length === 0) throw invalid({ documents: 'No invoice of this customer is overdue.' })
    if (overdue.length > MAX_REMINDED)
      throw invalid({ documents: `A reminder takes at most ${MAX_REMINDED} invoices.` })
    return overdue
  }
  if (chosen.length === 0) throw invalid({ documents: 'Choose at least one invoice.' })
  const byDocument = new Map(all.map((item) => [item.document_id, item]))
  const problems = [...new Set(chosen)].flatMap((id) => {
    const item = byDocument.get(id)
    return item ? (whyNotReminded(item, today) ?? []) : `Document #${id} is not an open invoice of this customer.`
  })
  if (problems.length > 0) throw invalid({ documents: problems.slice(0, 5).join(' ') })
  const wanted = new Set(chosen)
  return overdue.filter(({ document_id }) => document_id !== null && wanted.has(document_id))
}

/**
 * Stores a letter with its PDF, which was made from `draft`, and queues its mail. It locks the sales of a reminder, and
 * throws 409 if anything in the letter has changed since the draft. So no reminder asks for an invoice that was paid
 * meanwhile, and if two people remind of an invoice at once, only one reminder is sent. A statement has no sales to
 * lock, so it locks its customer: if two people send one at once, the second is refused.
 */
export async function keepLetter(
  tx: Tx,
  customerId: number,
  input: LetterInput,
  made: { draft: Draft; pdf: Buffer },
  options: MailOptions,
): Promise<Letter> {
  const isReminder = input.kind === 'reminder'
  if (isReminder) await lock(tx, { sales: made.draft.items.map(({ sale_id }) => sale_id) })
  else await refuseStatedSince(tx, customerId, input)
  const { paper, items, today } = await draftLetter(tx, customerId, input)
  if (withoutLogo(paper) !== withoutLogo(made.draft.paper))
    throw conflict('The open items have changed in the meantime. Please look at them again.')
  if (isReminder) refuseRemindedToday(items, today)
  const title = letterTitle(paper.letter, paper.level, paper.lang)
  const file_id = await storeFile(tx, {
    name: `${title} ${paper.date}.pdf`,
    mediaType: 'application/pdf',
    content: made.pdf,
  })
  const { id } = await tx
    .insertInto('letter')
    .values({
      customer_id: customerId,
      kind: paper.letter,
      level: paper.level,
      way: input.way,
      lang: paper.lang,
      made_on: paper.date,
      pay_by: paper.pay_by,
      total: paper.total,
      invoices: items.length,
      data: withoutLogo(paper),
      file_id,
      created_by: options.author.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (isReminder)
    await sql`
      insert into letter_line (letter_id, document_id, sale_id, level, made_on, due_on, open_amount)
      select ${id}::int, line.*, ${paper.level}::int, ${paper.date}::date, s.due_on, s.open_amount
      from unnest(${items.map(({ document_id }) => document_id)}::int[], ${items.map(({ sale_id }) => sale_id)}::int[])
        as line (document_id, sale_id) join sale s on s.id = line.sale_id`.execute(tx)
  const name = `${paper.level === null ? 'Statement' : `Reminder (${levelName(paper.level).toLowerCase()})`} #${id}`
  const how = input.way === 'email' ? 'is to be sent by email' : 'was made for download'
  const message = (open: Hundredths) => `${name} ${how}: ${formatMoney(open)} EUR open.`
  const content = (open: Hundredths) => ({ type: 'message' as const, data: { message: message(open) } })
  await record(tx, options.author, [
    { type: 'Customer', id: customerId, content: content(paper.total) },
    // The log of each sale names the sum that is open on this sale.
    ...(isReminder
      ? items.map(({ sale_id, open }): Entry => ({ type: 'Sale', id: sale_id, content: content(open) }))
      : []),
  ])
  if (input.way === 'email') await queueLetterMail(tx, await mailOf(tx, id, paper, file_id, items), options)
  return found(await letterOf(tx, id), `Letter #${id}`)
}

/**
 * Sends a letter once more with the same PDF, if its mail has failed, was saved as a file, or is unclear. If several
 * people do it at once, one of them sends it. Throws 404, and 409 if the letter was sent or is out of date.
 */
export async function resendLetter(tx: Tx, id: number, options: MailOptions): Promise<Letter> {
  const lines = await tx
    .selectFrom('letter_line')
    .select(['sale_id', 'document_id', 'open_amount'])
    .where('letter_id', '=', id)
    .execute()
  await lock(tx, { sales: lines.map(({ sale_id }) => sale_id) })
  await tx.selectFrom('letter').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const letter = found(await letterOf(tx, id), `Letter #${id}`)
  if (letter.state !== 'failed' && letter.state !== 'saved' && letter.state !== 'unclear')
    throw conflict('This letter has been sent already, or is about to be.')
  const { data, file_id } = await tx
    .selectFrom('letter')
    .select(['data', 'file_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const paper = data as LetterPaper
  const { today } = await senderOf(tx)
  if (paper.date !== today) throw conflict('This letter was made on another day. Please make a new one.')
  const open = new Map((await openItems(tx, letter.customer_id)).map((item) => [item.document_id, item]))
  if (lines.some(({ document_id, open_amount }) => open.get(document_id)?.open !== open_amount))
    throw conflict('The open items have changed in the meantime. Please make a new letter.')
  const items = lines.flatMap(({ document_id }) => open.get(document_id) ?? [])
  // A letter that may have arrived counts, so no other one of today has its invoices.
  if (letter.state !== 'unclear') refuseRemindedToday(items, today)
  await tx.updateTable('letter_line').set({ counts: true }).where('letter_id', '=', id).execute()
  await queueLetterMail(tx, await mailOf(tx, id, paper, file_id, items), options)
  return found(await letterOf(tx, id), `Letter #${id}`)
}

/** Locks the customer. Throws 409 if somebody has sent a statement that the person has not seen. */
async function refuseStatedSince(tx: Tx, customerId: number, { way, newest_letter }: LetterInput): Promise<void> {
  await tx.selectFrom('customer').select('id').where('id', '=', customerId).forNoKeyUpdate().execute()
  if (way !== 'email' || newest_letter === undefined) return
  const newer = await tx
    .selectFrom('letter')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('kind', '=', 'statement')
    .where('way', '=', 'email')
    .where('id', '>', newest_letter ?? 0)
    .executeTakeFirst()
  if (newer) throw conflict('Somebody has just sent this customer a statement. Please look at it first.')
}

function refuseRemindedToday(items: readonly OpenItem[], today: string): void {
  const again = items.filter(({ last_reminded_on }) => last_reminded_on === today).map(({ number }) => number)
  if (again.length > 0)
    throw conflict(
      `A reminder made today already includes ${again.slice(0, 5).join(', ')}${again.length > 5 ? ', …' : ''}. Send the next one tomorrow or later.`,
    )
}

/** The letter as it is stored and compared. The logo is in the PDF alone. */
const withoutLogo = (paper: LetterPaper): string =>
  JSON.stringify({ ...paper, sender: { ...paper.sender, logo: null } })

/** The letter's mail. A reminder carries its invoices, unless they are too many or too large for a mail. */
async function mailOf(
  tx: Tx,
  id: number,
  paper: LetterPaper,
  file_id: number,
  items: readonly OpenItem[],
): Promise<LetterMail> {
  const { customer_id } = await tx
    .selectFrom('letter')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const attached = paper.letter === 'reminder' ? await attachable(tx, items) : []
  return { letterId: id, customerId: customer_id, paper, fileIds: [file_id, ...attached] }
}

async function attachable(tx: Tx, items: readonly OpenItem[]): Promise<number[]> {
  if (items.length > MAX_ATTACHED) return []
  const documents = await documentsAmong(
    tx,
    items.flatMap(({ document_id }) => document_id ?? []),
  )
  const made = zip(documents, await mailedFiles(tx, documents))
  const unmade = made.filter(([, file]) => file === undefined).map(([{ number }]) => number)
  if (unmade.length > 0) throw conflict(`There is no PDF to attach for ${unmade.join(', ')}. Please generate it first.`)
  const files = made.flatMap(([, file]) => file ?? [])
  const { bytes } = await tx
    .selectFrom('file')
    .select(sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'))
    .where(sql<boolean>`id = any(${files}::int[])`)
    .executeTakeFirstOrThrow()
  return bytes <= MAX_ATTACHED_BYTES ? files : []
}
