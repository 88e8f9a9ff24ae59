import type { Address } from '@backstock/contract/address.ts'
import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'

/** An address as printed, line by line, without the country: that is printed in the invoice's language. */
export type InvoiceAddress = {
  lines: string[]
  country_code: string | null
  country: string | null
  /** Apart, for XML. Versions that are older lack them. */
  street?: string | null
  street_2?: string | null
  postal_code?: string | null
  city?: string | null
}

export type InvoiceSeller = {
  name: string
  address: InvoiceAddress | null
  vat_number: string | null
  /** The seller's register and number (BT-30), such as 'KvK 12345678'. */
  registration?: string | null
  email: string | null
  phone: string | null
  bank: { name: string | null; iban: string | null; bic: string | null }
  /** A PNG as a data URL, or none. */
  logo: string | null
  /** Due this many days after `issued_on`. */
  payment_days: number
  payment_terms: string | null
}

export type InvoiceBuyer = {
  name: string
  company_name: string | null
  vat_number: string | null
  /** The buyer's number in a register (BT-47). */
  registration?: string | null
  email: string | null
  billing_address: InvoiceAddress | null
  /** Printed if it differs from the billing address. */
  delivery_address: InvoiceAddress | null
}

/**
 * One device. `price` is as typed: gross if `prices_include_vat`, else the same as `net`. `vat_name` is the
 * trader's own reason why there is no VAT. Versions that are older than this field, `treatment` or `grade` lack it.
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
  /** The code of an exemption (VATEX), for machines alone. */
  exemption_code?: string
  treatment?: Treatment
}

/**
 * All that an invoice or a credit note prints (Council Directive 2006/112/EC, articles 219 and 226), as kept with each of
 * its versions: plain JSON. Money in hundredths, rates in hundredths of a percent, dates as yyyy-mm-dd. The amounts of a
 * credit note are positive. Versions that are older than an optional field lack it.
 */
export type InvoiceData = {
  /** An invoice if it is missing. */
  kind?: 'invoice' | 'credit_note'
  number: string
  /** The invoice that a credit note credits. */
  credits?: { number: string; issued_on: string }
  /** Why there is a credit note: one of the usual reasons, or words. */
  reason?: CreditReason | (string & {})
  issued_on: string
  /** The day of dispatch, if it was known when the invoice was made; else the day of the invoice, or none. */
  supplied_on: string | null
  sale_id: number
  reference_number: string | null
  currency: 'EUR'
  prices_include_vat: boolean
  /** Print devices of one product, price and treatment as one line with their IMEIs below. */
  group_lines?: boolean
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  lines: InvoiceLine[]
  vat_totals: { treatment?: Treatment; rate: RateHundredths; net: Hundredths; vat: Hundredths }[]
  total_net: Hundredths
  total_vat: Hundredths
  total_gross: Hundredths
  /** The paid sum of an invoice when this version was made; above its total if a correction lowered that. */
  paid?: Hundredths
}

/** The sum still to be paid; below 0 after an overpayment. */
export const openAmount = ({ total_gross, paid = 0 }: Pick<InvoiceData, 'total_gross' | 'paid'>): Hundredths =>
  total_gross - paid

/** Whether all of it had been paid when this version was made: it asks for nothing. */
export const isSettled = (data: Pick<InvoiceData, 'total_gross' | 'paid'>): boolean =>
  (data.paid ?? 0) > 0 && openAmount(data) <= 0

export const isCreditNote = ({ kind }: Pick<InvoiceData, 'kind'>) => kind === 'credit_note'

/** Whether a version was kept before invoices said their kind. It prints as it did then: a copy shows the same. */
export const isEarlier = ({ kind }: InvoiceData) => kind === undefined

/** The printed form of an address; null if there is nothing to print. */
export function invoiceAddress(address: Omit<Address, 'id'> | null): InvoiceAddress | null {
  if (!address) return null
  const city = [address.postal_code, address.city].filter(Boolean).join(' ')
  const lines = [address.address_1, address.address_2, city, address.state].filter((line) => !!line) as string[]
  if (lines.length === 0 && !address.country_code) return null
  const { country_code, country, address_1: street, address_2: street_2, postal_code, city: town } = address
  return { lines, country_code, country, street, street_2, postal_code, city: town }
}
