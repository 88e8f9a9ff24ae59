import { z } from 'zod'
import { BANK_ENTRY_STATES, MAX_BOOKED_AT_ONCE, MAX_SALES_OF_ENTRY } from './bank-entry-state.ts'
import { Amount, Flag, Id, LoadedAt, listOf, Timestamp } from './fields.ts'
import { dayFilter, idsFilter, listQuery, wordsFilter } from './page.ts'
import { MAX_PAYMENT } from './payment-state.ts'

/**
 * A payment that the entry seems to be. `open_amount` is the sale's open sum now, in hundredths; it is below 0 if the
 * shop has to give money back.
 */
export const ProposedPayment = z.object({
  sale_id: z.int(),
  invoice_number: z.string().nullable(),
  buyer_name: z.string(),
  open_amount: z.int(),
  amount: z.int(),
})
export type ProposedPayment = z.infer<typeof ProposedPayment>

/**
 * The sales that an entry seems to pay. `why` is a sentence for the person who decides. `is_sure` means that the
 * payments explain every cent of the entry.
 */
export const Proposal = z.object({ payments: z.array(ProposedPayment), is_sure: z.boolean(), why: z.string() })
export type Proposal = z.infer<typeof Proposal>

/**
 * An entry of a bank statement. `amount` is below 0 if money went out. `booked` is the sum of the entry's payments,
 * with the same sign. An entry that is open or partly booked has a `proposal`; the proposal has no payments if no sale
 * fits.
 */
export const BankEntry = z.object({
  id: z.int(),
  file_id: z.int(),
  file_name: z.string(),
  account: z.string(),
  booked_on: z.string(),
  amount: z.int(),
  booked: z.int(),
  state: z.enum(BANK_ENTRY_STATES),
  is_reversal: z.boolean(),
  name: z.string().nullable(),
  iban: z.string().nullable(),
  end_to_end: z.string().nullable(),
  bank_reference: z.string().nullable(),
  remittance: z.string(),
  proposal: Proposal.nullable(),
  payments: z.array(
    z.object({
      id: z.int(),
      sale_id: z.int(),
      invoice_number: z.string().nullable(),
      buyer_name: z.string(),
      amount: z.int(),
    }),
  ),
  updated_by_name: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type BankEntry = z.infer<typeof BankEntry>

export const BankEntryQuery = listQuery(['id', 'booked_on', 'amount'], {
  state: wordsFilter(BANK_ENTRY_STATES),
  file_id: idsFilter,
  from: dayFilter,
  to: dayFilter,
})
export type BankEntryQuery = z.infer<typeof BankEntryQuery>

const TOO_MANY_SALES = `At most ${MAX_SALES_OF_ENTRY} sales of one entry.`
const NO_SALE = 'Choose a sale.'
const BookedEntry = z.object({
  id: Id,
  updated_at: z.iso.datetime({ offset: true, error: 'Must be the time the entry was loaded with.' }),
  payments: listOf(
    z
      .array(
        z.object({
          sale_id: Id,
          amount: Amount.min(-MAX_PAYMENT)
            .max(MAX_PAYMENT)
            .refine((amount) => amount !== 0, 'Must not be 0.'),
          open_amount: Amount,
        }),
        { error: NO_SALE },
      )
      .min(1, NO_SALE),
    MAX_SALES_OF_ENTRY,
    TOO_MANY_SALES,
  ),
})

const NO_ENTRY = 'Choose an entry.'
/**
 * The entries to book, each with the payments to make of it. `updated_at` and `open_amount` are those that the person
 * saw. If one of them has changed since, the server books nothing.
 */
export const BookEntriesInput = z.object({
  entries: listOf(
    z.array(BookedEntry, { error: NO_ENTRY }).min(1, NO_ENTRY),
    MAX_BOOKED_AT_ONCE,
    `At most ${MAX_BOOKED_AT_ONCE} entries at once.`,
  ),
})
export type BookEntriesInput = z.infer<typeof BookEntriesInput>

export const BookedEntries = z.object({ entries: z.int(), payments: z.int() })

export const SetAsideInput = z.object({ is_aside: Flag, updated_at: LoadedAt })

/**
 * The counts of a bank's file: `taken` entries are new, `repeated` ones were in an earlier file, and the bank has not
 * booked the others yet. Those `in_several` are in more than one statement of a ZIP, and count once.
 */
export const BankFileRead = z.object({
  id: z.int(),
  taken: z.int(),
  repeated: z.int(),
  in_several: z.int(),
  not_booked: z.int(),
})
export type BankFileRead = z.infer<typeof BankFileRead>
