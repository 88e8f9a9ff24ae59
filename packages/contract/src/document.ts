import { z } from 'zod'
import { CREDIT_REASONS, DOCUMENT_KINDS, DOCUMENT_STATUSES } from './document-kind.ts'
import { E_INVOICE_PROFILES } from './e-invoice-profile.ts'
import { DateOnly, Flag, Id, LoadedAt, listOf, OptionalPrice, Price, Timestamp } from './fields.ts'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'
import { MAX_ITEMS } from './stock-status.ts'
import { ChosenTreatment } from './treatment-fields.ts'

/** The state in which a document is handed over to a connector, which sends it as an e-invoice. */
export const HANDOVER_STATES = ['waiting', 'done', 'failed'] as const
/** The states by which lists are filtered: `open` has a profile, and nobody has handed it over. */
export const HANDOVER_FILTER = ['open', ...HANDOVER_STATES] as const

/** A person's order to hand over the XML of a document. `at` is the moment of the order, or of its end. */
const Handover = z.object({
  state: z.enum(HANDOVER_STATES),
  file_name: z.string(),
  error: z.string().nullable(),
  person: z.string().nullable(),
  at: Timestamp,
})

/**
 * A document, with the buyer and the totals as printed. Totals are positive, also those of a credit note. `left_at` is
 * the moment at which the document became final; null if it is not final. `is_closed` means that a change of its sale
 * credits it and makes another one, because it is final or of an earlier month. `is_void` marks the invoice of a voided
 * sale, which is not handed over. `sha256` is the checksum of its newest file.
 */
export const Document = z.object({
  id: z.int(),
  kind: z.enum(DOCUMENT_KINDS),
  number: z.string(),
  sale_id: z.int(),
  customer_id: z.int(),
  buyer_name: z.string(),
  buyer_country: z.string().nullable(),
  buyer_vat_number: z.string().nullable(),
  issued_on: z.string(),
  due_on: z.string(),
  status: z.enum(DOCUMENT_STATUSES),
  error: z.string().nullable(),
  reason: z.enum(CREDIT_REASONS).nullable(),
  credits_id: z.int().nullable(),
  credits_number: z.string().nullable(),
  replaced_by_id: z.int().nullable(),
  left_at: Timestamp.nullable(),
  /** The person whose download made the document final; null if something else did. */
  downloaded_by: z.string().nullable(),
  is_closed: z.boolean(),
  is_void: z.boolean(),
  lang: z.enum(INVOICE_LANGUAGES),
  sha256: z.string().nullable(),
  /** The profile of e-invoices that the buyer asked for; null if none. */
  profile: z.enum(E_INVOICE_PROFILES).nullable(),
  handover: Handover.nullable(),
  total_net: z.int(),
  total_gross: z.int(),
  created_at: Timestamp,
})
export type Document = z.infer<typeof Document>

/** The order by `asked_for` counts credit notes below 0, as lists show them. */
export const DocumentQuery = listQuery(['id', 'issued_on', 'total_gross', 'asked_for'], {
  sale_id: idsFilter,
  customer_id: idsFilter,
  kind: wordsFilter(DOCUMENT_KINDS),
  status: wordsFilter(DOCUMENT_STATUSES),
  handover: wordsFilter(HANDOVER_FILTER),
  from: DateOnly.optional(),
  to: DateOnly.optional(),
})
export type DocumentQuery = z.infer<typeof DocumentQuery>

/**
 * A correction of a sale: `customer` brings in the customer's present data, `items` change prices and treatments. If
 * the invoice is final, the server credits it and makes a new one.
 */
export const CorrectInput = z.object({
  customer: Flag.default(false),
  items: listOf(
    z.array(z.object({ id: Id, sales_price: OptionalPrice.optional(), vat_treatment: ChosenTreatment })),
    MAX_ITEMS,
    `At most ${MAX_ITEMS} items in one sale.`,
  ).default([]),
  send_email: Flag.default(false),
  updated_at: LoadedAt,
})
export type CorrectInput = z.infer<typeof CorrectInput>

const NO_ALLOWANCE = 'Enter an amount for at least one item.'

/** The amounts of an allowance, for items that the buyer keeps. They include VAT if the prices of the sale do. */
export const AllowInput = z.object({
  items: listOf(
    z
      .array(z.object({ id: Id, price: Price.refine((price) => price > 0, 'Must be above 0.') }), {
        error: NO_ALLOWANCE,
      })
      .min(1, NO_ALLOWANCE),
    MAX_ITEMS,
    `At most ${MAX_ITEMS} items in one sale.`,
  ),
  send_email: Flag.default(false),
  updated_at: LoadedAt,
})
export type AllowInput = z.infer<typeof AllowInput>

/** If `lang` is left out, the document keeps its language. */
export const GenerateDocumentInput = z.object({
  lang: z.enum(INVOICE_LANGUAGES, { error: `Must be one of ${INVOICE_LANGUAGES.join(', ')}.` }).optional(),
})
