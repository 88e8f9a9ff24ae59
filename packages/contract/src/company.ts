import { z } from 'zod'
import { CountryCode } from './address.ts'
import {
  Email,
  Flag,
  LoadedAt,
  optionalBic,
  optionalElectronicAddress,
  optionalIban,
  optionalText,
  optionalVatNumber,
  RatePercent,
  requiredCount,
  requiredText,
  Timestamp,
} from './fields.ts'
import { SUPPLY_DAYS } from './supply-day.ts'
import { renamedZone, timeZones } from './time-zone.ts'

/**
 * Whether the company owes VAT on each item's margin or on the margin of a period (Directive 2006/112/EC, articles 315
 * and 318).
 */
export const MARGIN_METHODS = ['item', 'period'] as const

/** The seller's profile: its facts on invoices and in mails. `logo` is a PNG as a data URL. */
export const Company = z.object({
  name: z.string(),
  address_1: z.string().nullable(),
  address_2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postal_code: z.string().nullable(),
  country_code: z.string().nullable(),
  vat_number: z.string().nullable(),
  tax_number: z.string().nullable(),
  registration: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  contact_name: z.string().nullable(),
  electronic_address: z.string().nullable(),
  bank_name: z.string().nullable(),
  iban: z.string().nullable(),
  bic: z.string().nullable(),
  payment_terms: z.string().nullable(),
  payment_days: z.int(),
  reminder_days: z.int(),
  group_invoice_lines: z.boolean(),
  supply_day: z.enum(SUPPLY_DAYS),
  margin_rate: z.number().nullable(),
  margin_method: z.enum(MARGIN_METHODS),
  vat_check_days: z.int(),
  mail_from: z.string().nullable(),
  time_zone: z.string(),
  logo: z.string().nullable(),
  updated_at: Timestamp,
})
export type Company = z.infer<typeof Company>

const OptionalEmail = z.preprocess((value) => (value === '' ? null : value), Email.nullable())

const Days = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z.int({ error: 'Must be a number of days.' }).min(0, 'Must not be negative.').max(365, 'At most 365 days.'),
)

export const CompanyInput = z.object({
  name: requiredText(),
  address_1: optionalText().optional(),
  address_2: optionalText().optional(),
  city: optionalText().optional(),
  state: optionalText().optional(),
  postal_code: optionalText().optional(),
  country_code: CountryCode.optional(),
  vat_number: optionalVatNumber().optional(),
  /** The seller's number at its own tax office (BT-32). If there is no VAT number, invoices need this one. */
  tax_number: optionalText(50).optional(),
  /** The company's register and its number in that register, such as 'KvK 12345678'. */
  registration: optionalText().optional(),
  email: OptionalEmail.optional(),
  phone: optionalText().optional(),
  /** The person or department whom e-invoices name for questions (BT-41). */
  contact_name: optionalText().optional(),
  /** The company's address for e-invoices (BT-34), such as '0106:12345678'. */
  electronic_address: optionalElectronicAddress().optional(),
  bank_name: optionalText().optional(),
  iban: optionalIban().optional(),
  bic: optionalBic().optional(),
  payment_terms: optionalText(1000).optional(),
  payment_days: Days.optional(),
  /** The number of days from a reminder to the new due date that it names. */
  reminder_days: Days.optional(),
  /** Whether invoices print devices of one product, price and treatment as one line, with their IMEIs below it. */
  group_invoice_lines: Flag.optional(),
  /** The date of supply that an invoice prints if it is made before its goods have left. */
  supply_day: z.enum(SUPPLY_DAYS, { error: `Must be one of ${SUPPLY_DAYS.join(', ')}.` }).optional(),
  /** The rate of the VAT in the margins of items that are sold under the margin scheme, in percent. */
  margin_rate: z
    .preprocess(
      (value) => (value === '' ? null : value),
      RatePercent.refine((rate) => rate > 0, 'Must be above 0.').nullable(),
    )
    .optional(),
  margin_method: z.enum(MARGIN_METHODS, { error: `Must be one of ${MARGIN_METHODS.join(', ')}.` }).optional(),
  /** The number of days after which a check of a buyer's VAT number is too old for a sale. */
  vat_check_days: requiredCount(1, 3650).optional(),
  mail_from: OptionalEmail.optional(),
  time_zone: requiredText()
    .overwrite(renamedZone)
    .refine((zone) => timeZones().includes(zone), 'Must be a time zone such as Europe/Dublin.')
    .optional(),
  updated_at: LoadedAt,
})
export type CompanyInput = z.infer<typeof CompanyInput>

/**
 * With `with_usual_vat` the server adds the usual VAT rates of the company's country, if the shop has no VAT rates yet.
 * With `with_usual_categories` it adds the usual categories, if the shop has no categories yet.
 */
export const CompanyEdit = CompanyInput.partial().extend({
  with_usual_vat: Flag.optional(),
  with_usual_categories: Flag.optional(),
})
export type CompanyEdit = z.infer<typeof CompanyEdit>
