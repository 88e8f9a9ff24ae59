import { z } from 'zod'
import { Address, CountryCode } from './address.ts'
import { Document } from './document.ts'
import { DOCUMENT_STATUSES } from './document-kind.ts'
import {
  Amount,
  Email,
  Flag,
  Id,
  LoadedAt,
  listOf,
  OptionalId,
  OptionalPrice,
  optionalText,
  optionalVatNumber,
  requiredText,
  Timestamp,
} from './fields.ts'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { LanguageField, OptionalLanguage } from './invoice-language-field.ts'
import { LACKING_SIDES, ProfileLacks } from './lacks.ts'
import { SaleReminder } from './letter.ts'
import { LogEntry } from './log.ts'
import { NAMED_PERIODS } from './named-period.ts'
import { dayFilter, idsFilter, listQuery, weekFilter, wordsFilter } from './page.ts'
import { Payment } from './payment.ts'
import { PAYMENT_STATES } from './payment-state.ts'
import { SALE_STATUSES } from './sale-status.ts'
import { StockRow } from './stock.ts'
import { MAX_ITEMS } from './stock-status.ts'
import { PURCHASE_TREATMENTS, TREATMENTS } from './treatment.ts'
import { ChosenTreatment } from './treatment-fields.ts'
import { VatCheck } from './vat-check.ts'

const MAIL_STATES = ['waiting', 'sending', 'sent', 'unclear', 'failed'] as const

/**
 * A row of the sale list, with the buyer as on the day of the sale. Totals are in hundredths; the profit leaves
 * returned items out.
 */
