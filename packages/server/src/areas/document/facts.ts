import type { CreditKind } from '@backstock/contract/document-kind.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { VatTotal } from '@backstock/contract/sale-total.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { InvoiceData } from '../../render/invoice/data.ts'

/** The stored data of a document's version: all that is printed, and the id of the logo's file. */
export type PrintedData = InvoiceData & { logo_file_id: number | null }

/** A line of a document for the books. `price` is as typed: gross if the document's prices include VAT. */
export type DocumentLine = {
  stock_id: number
  position: number
  net: Hundredths
  price: Hundredths
  treatment: Treatment
  rate: RateHundredths
  cost: Hundredths
  margin_rate: RateHundredths | null
  margin_vat: Hundredths
  /** Set only on a line of a credit note. */
  credit_kind?: CreditKind
}

/** All contents of a document except its number and its day. */
export type DocumentFacts = {
  customer_id: number
  buyer_name: string
  buyer_country: string | null
  buyer_vat_number: string | null
  /** The number of days after the day of issue on which the document is due. */
  due_days: number
  /** The number series of the sale's reverse charge rule, if the invoice has nothing but reverse charge; else null. */
  own_series: Uppercase<string> | null
  /** For an invoice whose goods have not been dispatched: whether its own day is the date of supply. */
  is_supplied_when_issued: boolean
  data: Omit<PrintedData, 'number' | 'issued_on'>
  lines: DocumentLine[]
  vat: VatTotal[]
}
