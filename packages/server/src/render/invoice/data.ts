import type { Address } from '@backstock/contract/address.ts'
import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { EInvoiceProfile } from '@backstock/contract/e-invoice-profile.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'

/** An address as printed, line by line. The country is separate, because it is printed in the invoice's language. */
export type InvoiceAddress = {
  lines: string[]
  country_code: string | null
  country: string | null
  /** The parts of the address for XML. Older versions lack them. */
  street?: string | null
  street_2?: string | null
  postal_code?: string | null
  city?: string | null
}

export type InvoiceSeller = {
  name: string
  address: InvoiceAddress | null
  vat_number: string | null
  /** The seller's number at its own tax office (BT-32). Older versions lack it. */
  tax_number?: string | null
  /** The seller's register and its number there (BT-30), such as 'KvK 12345678'. */
  registration?: string | null
  email: string | null
  phone: string | null
  /** The person or department to ask (BT-41); if it is missing, the company's name takes its place. */
  contact?: string
  /** The address for e-invoices (BT-34), such as '0106:12345678'; if it is missing, the email. */
  electronic_address?: string
  bank: { name: string | null; iban: string | null; bic: string | null }
  /** A PNG as a data URL; null if there is none. */
  logo: string | null
  /** The invoice is due this many days after `issued_on`. */
  payment_days: number
  payment_terms: string | null
}

export type InvoiceBuyer = {
  name: string
  company_name: string | null
  vat_number: string | null
  /** The buyer's register and its number there (BT-47). */
  registration?: string | null
  email: string | null
  /** The reference that the buyer asks for on invoices (BT-10), such as a Leitweg-ID. */
  reference?: string
  /** The address for e-invoices (BT-49), such as '0204:04011000-1234512345-06'; if it is missing, the email. */
  electronic_address?: string
  billing_address: InvoiceAddress | null
  /** The delivery address. It is printed only if it differs from the billing address. */
  delivery_address: InvoiceAddress | null
}

/**
 * One device. `price` is as typed: gross if `prices_include_vat` is true, else the same as `net`. `vat_name` is the
 * trader's own reason for no VAT. Older versions lack `vat_name`, `treatment` or `grade`.
 */
export type InvoiceLine = {
  position: number
  description: string
  imei: string | null
  serial_number: string | null
  grade?: string
  net: Hundredths
  price: Hundredths
  vat_rate: RateHundredths
  vat_name?: string
  /** The code of an exemption (VATEX), which only machines read. */
  exemption_code?: string
  treatment?: Treatment
}

/**
 * All that an invoice or credit note prints (Council Directive 2006/112/EC, articles 219 and 226). It is stored with
 * each version of the document as plain JSON. Money is in hundredths, rates are in hundredths of a percent, dates are
 * yyyy-mm-dd. The amounts of a credit note are positive. Versions that are older than an optional field lack it.
 */
export type InvoiceData = {
  /** If it is missing, this is an invoice. */
  kind?: 'invoice' | 'credit_note'
  /** The profile of e-invoices that the buyer asks for; if it is missing, none beside EN 16931. */
  profile?: EInvoiceProfile
  number: string
  /** The invoice that a credit note credits. */
  credits?: { number: string; issued_on: string }
  /** The reason for a credit note: one of the usual reasons, or a person's words. */
  reason?: CreditReason | (string & {})
  issued_on: string
  /** The day of dispatch if it was known when the invoice was made; else the day of the invoice, or null. */
  supplied_on: string | null
  sale_id: number
  reference_number: string | null
  currency: 'EUR'
  prices_include_vat: boolean
  /** Whether devices of one product, price and treatment are printed as one line, with their IMEIs below. */
  group_lines?: boolean
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  lines: InvoiceLine[]
  vat_totals: { treatment?: Treatment; rate: RateHundredths; net: Hundredths; vat: Hundredths }[]
  total_net: Hundredths
  total_vat: Hundredths
  total_gross: Hundredths
  /** The sum that was paid when this version was made. It is above the total if a correction has lowered the total. */
  paid?: Hundredths
}

/** The open sum of an invoice; below 0 after an overpayment. */
export const openAmount = ({ total_gross, paid = 0 }: Pick<InvoiceData, 'total_gross' | 'paid'>): Hundredths =>
  total_gross - paid

/** Whether everything was paid when this version was made. Such an invoice asks for nothing. */
export const isSettled = (data: Pick<InvoiceData, 'total_gross' | 'paid'>): boolean =>
  (data.paid ?? 0) > 0 && openAmount(data) <= 0

export const isCreditNote = ({ kind }: Pick<InvoiceData, 'kind'>) => kind === 'credit_note'

/**
 * Whether the data were stored before Backstock stored `kind`. They are printed as they were then, so that a copy looks
 * the same.
 */
export const isEarlier = ({ kind }: InvoiceData) => kind === undefined

/** An address in its printed form; null if there is nothing to print. */
export function invoiceAddress(address: Omit<Address, 'id'> | null): InvoiceAddress | null {
  if (!address) return null
  const city = [address.postal_code, address.city].filter(Boolean).join(' ')
  const lines = [address.address_1, address.address_2, city, address.state].filter((line) => !!line) as string[]
  if (lines.length === 0 && !address.country_code) return null
  const { country_code, country, address_1: street, address_2: street_2, postal_code, city: town } = address
  return { lines, country_code, country, street, street_2, postal_code, city: town }
}
