import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { flagFilter, listQuery } from './page.ts'

/** An import can be undone for this many days after its end. */
export const UNDO_DAYS = 30
/**
 * The states of an undo. `waiting`: earlier imports and undos have to end first. `failed`: it broke off, and continues
 * if somebody asks for it again.
 */
export const UNDO_STATES = ['waiting', 'undoing', 'undone', 'failed'] as const
export type UndoState = (typeof UNDO_STATES)[number]

/**
 * Why an undo leaves an item as it is. `changed`: somebody has changed the item since. `basket`, `sale`, `batch` (a
 * locked one), `claim`, `return` and `receipt` (of its purchase): it is in one of these. The others: another item has
 * its earlier identifier by now; a record that it referred to is gone; the item itself is gone.
 */
export const KEPT_REASONS = [
  'changed',
  'basket',
  'sale',
  'batch',
  'claim',
  'return',
  'receipt',
  'taken',
  'reference',
  'missing',
] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/** An item that an undo leaves as it is. */
export const KeptItem = z.object({
  id: z.int(),
  product: z.string().nullable(),
  /** The item's IMEI, else its serial number. */
  identifier: z.string().nullable(),
  reason: z.enum(KEPT_REASONS),
  /** The record that the message names (a sale, a batch, a claim, a return, an item, an import); null if none. */
  ref: z.int().nullable(),
  message: z.string(),
  /** The person who changed the item, or in whose basket it is; null if unknown. */
  who: z.string().nullable(),
  at: Timestamp.nullable(),
})
export type KeptItem = z.infer<typeof KeptItem>

/**
 * The undo of an import. Until somebody asks for the undo, the counts say what it would change; afterwards, what it has
 * changed. `restored` counts the changed items that are as before the import. `removed` counts the items that the
 * import made and that are deleted. `kept` is a page of the items that stay as they are.
 */
export const ImportUndo = z.object({
  import_id: z.int(),
  state: z.enum(UNDO_STATES).nullable(),
  /** Why nobody can ask for the undo; null if somebody can. */
  refusal: z.string().nullable(),
  /** Why the undo broke off, as a sentence; null if it did not. */
  error: z.string().nullable(),
  /** The progress of the undo, 0 to 100. */
  progress: z.int(),
  restored: z.int(),
  removed: z.int(),
  kept_total: z.int(),
  kept: z.array(KeptItem),
  undone_at: Timestamp.nullable(),
  /** The person who asked for the undo. */
  undone_by_name: z.string().nullable(),
})
export type ImportUndo = z.infer<typeof ImportUndo>
export const ImportUndoAnswer = z.object({ success: z.literal(true), data: ImportUndo })
export const ImportUndoQuery = listQuery(
  ['id'],
  {
    judged: flagFilter.describe(
      'If true, the first page may be up to a minute old, as the other pages may be. The undo itself checks the items again.',
    ),
  },
  'id_asc',
)
