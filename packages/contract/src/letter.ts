import { z } from 'zod'
import { Amount, Timestamp } from './fields.ts'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { OptionalLanguage } from './invoice-language-field.ts'
import { LETTER_KINDS, LETTER_STATES, LETTER_WAYS, MAX_REMINDED, REMINDER_LEVELS } from './letter-kind.ts'
import { flagFilter, listQuery } from './page.ts'

const Level = z.literal(REMINDER_LEVELS, { error: 'Must be 1, 2 or 3.' })

/** A letter as the log of letters shows it. */
export const Letter = z.object({
  id: z.int(),
  customer_id: z.int(),
  kind: z.enum(LETTER_KINDS),
  level: Level.nullable(),
  way: z.enum(LETTER_WAYS),
  lang: z.enum(INVOICE_LANGUAGES),
  /** The day of the letter, and the new day to pay by, in the company's time zone. */
  made_on: z.string(),
  pay_by: z.string().nullable(),
  /** The open sum of that day. */
  total: Amount,
  invoices: z.int(),
  /** The numbers of the first invoices in it. */
  numbers: z.array(z.string()),
  state: z.enum(LETTER_STATES),
  error: z.string().nullable(),
  recipient: z.string().nullable(),
  created_by_name: z.string().nullable(),
  created_at: Timestamp,
})
export type Letter = z.infer<typeof Letter>

/** A sale of a customer that is not settled. `open` is below 0 if the shop owes the customer. */
export const OpenItem = z.object({
  sale_id: z.int(),
  /** The standing invoice; null if the sale has none. */
  document_id: z.int().nullable(),
  number: z.string().nullable(),
  issued_on: z.string().nullable(),
  due_on: z.string().nullable(),
  total: Amount,
  paid: Amount,
  open: Amount,
  days_overdue: z.int(),
  /** Whether the invoice has left the shop. */
  is_sent: z.boolean(),
  /** The highest level and the newest day of this invoice's reminders that count. */
  last_level: Level.nullable(),
  last_reminded_on: z.string().nullable(),
})
export type OpenItem = z.infer<typeof OpenItem>

/** All that a customer has not settled, oldest due day first, and the letters about it. */
export const CustomerAccount = z.object({
  id: z.int(),
  full_name: z.string(),
  company_name: z.string().nullable(),
  email: z.string(),
  lang: z.enum(INVOICE_LANGUAGES),
  today: z.string(),
  /** The day to pay by that a reminder of today would name. */
  pay_by: z.string(),
  /** Whether a mail server is set up. Without one, mails are saved as files. */
  sends_mail: z.boolean(),
  open_total: Amount,
  overdue_total: Amount,
  /** The sum that the shop owes the customer. */
  credit_total: Amount,
  /** The open sum of sales without an invoice. No letter names them. */
  without_invoice: Amount,
  items: z.array(OpenItem),
  /** The number of further items that are not in `items`. */
  more: z.int(),
  /** The newest letters, at most 50. */
  letters: z.array(Letter),
})
export type CustomerAccount = z.infer<typeof CustomerAccount>

/** A customer who has not settled everything, in the list of open items. */
export const Debtor = z.object({
  id: z.int(),
  full_name: z.string(),
  company_name: z.string().nullable(),
  open_total: Amount,
  overdue_total: Amount,
  credit_total: Amount,
  overdue_sales: z.int(),
  oldest_due_on: z.string().nullable(),
  last_level: Level.nullable(),
  last_reminded_on: z.string().nullable(),
})
export type Debtor = z.infer<typeof Debtor>

export const DebtorQuery = listQuery(
  ['overdue_total', 'open_total', 'oldest_due_on', 'full_name', 'id'],
  { overdue: flagFilter },
  'overdue_total_desc',
)
export type DebtorQuery = z.output<typeof DebtorQuery>

/**
 * A letter to be made. A reminder names its invoices by the ids of their documents. `total` is the open sum that the
 * person saw, `newest_letter` the newest letter to the customer, or null if there was none. If the sum has changed, or
 * if somebody has sent a statement since that letter, the letter is refused.
 */
export const LetterInput = z.object({
  kind: z.enum(LETTER_KINDS, { error: `Must be one of ${LETTER_KINDS.join(', ')}.` }),
  level: Level.nullable().optional(),
  documents: z
    .array(z.int({ error: 'Must be the id of an invoice.' }).min(1).max(2_147_483_647), { error: 'Must be a list.' })
    .max(MAX_REMINDED, `A reminder takes at most ${MAX_REMINDED} invoices.`)
    .optional(),
  lang: OptionalLanguage.optional(),
  way: z.enum(LETTER_WAYS, { error: `Must be one of ${LETTER_WAYS.join(', ')}.` }),
  total: z.int({ error: 'Must be a whole number of cents.' }).optional(),
  newest_letter: z.int({ error: 'Must be the id of a letter.' }).nullable().optional(),
})
export type LetterInput = z.infer<typeof LetterInput>

/** A reminder of a sale's invoice, as the sale shows it. */
export const SaleReminder = Letter.pick({ id: true, level: true, made_on: true, pay_by: true, state: true }).extend({
  number: z.string(),
  open: Amount,
})
export type SaleReminder = z.infer<typeof SaleReminder>
