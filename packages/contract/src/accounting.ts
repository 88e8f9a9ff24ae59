import { z } from 'zod'
import { DOCUMENT_KINDS } from './document-kind.ts'
import { DateOnly, LoadedAt, listOf, RatePercent, Timestamp } from './fields.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './page-size.ts'
import { daysIn, MAX_DAYS } from './period.ts'
import { StockValue } from './stock-value.ts'
import { PURCHASE_TREATMENTS, TREATMENTS } from './treatment.ts'

const day = z.preprocess((value) => (value === '' ? undefined : value), DateOnly.optional())
const period = { from: day, to: day }
type Period = { from?: string | undefined; to?: string | undefined }

const whole = z.check<Period>(({ value: { from, to }, issues, value }) => {
  const problem =
    (from === undefined) !== (to === undefined)
      ? 'must come together with from'
      : from !== undefined && to !== undefined && from > to
        ? 'must not be before from'
        : from !== undefined && to !== undefined && daysIn(from, to) > MAX_DAYS
          ? 'must be at most three years after from'
          : undefined
  if (problem) issues.push({ code: 'custom', message: problem, path: ['to'], input: value })
})

/** The first and the last day of a period, as yyyy-mm-dd. If both are left out, the period is the last whole month. */
export const AccountingQuery = z.object(period).check(whole)
export type AccountingQuery = z.infer<typeof AccountingQuery>

const count = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value),
    z
      .int({ error: 'must be a whole number' })
      .min(1, `must be from 1 to ${most}`)
      .max(most, `must be from 1 to ${most}`),
  )
export const BookedDocumentsQuery = z
  .object({ ...period, page: count(10_000_000).default(1), per_page: count(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE) })
  .check(whole)

const treatment = z.enum(TREATMENTS)
/** Net and VAT of documents, in hundredths. In a sum of invoices and credit notes, the credit notes count below 0. */
const sums = { net: z.int(), vat: z.int() }
const totals = z.object({ documents: z.int(), ...sums })

/** A document, with one part for each VAT treatment and rate. Amounts of a credit note are below 0. */
export const BookedDocument = z.object({
  id: z.int(),
  kind: z.enum(DOCUMENT_KINDS),
  number: z.string(),
  sale_id: z.int(),
  credits_number: z.string().nullable(),
  issued_on: z.string(),
  buyer_name: z.string(),
  buyer_country: z.string().nullable(),
  buyer_vat_number: z.string().nullable(),
  /** `cost` and `margin_vat` are set only for goods under the margin scheme, else null. No document prints them. */
  parts: z.array(
    z.object({ treatment, rate: z.number(), ...sums, cost: z.int().nullable(), margin_vat: z.int().nullable() }),
  ),
})
export type BookedDocument = z.infer<typeof BookedDocument>

/**
 * The credit that a supplier gave for one claim on one day. `items` is the number of the claim's items. `lowers` is the
 * sum by which the credit lowered purchase prices; it is less than `amount` if the credit is above the items' cost. If
 * somebody corrects the price of a credited item, `lowers` may change on that day without a credit.
 */
export const SupplierCredit = z.object({
  claim_id: z.int(),
  reference: z.string().nullable(),
  supplier: z.string(),
  booked_on: z.string(),
  items: z.int(),
  amount: z.int(),
  lowers: z.int(),
  margin_vat: z.int(),
})
export type SupplierCredit = z.infer<typeof SupplierCredit>

/** The figures of a period. A document counts in the period that holds its day. Money is in hundredths. */
export const Accounting = z.object({
  from: z.string(),
  to: z.string(),
  invoices: z.int(),
  credit_notes: z.int(),
  vat: z.array(z.object({ treatment, rate: z.number(), invoices: totals, credit_notes: totals, ...sums })),
  /**
   * The margins under the margin scheme, by the rate of the VAT in them. `sales` less `purchases` is `margin` less
   * `losses`. VAT is owed on each item's margin; a loss on one item does not lower the VAT of another (Directive
   * 2006/112/EC, article 315). If a supplier gives a credit after the sale, it counts in `purchases`, `margin` and
   * `vat` of the period in which it was given.
   */
  margin: z.array(
    z.object({
      rate: z.number(),
      sales: z.int(),
      purchases: z.int(),
      margin: z.int(),
      losses: z.int(),
      vat: z.int(),
    }),
  ),
  /**
   * Only for a company that pays VAT on the margin of a whole period, else null. `sales` are its sales under the
   * scheme. `purchases` are its purchases under the scheme in the period, less supplier credits and deleted items.
   * `otherwise` is the part of the purchases whose items were sold without the scheme. `margin` may be below 0; then
   * `vat` is 0.
   */
  margin_period: z
    .object({
      rate: z.number(),
      sales: z.int(),
      purchases: z.int(),
      otherwise: z.int(),
      margin: z.int(),
      vat: z.int(),
    })
    .nullable(),
  /**
   * Intra-Community supplies by the buyer's VAT number, less credit notes. The list has at most 1,000 of the
   * `buyers_total` buyers.
   */
  buyers: z.array(
    z.object({ vat_number: z.string(), name: z.string(), invoices: z.int(), credit_notes: z.int(), net: z.int() }),
  ),
  buyers_total: z.int(),
  /**
   * Intra-Community supplies to buyers without a VAT number. The list has at most 1,000 of all `without_number_total`.
   */
  without_number: z.array(z.object({ number: z.string(), name: z.string(), sale_id: z.int(), net: z.int() })),
  without_number_total: z.int(),
  /**
   * The items whose purchase date is in the period; if an item has no purchase date, the day of its record counts.
   * `deleted` is how many of them have been deleted since. `credited` is the sum by which suppliers lowered purchase
   * prices in the period, no matter when the items were bought.
   */
  purchases: z.array(
    z.object({
      treatment: z.enum(PURCHASE_TREATMENTS),
      items: z.int(),
      cost: z.int(),
      deleted: z.int(),
      credited: z.int(),
    }),
  ),
  /**
   * Supplier credits by claim and day, at most 1,000 of all `supplier_credits_total`. An amount is below 0 if somebody
   * corrected a credit downwards. `margin_vat` is the sum by which the credit changed the VAT in margins.
   */
  supplier_credits: z.array(SupplierCredit),
  supplier_credits_total: z.int(),
  /** The sum of all supplier credits of the period, in hundredths. */
  supplier_credited: z.int(),
  /**
   * The series of document numbers. `missing` has the numbers between `first` and `last` that no document bears, at
   * most 20.
   */
  numbers: z.array(
    z.object({
      series: z.string(),
      year: z.int(),
      first: z.string(),
      last: z.string(),
      documents: z.int(),
      missing: z.array(z.int()),
    }),
  ),
  /**
   * Payments by the day on which money came or went back. A payment that was reversed counts, and so does the entry
   * that reverses it.
   */
  payments: z.object({ count: z.int(), received: z.int(), paid_back: z.int() }),
  /** The stock at the end of the period; today's stock if the period still runs; null if it has not begun. */
  stock: StockValue.nullable(),
  /** The settings that must be filled before a DATEV file of this period can be made, in words. */
  datev_lacks: z.array(z.string()),
})
export type Accounting = z.infer<typeof Accounting>

