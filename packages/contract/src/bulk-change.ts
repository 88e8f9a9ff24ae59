import { z } from 'zod'
import { MAX_PERCENT, MIN_PERCENT, PRICE_BASES, type PriceChange, ROUNDINGS, type Rounding } from './changed-price.ts'
import { FUNCTIONAL } from './device-function.ts'
import {
  ALSO_WHEN_WRONG,
  Flag,
  itemIds,
  listOf,
  OptionalId,
  OptionalPrice,
  optionalText,
  requiredNotes,
} from './fields.ts'
import { Change } from './log.ts'
import { MAX_PRICE } from './money.ts'
import { MAX_IDS } from './page-size.ts'
import { StockHit } from './stock.ts'
import { HAND_SET_STATUSES, MAX_MANY } from './stock-status.ts'
import { PurchaseTreatmentField } from './treatment-fields.ts'

const oneOf = (words: readonly string[]) => `Must be one of ${words.join(', ')}.`
const TOO_MANY = `At most ${MAX_MANY.toLocaleString('en')} items at once.`

const Percent = z
  .number({ error: 'Must be a percentage.' })
  .min(MIN_PERCENT, `Must be from ${MIN_PERCENT} to ${MAX_PERCENT}.`)
  .max(MAX_PERCENT, `Must be from ${MIN_PERCENT} to ${MAX_PERCENT}.`)
  .refine((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6, 'At most two decimals.')

const Amount = z
  .int({ error: 'Must be a whole number of cents.' })
  .min(-MAX_PRICE, 'At least -1,000,000.00.')
  .max(MAX_PRICE, 'At most 1,000,000.00.')

const price = {
  set: OptionalPrice.optional(),
  add: Amount.optional(),
  percent: Percent.optional(),
  of: z.enum(PRICE_BASES, { error: oneOf(PRICE_BASES) }).optional(),
  round: z.enum(ROUNDINGS, { error: oneOf(ROUNDINGS) }).optional(),
}

/**
 * Pasted lines. Each has an identifier, a tab and a price; or each has a price alone, for the items in their order.
 * Empty lines do not count.
 */
const PastedPrices = listOf(
  z.array(z.string({ error: 'Each line must be text.' }), { error: 'Must be a list of lines.' }),
  2 * MAX_MANY,
  `At most ${(2 * MAX_MANY).toLocaleString('en')} lines at once.`,
)

type PriceFields = { [Field in 'set' | 'add' | 'percent' | 'of' | 'pasted']?: unknown }
/**
 * Whether the fields ask for exactly one change of a price. A percentage needs `of`, the price that it is a percentage
 * of.
 */
const isOneChange = ({ set, add, percent, of, pasted }: PriceFields) =>
  [set, add, percent, pasted].filter((one) => one !== undefined).length === 1 &&
  (percent === undefined) === (of === undefined)
const ONE_CHANGE = 'Give one of set, add and percent. A percentage also needs ‘of’.'

/** Each item gets the price of its pasted line. */
export type PastedChange = { pasted: string[]; round?: Rounding | undefined }

/** A change of the sales price. With `never_below_cost` the new price is at least the item's cost. */
const SalesPriceChange = z
  .strictObject({ ...price, pasted: PastedPrices.optional(), never_below_cost: Flag.optional() })
  .refine(isOneChange, {
    ...ALSO_WHEN_WRONG,
    message: 'Give one of set, add, percent and pasted. A percentage also needs ‘of’.',
  })
  .transform((change) => change as (PriceChange | PastedChange) & { never_below_cost?: boolean | undefined })

const IN_TWO = 'No item may be in two groups.'
const isEachOnce = (groups: readonly { items: readonly number[] }[]) => {
  const items = groups.flatMap((group) => group.items)
  return new Set(items).size === items.length
}
/**
 * One sales price for a group of items. `seen` has each item's `updated_at` as the person saw it; items that have
 * changed since are refused.
 */
const GroupPrice = z
  .strictObject({
    items: itemIds(TOO_MANY, MAX_MANY),
    set: OptionalPrice,
    seen: z
      .array(z.iso.datetime({ offset: true, error: 'Must be the time an item was loaded with.' }))
      .max(MAX_MANY, TOO_MANY)
      .optional(),
  })
  .refine(({ items, seen }) => seen === undefined || seen.length === items.length, {
    path: ['seen'],
    message: 'Must be one for each item.',
  })
/** The number of ids in a list or in a comma-separated text, counted without reading the ids. */
function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return 0
  let count = 1
  for (let at = value.indexOf(','); at >= 0; at = value.indexOf(',', at + 1)) count++
  return count
}
/** Whether the groups, not checked yet, have more items together than one bulk edit may have. */
function hasTooMany(groups: readonly ({ items?: unknown; seen?: unknown } | null)[]): boolean {
  const sum = { items: 0, seen: 0 }
  for (const group of groups) {
    sum.items += countOf(group?.items)
    sum.seen += countOf(group?.seen)
  }
  return sum.items > MAX_MANY || sum.seen > MAX_MANY
}
/**
 * One sales price for each group of items, as a person decides it. An item that is in no group keeps its price. The
 * server counts the items before it reads any of them, because a comma-separated text could hold a million.
 */