export const SaleRow = z.object({
  id: z.int(),
  customer_id: z.int(),
  customer_name: z.string(),
  customer_company_name: z.string().nullable(),
  status: z.enum(SALE_STATUSES),
  reference_number: z.string().nullable(),
  invoice_number: z.string().nullable(),
  courier: z.string().nullable(),
  outbound_tracking_number: z.string().nullable(),
  email_sent: z.boolean(),
  total_items: z.int(),
  total_purchase_price: z.int(),
  total_sales_price: z.int(),
  total_sales_price_vat: z.int(),
  total_profit: z.int(),
  /** The day by which the sale's invoice is to be paid; null if it has none. */
  due_on: z.string().nullable(),
  paid_total: z.int(),
  /** The sum that the customer still has to pay, in hundredths; below 0 if the shop has to give money back. */
  open_amount: z.int(),
  payment_state: z.enum(PAYMENT_STATES),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SaleRow = z.infer<typeof SaleRow>

/** The fields of a sale that the quick search shows. */
export const SaleHit = SaleRow.pick({
  id: true,
  status: true,
  reference_number: true,
  invoice_number: true,
  customer_id: true,
  customer_name: true,
  customer_company_name: true,
})

/**
 * A line of a sale. Its facts are those of the day of the sale. `sales_price` is net; `sales_price_vat` is the typed
 * price if prices include VAT. `why` is the reason for its treatment; null on sales that were made before Backstock
 * stored it. `returned_price` is the part of the typed price that the shop credited for a returned item;
 * `allowed_price` is the allowance. `margin_vat` is the VAT in the margin, which no invoice shows; like the profit, it
 * is what is left after returns and allowances. `available` is false once the item is no longer part of the sale
 * (deleted, removed, voided).
 */
export const SaleItem = z.object({
  stock_id: z.int(),
  product_name: z.string(),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  grade: z.string().nullable(),
  vat_type_id: z.int().nullable(),
  vat_name: z.string().nullable(),
  vat_rate: z.number(),
  purchase_treatment: z.enum(PURCHASE_TREATMENTS),
  sales_price: z.int(),
  sales_price_vat: z.int().nullable(),
  purchase_price: z.int(),
  vat_treatment: z.enum(TREATMENTS),
  why: z.string().nullable(),
  margin_vat: z.int(),
  returned: z.boolean(),
  returned_price: z.int().nullable(),
  allowed_price: z.int(),
  available: z.boolean(),
  stock: StockRow,
})
export type SaleItem = z.infer<typeof SaleItem>

export const SaleMail = z.object({
  id: z.int(),
  state: z.enum(MAIL_STATES),
  recipient: z.string(),
  /** The subject of the email, which names the invoice or the credit note. */
  subject: z.string(),
  error: z.string().nullable(),
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
  /** If no mail server is set up, the file in the server's folder of mails to which the email was saved; else null. */
  saved_as: z.string().nullable(),
})

export const Sale = SaleRow.extend({
  prices_include_vat: z.boolean(),
  batch_id: z.int().nullable(),
  created_by: z.int().nullable(),
  created_by_name: z.string().nullable(),
  customer: z.object({
    id: z.int(),
    first_name: z.string(),
    last_name: z.string(),
    full_name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    company_name: z.string().nullable(),
    vat_number: z.string().nullable(),
  }),
  address: Address.nullable(),
  billing_address: Address.nullable(),
  vat_totals: z.array(z.object({ treatment: z.enum(TREATMENTS), rate: z.number(), net: z.int(), vat: z.int() })),
  total_margin_vat: z.int(),
  /** The check of the buyer's VAT number that the sale was made with; it stays even if the number is checked again. */
  vat_check: VatCheck.nullable(),
  /** The customer's newest check of that number, if it is another one. */
  later_vat_check: VatCheck.nullable(),
  /**
   * Why `vat_check` is not enough for an intra-Community supply without VAT; null if it is enough, or if the sale has
   * no such supply.
   */
  vat_check_doubt: z.string().nullable(),
  items: z.array(SaleItem),
  unavailable_items: z.int(),
  shipping_label: z.string().nullable(),
  invoice_excel: z.string().nullable(),
  excel_status: z.enum(DOCUMENT_STATUSES),
  /** The sale's invoices and credit notes, in the order in which they were made. */
  documents: z.array(Document),
  /**
   * The names of the facts of the customer and of the sale that have changed since the invoice. A correction brings them
   * into the invoice.
   */
  invoice_differs: z.array(z.string()),
  /** The sum that the sale's documents ask for: invoices less credit notes, in hundredths. */
  invoiced_total: z.int(),
  /** The payments, in the order in which people recorded them. */
  payments: z.array(Payment),
  /** The reminders of the sale's invoices, newest first. */
  reminders: z.array(SaleReminder),
  invoice_status: z.enum(DOCUMENT_STATUSES),
  invoice_issued_on: z.string().nullable(),
  /** The usual language of this customer's invoices. */
  usual_lang: z.enum(INVOICE_LANGUAGES),
  invoice_uploaded: z.boolean(),
  missing_invoice_data: z.array(z.string()),
  /** The facts that the invoice's PDF lacks for an e-invoice (XML) inside it. */
  missing_xml_data: z.array(z.string()),
  /** The same for the profile of e-invoices that the customer asks for. */
  missing_profile_data: ProfileLacks,
  /** The pages on which all these missing data can be filled in. */
  missing_sides: z.array(z.enum(LACKING_SIDES)),
  resend_needed: z.boolean(),
  /** The newest email about the sale. */
  mail: SaleMail.nullable(),
  /** The emails before that, newest first; at most 20. */
  earlier_mails: z.array(SaleMail),
  logs: z.array(LogEntry),
})
export type Sale = z.infer<typeof Sale>

const NO_ITEMS = 'Choose at least one item.'

/**
 * The items of a new sale. `sales_price` is in hundredths; if it is left out, the sale takes the price for all items,
 * else the item's own.
 */
const SaleLines = listOf(
  z
    .array(z.object({ id: Id, sales_price: OptionalPrice.optional(), vat_treatment: ChosenTreatment }), {
      error: ({ input }) =>
        input === undefined || input === null || input === '' ? NO_ITEMS : 'Must be a list of items.',
    })
    .min(1, NO_ITEMS),
  MAX_ITEMS,
  `At most ${MAX_ITEMS} items in one sale.`,
)

const blank = (value: unknown) => (value === '' ? undefined : value)
const option = (normally: boolean) => z.preprocess(blank, Flag.default(normally))

/**
 * A new sale. The server computes the totals and ignores those that a client sends. The customer is `customer_id`, or a
 * new one from the `customer_…` fields (`NewCustomer`). If `create_excel` is left out, a sale with more than 20 items
 * gets a spreadsheet. If `invoice_lang` is left out, the language is the usual one of the customer's invoices.
 */
export const SaleCreateInput = z.object({
  stock_items: SaleLines,
  customer_id: OptionalId.optional(),
  batch_id: OptionalId.optional(),
  salesPrice: OptionalPrice.optional(),
  includeVat: option(false),
  reference_number: optionalText().optional(),
  remove_from_batch: option(true),
  remove_from_basket: option(true),
  create_invoice: option(true),
  invoice_lang: OptionalLanguage.optional(),
  create_excel: z.preprocess(blank, Flag.optional()),
  send_email: option(true),
  delete_batch: option(false),
})
export type SaleCreateInput = z.infer<typeof SaleCreateInput>

/** A customer whose data a person types on the sale itself. If the country is left out, it is the company's. */
export const NewCustomer = z.object({
  customer_first_name: requiredText(),
  customer_last_name: requiredText(),
  customer_email: Email,
  customer_phone: optionalText().optional(),
  customer_company_name: optionalText().optional(),
  customer_vat_number: optionalVatNumber().optional(),
  customer_address1: requiredText(),
  customer_address2: optionalText().optional(),
  customer_postal_code: requiredText(),
  customer_city: requiredText(),
  customer_state: optionalText().optional(),
  customer_country_code: CountryCode.optional(),
})
export type NewCustomer = z.infer<typeof NewCustomer>

export const SaleInput = z.object({
  status: z.enum(SALE_STATUSES, { error: `Must be one of ${SALE_STATUSES.join(', ')}.` }).optional(),
  reference_number: optionalText().optional(),
  courier: optionalText().optional(),
  outbound_tracking_number: optionalText().optional(),
  updated_at: LoadedAt,
})
export type SaleInput = z.infer<typeof SaleInput>

export const CancelSaleInput = z.object({ updated_at: LoadedAt })
export type CancelSaleInput = z.infer<typeof CancelSaleInput>

export const GenerateInvoiceInput = z.object({
  /** If it is left out, the language that was set for the customer, else English. */
  lang: z.preprocess(blank, LanguageField.optional()),
})

export const SaleQuery = listQuery(
  ['id', 'reference_number', 'total_purchase_price', 'total_sales_price', 'created_at'],
  {
    status: wordsFilter(SALE_STATUSES),
    customer_id: idsFilter,
    week: weekFilter,
    /** Sales that were made on this day or later, and on that day or earlier, by the company's clock. */
    from: dayFilter,
    to: dayFilter,
    period: wordsFilter(NAMED_PERIODS),
    payment: wordsFilter(PAYMENT_STATES),
  },
)
export type SaleQuery = z.infer<typeof SaleQuery>

/**
 * The sums of all sales that match a list's filters, not only of the page, in hundredths of EUR. `sales` counts all of
 * them; the `voided` sales among them add to no sum. `vat` is the VAT that invoices state; margin goods have none.
 * `returned` is the gross price of items that came back since; the other sums still contain these items.
 */
export const SaleSums = z.object({
  sales: z.int(),
  voided: z.int(),
  net: Amount,
  vat: Amount,
  gross: Amount,
  returned: Amount,
})
export type SaleSums = z.infer<typeof SaleSums>
export const SaleSumsAnswer = z.object({ success: z.literal(true), data: SaleSums })
