import { z } from 'zod'
import { Document } from './document.ts'
import { Flag, Id, LoadedAt, listOf, notes, OptionalPrice, Timestamp } from './fields.ts'
import { LogEntry } from './log.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'
import { RETURN_CONDITIONS, RETURN_OUTCOMES, RETURN_REASONS, RETURN_STATES } from './return-state.ts'
import { SALE_STATUSES } from './sale-status.ts'
import { PastedLines } from './stock.ts'
import { MAX_ITEMS, STOCK_STATUSES } from './stock-status.ts'

/** A row of the list of returns. `total_credited` is the sum of the return's credit notes with VAT, in hundredths. */
export const CustomerReturnRow = z.object({
  id: z.int(),
  customer_id: z.int(),
  customer_name: z.string(),
  state: z.enum(RETURN_STATES),
  note: z.string().nullable(),
  items_count: z.int(),
  items_received: z.int(),
  total_credited: z.int(),
  received_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type CustomerReturnRow = z.infer<typeof CustomerReturnRow>

/**
 * An item of a return, with its facts on the day of the sale. `status` is its status now. `id` is the stock item.
 * Prices are as typed on the sale. `price` is the part of `sold_price` that is credited; null means the whole price, if
 * the shop has not received the item yet. `noted_at_zero` is true if a credit note names the item even if nothing is
 * credited: its purchase price leaves the books.
 */
export const CustomerReturnItem = z.object({
  id: z.int(),
  product_name: z.string(),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  grade_name: z.string().nullable(),
  status: z.enum(STOCK_STATUSES),
  sale_id: z.int(),
  invoice_number: z.string().nullable(),
  prices_include_vat: z.boolean(),
  sold_price: z.int(),
  noted_at_zero: z.boolean(),
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  purchase_date: z.string().nullable(),
  reason: z.enum(RETURN_REASONS),
  condition: z.enum(RETURN_CONDITIONS),
  outcome: z.enum(RETURN_OUTCOMES),
  price: z.int().nullable(),
  received_at: Timestamp.nullable(),
  credit_id: z.int().nullable(),
  credit_number: z.string().nullable(),
})
export type CustomerReturnItem = z.infer<typeof CustomerReturnItem>

/** A whole return with all its items, its credit notes and its newest logs. */
export const CustomerReturn = CustomerReturnRow.extend({
  created_by_name: z.string().nullable(),
  items: z.array(CustomerReturnItem),
  credit_notes: z.array(Document),
  logs: z.array(LogEntry),
})
export type CustomerReturn = z.infer<typeof CustomerReturn>

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `Must be one of ${words.join(', ')}.` })

/**
 * `price` is the sum to credit; null credits the whole price. If `sale_id` is given and another sale holds the item
 * now, the server refuses it.
 */
const ReturnItemInput = z.object({
  id: Id,
  sale_id: Id.optional(),
  reason: oneOf(RETURN_REASONS).default('not_stated'),
  condition: oneOf(RETURN_CONDITIONS).default('not_checked'),
  outcome: oneOf(RETURN_OUTCOMES).default('restock'),
  price: OptionalPrice.default(null),
})
export type ReturnItemInput = z.output<typeof ReturnItemInput>

const itemsOf = <Item extends z.ZodType>(item: Item) =>
  listOf(z.array(item, { error: 'Must be a list of items.' }), MAX_ITEMS, `At most ${MAX_ITEMS} items at once.`)

/** `items` replace the announced items that have not come yet. */
export const CustomerReturnInput = z.object({
  state: oneOf(RETURN_STATES).optional(),
  note: notes().optional(),
  items: itemsOf(ReturnItemInput).optional(),
  updated_at: LoadedAt,
})
export type CustomerReturnInput = z.output<typeof CustomerReturnInput>

/**
 * With `received` the items are here already: the server takes them back at once, and `send_email` sends the credit
 * notes.
 */
export const CustomerReturnCreateInput = z.object({
  customer_id: Id,
  note: notes().optional(),
  items: itemsOf(ReturnItemInput),
  received: Flag.default(false),
  send_email: Flag.default(false),
})
export type CustomerReturnCreateInput = z.output<typeof CustomerReturnCreateInput>

/** If `items` is left out, all announced items have come. A field that an item leaves out stays as announced. */
export const ReceiveInput = z.object({
  items: itemsOf(
    z.object({
      id: Id,
      reason: oneOf(RETURN_REASONS).optional(),
      condition: oneOf(RETURN_CONDITIONS).optional(),
      outcome: oneOf(RETURN_OUTCOMES).optional(),
      price: OptionalPrice.optional(),
    }),
  ).optional(),
  send_email: Flag.default(false),
  updated_at: LoadedAt,
})
export type ReceiveInput = z.output<typeof ReceiveInput>

export const CustomerReturnQuery = listQuery(['id', 'created_at'], {
  state: wordsFilter(RETURN_STATES),
  customer_id: idsFilter,
})
export type CustomerReturnQuery = z.infer<typeof CustomerReturnQuery>

export const ReturnLookUpInput = z.object({ lines: PastedLines })

/**
 * The item that a pasted line means, its supplier, and the sale that holds the item now or held it last. `price` is the
 * price on that sale, as typed there; `noted_at_zero` is as in a return's item. `why_not` says why the item cannot
 * come back; null if it can.
 */
export const ReturnLookUpRow = z.object({
  line: z.string(),
  id: z.int(),
  product_name: z.string(),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  grade_name: z.string().nullable(),
  status: z.enum(STOCK_STATUSES),
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  purchase_date: z.string().nullable(),
  sale: z
    .object({
      id: z.int(),
      status: z.enum(SALE_STATUSES),
      customer_id: z.int(),
      customer_name: z.string(),
      invoice_number: z.string().nullable(),
      sold_at: Timestamp,
      dispatched_on: z.string().nullable(),
      prices_include_vat: z.boolean(),
      price: z.int(),
      noted_at_zero: z.boolean(),
    })
    .nullable(),
  return_id: z.int().nullable(),
  returnable: z.boolean(),
  why_not: z.string().nullable(),
})
export type ReturnLookUpRow = z.infer<typeof ReturnLookUpRow>

/** `ambiguous` has the lines that may mean several phones, each with these phones. */
export const ReturnLookUpAnswer = z.object({
  success: z.literal(true),
  data: z.array(ReturnLookUpRow),
  not_found: z.array(z.string()),
  ambiguous: z.array(z.object({ line: z.string(), items: z.array(z.int()) })),
  duplicates: z.array(z.string()),
})
export type ReturnLookUpAnswer = z.infer<typeof ReturnLookUpAnswer>
