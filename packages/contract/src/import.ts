import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { UNDO_STATES } from './import-undo.ts'
import { listQuery, wordsFilter } from './page.ts'

export * from './csv-columns.ts'

const IMPORT_TYPES = ['csv_import', 'api_import'] as const
/** `failed` is an import that broke off; one with failed rows is `done`. A preview that nobody has started has none. */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]
export const DELIMITERS = [',', ';'] as const

/** -1 no import, 0 waiting, 1 to 99 running, 100 all is committed or it broke off (then `errors` says why). */
export const ImportStatus = z.object({
  progress: z.int(),
  import_id: z.int().nullable(),
  file_name: z.string().nullable(),
  state: z.enum(IMPORT_STATES).nullable(),
  /** The state of its undo; null if nobody has asked for one. */
  undo: z.enum(UNDO_STATES).nullable(),
  total_rows: z.int(),
  processed_rows: z.int(),
  successed_rows: z.int(), // spelled as the callers of this API know it
  failed_rows: z.int(),
  errors: z.array(z.string()),
})
export type ImportStatus = z.infer<typeof ImportStatus>
export const ImportStatusAnswer = z.object({ success: z.literal(true), data: ImportStatus })

/**
 * One row of an import: `row` as a spreadsheet numbers it (the header is 1) or its place in a call, `id` the stock
 * item (null if the row failed, or if an undo has removed the item). `unchanged`: the item is already as the row
 * says.
 */
export const ImportDetail = z.object({
  success: z.boolean(),
  type: z.enum(['created', 'updated', 'unchanged', 'failed']),
  row: z.int(),
  /** The row of the file whose several IMEIs became rows of their own; null for any other. */
  of_row: z.int().nullable(),
  id: z.int().nullable(),
  backstock_id: z.string().nullable(),
  message: z.union([z.string(), z.record(z.string(), z.string())]),
})
export type ImportDetail = z.infer<typeof ImportDetail>

export const ImportEntry = z.object({
  id: z.int(),
  type: z.enum(IMPORT_TYPES),
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  partner_name: z.string().nullable(),
  file_name: z.string().nullable(),
  state: z.enum(IMPORT_STATES),
  /** The state of its undo; null if nobody has asked for one. */
  undo: z.enum(UNDO_STATES).nullable(),
  can_undo: z.boolean(),
  error: z.string().nullable(),
  created_at: Timestamp,
  time_ago: z.string(),
  content: z.object({
    data: z.object({
      processed_rows: z.int(),
      successed_rows: z.int(),
      failed_rows: z.int(),
      details: z.array(ImportDetail),
      details_total: z.int(),
    }),
  }),
})
export type ImportEntry = z.infer<typeof ImportEntry>

export const ImportHistoryQuery = listQuery(['id'], { type: wordsFilter(IMPORT_TYPES) })
export const ImportDetailsQuery = listQuery(['id'], {}, 'id_asc')
/** How many details a history entry carries itself; failed rows first. */
export const ENTRY_DETAILS = 250