const SalesPrices = z
  .preprocess(
    (value, context) => {
      if (!Array.isArray(value) || value.length > MAX_MANY || !hasTooMany(value)) return value
      context.addIssue({ code: 'custom', message: TOO_MANY })
      return z.NEVER
    },
    listOf(z.array(GroupPrice), MAX_MANY, `At most ${MAX_MANY.toLocaleString('en')} groups at once.`),
  )
  .refine(isEachOnce, IN_TWO)

/**
 * A change of the purchase price. No item may be left without one. A price in another currency can only change by a
 * percentage of itself.
 */
const PurchasePriceChange = z
  .strictObject(price)
  .refine((change) => isOneChange(change) && change.set !== null, { ...ALSO_WHEN_WRONG, message: ONE_CHANGE })
  .transform((change) => change as PriceChange)

/**
 * The new values of each item. A field that is left out stays as it is. `note` is added at the end of the engineer
 * notes.
 */
export const BulkChanges = z
  .strictObject({
    status: z.enum(HAND_SET_STATUSES, { error: oneOf(HAND_SET_STATUSES) }).optional(),
    supplier_id: OptionalId.optional(),
    vat_type_id: OptionalId.optional(),
    purchase_treatment: PurchaseTreatmentField.optional(),
    batch_id: OptionalId.optional(),
    grade_id: OptionalId.optional(),
    functional: z
      .preprocess((value) => (value === '' ? null : value), z.enum(FUNCTIONAL, { error: oneOf(FUNCTIONAL) }).nullable())
      .optional(),
    location: optionalText().optional(),
    network_locked: Flag.optional(),
    note: requiredNotes().optional(),
    purchase_price: PurchasePriceChange.optional(),
    sales_price: SalesPriceChange.optional(),
    sales_prices: SalesPrices.optional(),
  })
  .refine(({ sales_price, sales_prices }) => sales_price === undefined || sales_prices === undefined, {
    path: ['sales_prices'],
    message: 'Give either one change of all sales prices, or prices by group.',
  })
  .refine((changes) => Object.values(changes).some((change) => change !== undefined), 'Choose what to change.')
export type BulkChanges = z.output<typeof BulkChanges>

/** The filters of a stock list, under the names and with the values that they have in the list's address. */
const Filter = z.record(
  z.string().max(64),
  z.union(
    [z.string().max(20_000), z.number(), z.boolean(), z.array(z.union([z.string().max(255), z.number()])).max(MAX_IDS)],
    { error: 'Must be text, or a list.' },
  ),
)
export type BulkFilter = z.output<typeof Filter>

const input = {
  items: itemIds(TOO_MANY, MAX_MANY).optional(),
  filter: Filter.optional(),
  changes: BulkChanges,
}
type Which = { items?: unknown; filter?: unknown }
const isEither = ({ items, filter }: Which) => (items === undefined) !== (filter === undefined)
const EITHER = { ...ALSO_WHEN_WRONG, path: ['items'], message: 'Either items or a filter is needed.' }

/**
 * The changes, and the items to change: a list of ids, or all items that match a filter of the stock list. At most
 * 10,000 items.
 */
export const BulkPreviewInput = z.object(input).refine(isEither, EITHER)
export type BulkPreviewInput = z.output<typeof BulkPreviewInput>

/** The fields of `BulkPreviewInput`, with the token of the preview that the person has seen. */
export const BulkEditInput = z
  .object({
    ...input,
    token: z
      .string({ error: 'This field is required: the token of the preview.' })
      .regex(/^[0-9a-f]{64}$/, 'Must be the token of a preview.'),
  })
  .refine(isEither, EITHER)
export type BulkEditInput = z.output<typeof BulkEditInput>

/** An item that would change. `changes` are the entries that its log would get. */
const PreviewedItem = StockHit.extend({ changes: z.array(Change) })
export type PreviewedItem = z.infer<typeof PreviewedItem>

/** A pasted line that changes nothing, and why. */
const WrongPastedLine = z.object({ line: z.int(), text: z.string(), problem: z.string() })

/**
 * The result that a bulk edit would have. `matched` counts all items, `will_change` those that would change,
 * `unchanged` those that have the wanted values already. `refused` counts the others by reason, the commonest first,
 * with the ids of a few items for each. `rows` are the first items that would change; `token` identifies all changes of
 * the preview. `pasted` counts the right and the wrong pasted lines, and has the first wrong ones. `receipts` is a
 * sentence about items whose purchase receipts will say something else.
 */
export const BulkPreview = z.object({
  matched: z.int(),
  will_change: z.int(),
  unchanged: z.int(),
  refused: z.array(z.object({ reason: z.string(), count: z.int(), ids: z.array(z.int()) })),
  rows: z.array(PreviewedItem),
  pasted: z.object({ right: z.int(), wrong: z.int(), lines: z.array(WrongPastedLine) }).nullable(),
  receipts: z.string().nullable(),
  token: z.string(),
})
export type BulkPreview = z.infer<typeof BulkPreview>

export const BulkPreviewAnswer = z.object({ success: z.literal(true), data: BulkPreview })
export type BulkPreviewAnswer = z.infer<typeof BulkPreviewAnswer>

/** The result of a bulk edit. `left_out` is the number of items that the server refused to change. */
export const BulkDone = z.object({ bulk_id: z.int(), changed: z.int(), left_out: z.int() })
export type BulkDone = z.infer<typeof BulkDone>
