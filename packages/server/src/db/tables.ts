import type { EInvoiceProfile } from '@backstock/contract/e-invoice-profile.ts'
import type { LogContent, LoggableType } from '@backstock/contract/log.ts'
import type { SaleTax } from '@backstock/contract/treatment-of.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { ColumnType } from 'kysely'
import type { Columns } from './columns.ts'
import type { Pieces, PlannedRow, PlanSummary, PreviewSettings, SplitModels } from './preview-columns.ts'

/** A buyer as documents print it, fixed on the day of the sale. */
export type Buyer = {
  first_name: string
  last_name: string
  full_name: string
  company_name: string | null
  email: string
  phone: string | null
  vat_number: string | null
  /** Sales that were made before Backstock stored these fields lack them. */
  registration?: string | null
  payment_days?: number | null
  /** Null if the customer asks for no profile of e-invoices. */
  e_invoice_profile?: EInvoiceProfile | null
  buyer_reference?: string | null
  electronic_address?: string | null
  billing_address: BuyerAddress | null
  delivery_address: BuyerAddress | null
}
export type BuyerAddress = {
  address_1: string
  address_2: string | null
  city: string
  state: string | null
  postal_code: string
  country_code: string
}
/** The facts that decide a sale's VAT, in the form in which the sale stores them. Older sales lack `margin_rate`. */
export type TreatmentRoute = SaleTax & { day: string; margin_rate?: RateHundredths | null }

export type MailAddress = { name: string; address: string }

/** The records that an import makes besides items: products and the like by id, further columns by name. */
export type Made = readonly (['product' | 'make' | 'colour' | 'category', number] | ['attribute' | 'grading', string])[]

/** JSON is written as text, and read as its value. */
type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
type OptionalJson<T> = ColumnType<T, string | undefined, string>

/** Facts about columns that PostgreSQL does not know. */
type Refined = {
  bulk_edit: { given_back: (string | null)[] | null }
  import: {
    header: NullableJson<string[]>
    preview: NullableJson<PreviewSettings>
    plan: NullableJson<PlanSummary>
    models: NullableJson<SplitModels>
    made: OptionalJson<Made | null>
  }
  import_part: {
    cells: Json<string[][]>
    pieces: NullableJson<Pieces>
    stock_ids: (number | null)[] | null
    actions: ('created' | 'updated' | 'unchanged' | 'failed')[] | null
    held: (number | null)[] | null
    freed: Json<Record<string, number>> | null
    plan: NullableJson<PlannedRow[]>
    versions: (string | null)[] | null
    was: OptionalJson<Record<string, Record<string, unknown>>> | null
    mended: OptionalJson<Record<string, true> | null>
    kept: OptionalJson<unknown[]> | null
  }
  import_error: { errors: Json<Record<string, string>> }
  letter: { data: Json<unknown> }
  log: { loggable_type: LoggableType; content: Json<LogContent> }
  mail: { sender: Json<MailAddress>; recipient: Json<MailAddress> }
  sale: { buyer: Json<Buyer>; treatment_route: OptionalJson<TreatmentRoute | null> }
  stock: { grading_data: OptionalJson<Record<string, unknown>>; attributes: OptionalJson<Record<string, unknown>> }
}

/** `Columns` with some of their types replaced. A name that no column has does not compile. */
type WithTypes<Types extends { [T in keyof Types]: T extends keyof Columns ? Named<Types[T], Columns[T]> : never }> = {
  [T in keyof Columns]: T extends keyof Types
    ? { [C in keyof Columns[T]]: C extends keyof Types[T] ? Types[T][C] : Columns[T][C] }
    : Columns[T]
}
type Named<Types, Table> = { [C in keyof Types]: C extends keyof Table ? unknown : never }

/** All tables that `migrations/` make. */
export type Tables = WithTypes<Refined>
