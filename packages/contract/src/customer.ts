import { z } from 'zod'
import { Address, AddressInput } from './address.ts'
import { E_INVOICE_PROFILES } from './e-invoice-profile.ts'
import {
  Email,
  LoadedAt,
  optionalCount,
  optionalElectronicAddress,
  optionalText,
  optionalVatNumber,
  requiredText,
  Timestamp,
} from './fields.ts'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { OptionalLanguage } from './invoice-language-field.ts'
import { LogEntry } from './log.ts'
import { listQuery } from './page.ts'
import { SaleRow } from './sale.ts'

export const Customer = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  company_name: z.string().nullable(),
  vat_number: z.string().nullable(),
  registration: z.string().nullable(),
  lang: z.enum(INVOICE_LANGUAGES).nullable(),
  payment_days: z.int().nullable(),
  /** The customer's account in the accountant's program; null if there is none. */
  debtor_number: z.int().nullable(),
  /** The profile of e-invoices that the customer asks for; null means plain EN 16931. */
  e_invoice_profile: z.enum(E_INVOICE_PROFILES).nullable(),
  buyer_reference: z.string().nullable(),
  electronic_address: z.string().nullable(),
  delivery_address_id: z.int().nullable(),
  billing_address_id: z.int().nullable(),
  delivery_address: Address.nullable(),
  billing_address: Address.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /**
   * The open and the overdue sum of the customer's sales, and the sum that the shop has to give back; in hundredths.
   */
  open_total: z.int(),
  overdue_total: z.int(),
  refund_total: z.int(),
  /**
   * The customer's newest sales. Only the answer for a single customer has them; `sale/find?customer_id=` finds them
   * all.
   */
  sales: z.array(SaleRow).optional(),
  logs: z.array(LogEntry).optional(),
})
export type Customer = z.infer<typeof Customer>

/** The fields of a customer that the quick search shows. */
export const CustomerHit = Customer.pick({ id: true, full_name: true, company_name: true })

/**
 * A new address replaces the whole address before it. Null removes the address; if the field is left out, the address
 * stays.
 */
export const CustomerInput = z.object({
  first_name: requiredText(),
  last_name: requiredText(),
  email: Email,
  phone: optionalText().optional(),
  company_name: optionalText().optional(),
  vat_number: optionalVatNumber().optional(),
  /** The customer's number in a register of companies. */
  registration: optionalText().optional(),
  /** The language of the customer's invoices; null means English. */
  lang: OptionalLanguage.optional(),
  /** The number of days after which the customer's invoices are due; null means as many as the company grants. */
  payment_days: optionalCount(0, 365).optional(),
  /**
   * The customer's account in the accountant's program. If a new customer has none, the server gives it the next one of
   * the range in the accounting settings.
   */
  debtor_number: optionalCount(1, 999_999_999).optional(),
  e_invoice_profile: z
    .preprocess(
      (value) => (value === '' ? null : value),
      z.enum(E_INVOICE_PROFILES, { error: `Must be one of ${E_INVOICE_PROFILES.join(', ')}.` }).nullable(),
    )
    .optional(),
  /** The reference that the customer asks for on invoices (BT-10), such as the Leitweg-ID of a German authority. */
  buyer_reference: optionalText(100).optional(),
  /** The customer's address for e-invoices (BT-49), such as '0106:12345678'. */
  electronic_address: optionalElectronicAddress().optional(),
  delivery_address: AddressInput.nullable().optional(),
  billing_address: AddressInput.nullable().optional(),
  updated_at: LoadedAt,
})
export type CustomerInput = z.infer<typeof CustomerInput>

export const CustomerQuery = listQuery(['id', 'first_name', 'last_name', 'full_name', 'email', 'company_name'], {})
