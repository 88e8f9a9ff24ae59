import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { flagFilter, listQuery } from './page.ts'

/** For so long after its end an import can be undone. */
export const UNDO_DAYS = 30
/** `waiting` for earlier imports and undos; `failed` broke off, and goes on if somebody asks again. */
export const UNDO_STATES = ['waiting', 'undoing', 'undone', 'failed'] as const
export type UndoState = (typeof UNDO_STATES)[number]

/**
 * Why an item stays as it is: somebody changed it since; it lies in a basket; a sale, a locked batch, a supplier
 * claim or a return has it; another item has its old identifier by now; a record that it referred to is gone; the
 * item itself is gone.
 */
export const KEPT_REASONS = [
  'changed',
  'basket',
  'sale',
  'batch',
  'claim',
  'return',
  'taken',
  'reference',
  'missing',
] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/** An item that an undo leaves as it is. */
export const KeptItem = z.object({
  id: z.int(),
  product: z.string().nullable(),
  /** Its IMEI, else its serial number. */
  identifier: z.string().nullable(),
  reason: z.enum(KEPT_REASONS),
  /** The record that the message names (a sale, a batch, a claim, a return, an item, an import); null if none. */
  ref: z.int().nullable(),
  message: z.string(),
  /** The person who changed it, or whose basket it is; null if unknown. */
  who: z.string().nullable(),
  at: Timestamp.nullable(),
})
export type KeptItem = z.infer<typeof KeptItem>

/**
 * The undo of an import. Before the undo is ordered, the counts say how many it would change; later, how many it
 * did. `restored` are items that the import changed and that are as before, `removed` those that it made, `kept` a
 * page of those that stay.
 */
export const ImportUndo = z.object({
  import_id: z.int(),
  state: z.enum(UNDO_STATES).nullable(),
  /** Why nobody can ask for it; null if one can. */
  refusal: z.string().nullable(),
  /** Why it broke off, as a sentence; null if it did not. */
  error: z.string().nullable(),
  /** 0 to 100. */
  progress: z.int(),
  restored: z.int(),
  removed: z.int(),
  kept_total: z.int(),
  kept: z.array(KeptItem),
  undone_at: Timestamp.nullable(),
  /** The person who asked for it. */
  undone_by_name: z.string().nullable(),
})
export type ImportUndo = z.infer<typeof ImportUndo>
export const ImportUndoAnswer = z.object({ success: z.literal(true), data: ImportUndo })
export const ImportUndoQuery = listQuery(
  ['id'],
  {
    judged: flagFilter.describe(
      'The first page, too, may be of a judgement that is up to a minute old, as further pages are. The undo itself judges anew.',
    ),
  },
  'id_asc',
)
