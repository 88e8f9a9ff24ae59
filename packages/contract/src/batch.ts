import { z } from 'zod'
import { Flag, Id, itemIds, LoadedAt, OptionalId, requiredText, Timestamp } from './fields.ts'
import { LogEntry } from './log.ts'
import { flagFilter, listQuery, staffFilter } from './page.ts'
import { StockRow } from './stock.ts'

/**
 * A row of the batch list. Sums are in hundredths; the margin is sales less purchase. `unpriced_items` counts the items
 * without a sales price, which add 0 to the sums. Deleted items are not counted.
 */
export const BatchRow = z.object({
  id: z.int(),
  user_id: z.int(),
  user_name: z.string(),
  name: z.string(),
  priority: z.int(),
  is_locked: z.boolean(),
  items_count: z.int(),
  total_purchase_price: z.int(),
  total_sales_price: z.int(),
  margin: z.int(),
  unpriced_items: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type BatchRow = z.infer<typeof BatchRow>

/** The fields of a batch that the quick search shows. */
export const BatchHit = BatchRow.pick({ id: true, name: true })

export const Batch = BatchRow.extend({ items: z.array(StockRow), logs: z.array(LogEntry) })
export type Batch = z.infer<typeof Batch>

const Priority = z.preprocess(
  (value) => (value === '' ? 0 : typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
  z
    .int({ error: 'Must be a whole number.' })
    .min(-1_000_000, 'At least -1,000,000.')
    .max(1_000_000, 'At most 1,000,000.'),
)

export const BatchInput = z.object({
  name: requiredText(),
  priority: Priority.optional(),
  is_locked: Flag.optional(),
  updated_at: LoadedAt,
})
export type BatchInput = z.infer<typeof BatchInput>

/** `id` is the batch from which the items are moved. */
export const BatchCreateInput = BatchInput.omit({ updated_at: true }).extend({
  items: itemIds().optional(),
  id: OptionalId.optional(),
})
export type BatchCreateInput = z.infer<typeof BatchCreateInput>

/** `batch_id` is the batch to which the items are moved. `id` may name the batch from which they come. */
export const AddItemsInput = z.object({ batch_id: Id, id: OptionalId.optional(), items: itemIds() })
export type AddItemsInput = z.infer<typeof AddItemsInput>

export const BatchQuery = listQuery(
  ['id', 'priority', 'name'],
  { user_id: staffFilter, is_locked: flagFilter },
  'priority_desc',
)
