import { z } from 'zod'
import { Id, Timestamp } from './fields.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'

/** The kind of an act on many items: it changes them, or puts Inbound ones in stock. */
export const BULK_KINDS = ['edit', 'receive'] as const

/** An act on many items. `kept_count` is how many of them an undo left as they are; null until it is undone. */
export const BulkEdit = z.object({
  id: z.int(),
  kind: z.enum(BULK_KINDS),
  changes: z.record(z.string(), z.unknown()),
  /** The act, in the words of the notification. */
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
  /** It is not undone, and 30 days have not passed. */
  can_undo: z.boolean(),
})
export type BulkEdit = z.infer<typeof BulkEdit>

export const BulkEditQuery = listQuery(['id'], {
  kind: wordsFilter(BULK_KINDS),
  import_id: idsFilter,
  check_id: idsFilter,
})
export type BulkEditQuery = z.infer<typeof BulkEditQuery>

/** An item that stays as it is, and why. */
export const KeptItem = z.object({ id: z.int(), reason: z.string() })
export type KeptItem = z.infer<typeof KeptItem>

/** `restored` items are as they were before. */
export const Undone = z.object({ restored: z.int(), kept: z.array(KeptItem) })
export type Undone = z.infer<typeof Undone>

export const ReceiveInput = z.object({ import_id: Id })

/**
 * `received` items are In Stock now; `kept` ones were expected and are no longer Inbound. `left` is how many are still
 * Inbound: one act takes 10,000 at most.
 */
export const Received = z.object({
  bulk_id: z.int(),
  received: z.int(),
  left: z.int(),
  kept: z.array(KeptItem),
})
export type Received = z.infer<typeof Received>

export const ReceivableQuery = z.object({ import_id: Id })
/** How many items of an import are Inbound, and which acts on them can be undone, the newest first. */
export const Receivable = z.object({
  success: z.literal(true),
  data: z.object({ inbound: z.int(), undoable: z.array(BulkEdit) }),
})
export type Receivable = z.infer<typeof Receivable>
