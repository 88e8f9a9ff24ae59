import { z } from 'zod'
import { CLAIM_ENDS, CLAIM_STATES, MAX_CLAIM } from './claim-state.ts'
import {
  DateOnly,
  Flag,
  Id,
  itemIds,
  LoadedAt,
  listOf,
  notes,
  OptionalDate,
  OptionalPrice,
  optionalText,
  requiredText,
  Timestamp,
} from './fields.ts'
import { LogEntry } from './log.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'
import { StockRow } from './stock.ts'
import { MAX_ITEMS } from './stock-status.ts'

/**
 * A row of the list of claims. All sums are in hundredths. `credit_expected` is null if the shop expects `total_cost`,
 * the sum of the items' costs. `credit_received` is null until the claim is settled or refused.
 */
export const SupplierClaimRow = z.object({
  id: z.int(),
  supplier_id: z.int(),
  supplier_name: z.string(),
  state: z.enum(CLAIM_STATES),
  reference: z.string().nullable(),
  items_count: z.int(),
  total_cost: z.int(),
  credit_expected: z.int().nullable(),
  credit_received: z.int().nullable(),
  sent_at: Timestamp.nullable(),
  settled_on: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SupplierClaimRow = z.infer<typeof SupplierClaimRow>

/**
 * An item of a claim, with its present fields. `cost` is the item's cost when the claim was sent; in a draft it is the
 * present one. `credit` is the credit for this item; null if the supplier credited the claim as a whole. `is_back`
 * means that the supplier has sent the item back.
 */
export const SupplierClaimItem = StockRow.extend({
  reason: z.string(),
  cost: z.int(),
  credit: z.int().nullable(),
  is_back: z.boolean(),
})
export type SupplierClaimItem = z.infer<typeof SupplierClaimItem>

/** A whole claim: its fields, all its items, newest first, and its newest log entries. */
export const SupplierClaim = SupplierClaimRow.extend({
  note: z.string().nullable(),
  created_by_name: z.string().nullable(),
  items: z.array(SupplierClaimItem),
  logs: z.array(LogEntry),
})
export type SupplierClaim = z.infer<typeof SupplierClaim>

const ClaimSum = z.preprocess(
  (value) => (value === '' ? null : typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
  z
    .int({ error: 'Must be a whole number of cents.' })
    .min(0, 'Must not be negative.')
    .max(MAX_CLAIM, 'This is more than any claim can be.')
    .nullable(),
)

/**
 * If `credit_expected` is null, the shop expects the sum of the items' costs. If a claim has items, its supplier cannot
 * change. `credit_received` and `settled_on` come with the settlement; afterwards a person can correct them.
 */
export const SupplierClaimInput = z.object({
  supplier_id: Id,
  reference: optionalText().optional(),
  note: notes().optional(),
  credit_expected: ClaimSum.optional(),
  credit_received: ClaimSum.optional(),
  settled_on: OptionalDate.optional(),
  updated_at: LoadedAt,
})
export type SupplierClaimInput = z.infer<typeof SupplierClaimInput>

const Reason = requiredText()

/** `reason` is the reason for each of the `items`. It is required if there are any. */
export const SupplierClaimCreateInput = SupplierClaimInput.omit({
  credit_received: true,
  settled_on: true,
  updated_at: true,
}).extend({
  items: itemIds().optional(),
  reason: Reason.optional(),
})
export type SupplierClaimCreateInput = z.infer<typeof SupplierClaimCreateInput>

/** Items to add to a draft, and the reason. If an item is in the draft already, it gets this reason. */
export const ClaimItemsInput = z.object({ items: itemIds(), reason: Reason })

export const ClaimItemsOutInput = z.object({ items: itemIds() })

export const SendClaimInput = z.object({ updated_at: LoadedAt })

const SettledItem = z.object({ id: Id, credit: OptionalPrice.optional(), is_back: Flag.optional() })

/**
 * The end of a claim. If the claim is settled, the request needs `credit_received`, or a `credit` for each item; the
 * sum of these is then the credit received. The items in `is_back` come back into stock; with `items_back` all items
 * do.
 */
export const SettleClaimInput = z.object({
  state: z.enum(CLAIM_ENDS, { error: `Must be one of ${CLAIM_ENDS.join(', ')}.` }).default('settled'),
  settled_on: DateOnly,
  credit_received: ClaimSum.optional(),
  reference: optionalText().optional(),
  items: listOf(
    z.array(SettledItem, { error: 'Must be a list of items.' }),
    MAX_ITEMS,
    `At most ${MAX_ITEMS} items at once.`,
  ).optional(),
  items_back: Flag.optional(),
  updated_at: LoadedAt,
})
export type SettleClaimInput = z.output<typeof SettleClaimInput>

export const SupplierClaimQuery = listQuery(['id', 'sent_at', 'settled_on', 'credit_received'], {
  state: wordsFilter(CLAIM_STATES),
  supplier_id: idsFilter,
})
