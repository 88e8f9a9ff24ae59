import { z } from 'zod'
import { Id, Timestamp } from './fields.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'

/** The kind of a bulk edit: it changes items, or puts Inbound ones in stock. */
export const BULK_KINDS = ['edit', 'receive'] as const

/**
 * A bulk edit that was made. `kept_count` is the number of items that its undo could not take back; null if nobody has
 * undone it.
 */
export const BulkEdit = z.object({
  id: z.int(),
  kind: z.enum(BULK_KINDS),
  changes: z.record(z.string(), z.unknown()),
  /** The bulk edit in the words of its notification. */
  message: z.string(),
  items_count: z.int(),
  import_id: z.int().nullable(),
  check_id: z.int().nullable(),
  user_id: z.int(),
  user_name: z.string(),
  created_at: Timestamp,
  undone_at: Timestamp.nullable(),
  undone_by_name: z.string().nullable(),
  kept_count: z.int().nullable(),
  /** Whether it can be undone: nobody has undone it yet, and it is at most 30 days old. */
  can_undo: z.boolean(),
})
export type BulkEdit = z.infer<typeof BulkEdit>

export const BulkEditQuery = listQuery(['id'], {
  kind: wordsFilter(BULK_KINDS),
  import_id: idsFilter,
  check_id: idsFilter,
})
export type BulkEditQuery = z.infer<typeof BulkEditQuery>

/** An item that an undo leaves as it is, and why. */
export const KeptItem = z.object({ id: z.int(), reason: z.string() })
export type KeptItem = z.infer<typeof KeptItem>

/** The result of an undo: `restored` items have their earlier values again. */
export const Undone = z.object({ restored: z.int(), kept: z.array(KeptItem) })
export type Undone = z.infer<typeof Undone>

export const ReceiveInput = z.object({ import_id: Id })

/**
 * `received` items are In Stock now. `kept` items were to be received, but are no longer Inbound. `left` is the number
 * of items that are still Inbound, because one bulk edit takes at most 10,000.
 */
export const Received = z.object({
  bulk_id: z.int(),
  received: z.int(),
  left: z.int(),
  kept: z.array(KeptItem),
})
export type Received = z.infer<typeof Received>

export const ReceivableQuery = z.object({ import_id: Id })
/** How many items of an import are Inbound, and which bulk edits on the items can be undone, newest first. */
export const Receivable = z.object({
  success: z.literal(true),
  data: z.object({ inbound: z.int(), undoable: z.array(BulkEdit) }),
})
export type Receivable = z.infer<typeof Receivable>