export const MAX_ACCOUNTS = 100
const account = z.int().nullable()

/** The company's number in the accountant's program, and its accounts by treatment and rate. */
export const AccountingSettings = z.object({
  consultant_number: z.int().nullable(),
  client_number: z.int().nullable(),
  fiscal_month: z.int(),
  account_length: z.int(),
  debtor_account: account,
  creditor_account: account,
  /** The range of the customers' accounts; each customer gets one account of the range. */
  debtor_first: account,
  debtor_last: account,
  /** The bank's account. Payments are booked only if it is set. */
  bank_account: account,
  revenue_accounts: z.array(z.object({ treatment, rate: z.number(), account })),
  /** The accounts for the taxed part of margins, by the rate of the VAT in it. */
  margin_accounts: z.array(z.object({ rate: z.number(), account })),
  /** The accounts for supplier credits, by the treatment of the purchase. */
  credit_accounts: z.array(z.object({ treatment: z.enum(PURCHASE_TREATMENTS), account })),
  updated_at: Timestamp,
})
export type AccountingSettings = z.infer<typeof AccountingSettings>

/** A number of the accountant's program: a number or its digits as text; '' clears it. */
const digits = (min: number, max: number, message: string) =>
  z.preprocess(
    (value) => (value === '' ? null : typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.int({ error: message }).min(min, message).max(max, message).nullable(),
  )
const accountNumber = digits(1, 999_999_999, 'Must be an account of at most 9 digits.')
const required = (min: number, max: number, message: string) =>
  digits(min, max, message).refine((value) => value !== null, 'This field is required.')

export const AccountingSettingsInput = z.object({
  consultant_number: digits(1001, 9_999_999, 'Must be from 1001 to 9999999.').optional(),
  client_number: digits(1, 99_999, 'Must be from 1 to 99999.').optional(),
  fiscal_month: required(1, 12, 'Must be a month from 1 to 12.').optional(),
  account_length: required(4, 8, 'Must be from 4 to 8.').optional(),
  debtor_account: accountNumber.optional(),
  creditor_account: accountNumber.optional(),
  debtor_first: accountNumber.optional(),
  debtor_last: accountNumber.optional(),
  bank_account: accountNumber.optional(),
  /**
   * Sets the account of each treatment and rate in the list and leaves the others. An `account` of null takes one away.
   */
  revenue_accounts: listOf(
    z.array(
      z.object({
        treatment: z.enum(TREATMENTS, { error: `Must be one of ${TREATMENTS.join(', ')}.` }),
        rate: RatePercent,
        account: accountNumber,
      }),
    ),
    MAX_ACCOUNTS,
    `At most ${MAX_ACCOUNTS} accounts.`,
  ).optional(),
  /** The accounts for taxed margins. Sets those in the list, as `revenue_accounts` does. */
  margin_accounts: listOf(
    z.array(z.object({ rate: RatePercent.refine((rate) => rate > 0, 'Must be above 0.'), account: accountNumber })),
    MAX_ACCOUNTS,
    `At most ${MAX_ACCOUNTS} accounts.`,
  ).optional(),
  /** The accounts for supplier credits. Sets those in the list, as `revenue_accounts` does. */
  credit_accounts: listOf(
    z.array(
      z.object({
        treatment: z.enum(PURCHASE_TREATMENTS, { error: `Must be one of ${PURCHASE_TREATMENTS.join(', ')}.` }),
        account: accountNumber,
      }),
    ),
    MAX_ACCOUNTS,
    `At most ${MAX_ACCOUNTS} accounts.`,
  ).optional(),
  updated_at: LoadedAt,
})
export type AccountingSettingsInput = z.infer<typeof AccountingSettingsInput>
