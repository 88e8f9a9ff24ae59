import { z } from 'zod'
import { CountryCode } from './address.ts'
import { DateOnly, Id, itemIds, optionalText, optionalVatNumber, requiredText, Timestamp } from './fields.ts'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { LanguageField } from './invoice-language-field.ts'
import { dayFilter, flagFilter, idsFilter, listQuery, wantedIds, wordsFilter } from './page.ts'
import { IDENTITY_KINDS, MAX_IDENTITY_END, MAX_RECEIPT_ITEMS, RECEIPT_KINDS, RECEIPT_PAYMENTS } from './receipt-kind.ts'

/**
 * A row of the list of purchase receipts. `total` is in hundredths of `currency`. A receipt with `cancels_id` cancels
 * another one, and its total makes up for that one's. `file_state` is that of the file in the receipt's own language.
 */
export const PurchaseReceiptRow = z.object({
  id: z.int(),
  number: z.string(),
  kind: z.enum(RECEIPT_KINDS),
  issued_on: z.string(),
  bought_on: z.string(),
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  seller_name: z.string(),
  currency: z.string(),
  total: z.int(),
  items_count: z.int(),
  lang: z.enum(INVOICE_LANGUAGES),
  file_state: z.enum(['pending', 'ready', 'failed']),
  cancels_id: z.int().nullable(),
  cancels_number: z.string().nullable(),
  cancelled_by_id: z.int().nullable(),
  cancelled_by_number: z.string().nullable(),
  created_at: Timestamp,
})
export type PurchaseReceiptRow = z.infer<typeof PurchaseReceiptRow>

/**
 * A line of a receipt, as printed. `price_now` is the item's purchase price of today, null if it is in another
 * currency now.
 */
export const ReceiptLine = z.object({
  stock_id: z.int(),
  description: z.string(),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  price: z.int(),
  price_now: z.int().nullable(),
})
export type ReceiptLine = z.infer<typeof ReceiptLine>

const Seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  country_code: z.string().nullable(),
  vat_number: z.string().nullable(),
  identity_kind: z.enum(IDENTITY_KINDS).nullable(),
  identity_end: z.string().nullable(),
})

/** A whole receipt with all its lines, and its files: one in its own language, and copies in others. */
export const PurchaseReceipt = PurchaseReceiptRow.extend({
  seller: Seller,
  paid_by: z.enum(RECEIPT_PAYMENTS).nullable(),
  reason: z.string().nullable(),
  created_by_name: z.string().nullable(),
  lines: z.array(ReceiptLine),
  files: z.array(
    z.object({
      lang: z.enum(INVOICE_LANGUAGES),
      state: z.enum(['pending', 'ready', 'failed']),
      error: z.string().nullable(),
      sha256: z.string().nullable(),
    }),
  ),
})
export type PurchaseReceipt = z.infer<typeof PurchaseReceipt>

export const PurchaseReceiptQuery = listQuery(['id', 'issued_on', 'total'], {
  kind: wordsFilter(RECEIPT_KINDS),
  supplier_id: idsFilter,
  stock_id: idsFilter,
  from: dayFilter,
  to: dayFilter,
})
export type PurchaseReceiptQuery = z.infer<typeof PurchaseReceiptQuery>

const optionalWord = <const W extends readonly [string, ...string[]]>(words: W, error: string) =>
  z.preprocess((value) => (value === '' ? null : value), z.enum(words, { error }).nullable())

/**
 * The seller as typed for the receipt. The receipt keeps the kind of an identity document and the last characters of its
 * number, never the whole number.
 */
const SellerInput = z
  .object({
    name: requiredText(),
    address_1: requiredText(),
    address_2: optionalText().optional(),
    postal_code: optionalText(20).optional(),
    city: requiredText(),
    state: optionalText().optional(),
    country_code: CountryCode,
    vat_number: optionalVatNumber().optional(),
    identity_kind: optionalWord(IDENTITY_KINDS, 'Must be a kind from the list.').optional(),
    identity_end: optionalText(MAX_IDENTITY_END).optional(),
  })
  .superRefine(({ country_code, identity_kind, identity_end }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (country_code === null) issue('country_code', 'This field is required.')
    if (!identity_kind !== !identity_end)
      issue(identity_kind ? 'identity_end' : 'identity_kind', 'Give both the kind and the last characters, or neither.')
  })

/**
 * The receipt to make. The server takes prices and devices from the items. `token` is that of the proposal which the
 * person saw: if the receipt would say anything else by now, nothing is made.
 */
export const PurchaseReceiptInput = z.object({
  items: itemIds(`At most ${MAX_RECEIPT_ITEMS} items on a receipt.`, MAX_RECEIPT_ITEMS),
  seller: SellerInput,
  bought_on: DateOnly,
  paid_by: optionalWord(RECEIPT_PAYMENTS, 'Must be a payment method from the list.').optional(),
  lang: LanguageField,
  token: z
    .string({ error: 'This field is required: the token of the proposal.' })
    .regex(/^[0-9a-f]{64}$/, 'Must be the token of a proposal.'),
})
export type PurchaseReceiptInput = z.output<typeof PurchaseReceiptInput>

export const CancelReceiptInput = z.object({ reason: requiredText() })
export const PrintReceiptInput = z.object({ lang: LanguageField })

/** Chooses items: those with these ids, those in the caller's basket, or those of an import. */
export const ReceiptProposalQuery = z.object({
  ids: wantedIds,
  basket: flagFilter,
  import_id: z.preprocess((value) => value || undefined, Id.optional()),
  /** The supplier whose items are meant, if the chosen ones are of several; 0 for items without a supplier. */
  supplier_id: z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value || undefined),
    z.int({ error: 'must be the id of a supplier' }).min(0).optional(),
  ),
})
export type ReceiptProposalQuery = z.infer<typeof ReceiptProposalQuery>

/** The suppliers of the chosen items, with how many of these can be on a receipt. */
const ProposedSupplier = z.object({ id: z.int(), name: z.string().nullable(), items: z.int() })

/**
 * The receipt that can be made of the chosen items. `left_out` says which of them cannot be on it, and why, those of this
 * supplier in another currency first. `further` counts those that exceed the most items of a receipt. `seller` has what
 * an earlier receipt or the supplier's record says. `token` identifies what a receipt of these lines says.
 */
export const ReceiptProposal = z.object({
  kind: z.enum(RECEIPT_KINDS),
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  suppliers: z.array(ProposedSupplier),
  currency: z.string(),
  total: z.int(),
  bought_on: z.string(),
  lang: z.enum(INVOICE_LANGUAGES),
  seller: z.object({
    name: z.string(),
    address_1: z.string(),
    address_2: z.string(),
    postal_code: z.string(),
    city: z.string(),
    state: z.string(),
    country_code: z.string().nullable(),
    vat_number: z.string(),
  }),
  lines: z.array(ReceiptLine.omit({ price_now: true })),
  further: z.int(),
  left_out: z.array(z.object({ stock_id: z.int(), why: z.string() })),
  left_out_total: z.int(),
  token: z.string(),
})
export type ReceiptProposal = z.infer<typeof ReceiptProposal>
