import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { UNDO_STATES } from './import-undo.ts'
import { listQuery, wordsFilter } from './page.ts'

export * from './csv-columns.ts'

const IMPORT_TYPES = ['csv_import', 'api_import'] as const
/**
 * The states of an import. `failed` means that it broke off; an import with failed rows is `done`. A preview whose
 * import nobody has started has no state.
 */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]
export const DELIMITERS = [',', ';'] as const

/**
 * The state of the newest import. `progress` is -1 if there is none, 0 while it waits, 1 to 99 while it runs. 100 means
 * that it is over: all is committed, or it broke off and `errors` says why.
 */
export const ImportStatus = z.object({
  progress: z.int(),
  import_id: z.int().nullable(),
  file_name: z.string().nullable(),
  state: z.enum(IMPORT_STATES).nullable(),
  /** The state of the import's undo; null if nobody has asked for one. */
  undo: z.enum(UNDO_STATES).nullable(),
  total_rows: z.int(),
  processed_rows: z.int(),
  successed_rows: z.int(), // The misspelling is part of the interface.
  failed_rows: z.int(),
  errors: z.array(z.string()),
})
export type ImportStatus = z.infer<typeof ImportStatus>
export const ImportStatusAnswer = z.object({ success: z.literal(true), data: ImportStatus })

/**
 * The result of one row. `row` is its number in a spreadsheet (the header is 1), or its place in a partner's push. `id`
 * is the stock item; null if the row failed, or if an undo has removed the item. `unchanged` means that the item had
 * all values of the row already.
 */
export const ImportDetail = z.object({
  success: z.boolean(),
  type: z.enum(['created', 'updated', 'unchanged', 'failed']),
  row: z.int(),
  /** The row of the file from which this row was split, if it had several IMEIs; null for any other row. */
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
  /** The state of the import's undo; null if nobody has asked for one. */
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
/** The most row results that an entry of the import history contains. Failed rows come first. */
export const ENTRY_DETAILS = 250
