import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { UNDO_STATES } from './import-undo.ts'
import { listQuery, wordsFilter } from './page.ts'

const IMPORT_TYPES = ['csv_import', 'api_import'] as const
/** `failed` is an import that broke off; one with failed rows is `done`. */
const IMPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const
export const DELIMITERS = [',', ';'] as const

const FIRST_COLUMNS = [
  'backstock_id',
  'imei',
  'serial_number',
  'status',
  'make',
  'model',
  'capacity',
  'capacity_unit',
  'colour',
  'category',
  'supplier',
  'purchase_price',
  'purchase_currency',
  'purchase_date',
  'sales_price',
  'sales_currency',
  'vat',
  'network_locked',
  'engineer_notes',
  'batch',
] as const
/** What says more of a device. They came later, and stand after all others. */
const DEVICE_COLUMNS = ['grade', 'functional', 'battery_health', 'imei2', 'meid', 'eid', 'location'] as const
/** The columns of the CSV template, in order; an import knows them, and an export has them. */
export const CSV_COLUMNS = [...FIRST_COLUMNS, ...DEVICE_COLUMNS] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]
/** What an import knows and an export has besides. */
const FURTHER_COLUMNS = ['purchase_vat', 'purchase_fx_rate'] as const

/** The item's own number, first in an export: whoever imports it again means this item. A template does not have it. */
export const ITEM_COLUMN = 'backstock_item'
export const EXPORT_COLUMNS = [ITEM_COLUMN, ...FIRST_COLUMNS, ...FURTHER_COLUMNS, ...DEVICE_COLUMNS] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

/** A column's name as it is compared: case, blanks, underscores, dots, dashes and what cannot be seen do not count. */
export const plainColumnName = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.\-‐-―\p{Cf}]/gu, '')

const byPlainName = new Map<string, ExportColumn>(EXPORT_COLUMNS.map((column) => [plainColumnName(column), column]))

/** The column that a name means, as `Purchase Price` does; none for all others. */
export const columnCalled = (name: string): ExportColumn | undefined => byPlainName.get(plainColumnName(name))

/** What the result of an import says of each row, before the row's own cells. */
export const RESULT_COLUMNS = ['row', 'result', 'id', 'message']

/** How many columns of a result the header begins with. A result may be corrected and imported as it is. */
export function resultColumns(header: readonly string[]): number {
  return RESULT_COLUMNS.every((name, n) => header[n] === name) ? RESULT_COLUMNS.length : 0
}

/** Columns of raw grading data begin with it. */
export const GRADING = 'grading_'
export const isGrading = (name: string) => name.toLowerCase().startsWith(GRADING) && name.length > GRADING.length

/** -1 no import, 0 waiting, 1 to 99 running, 100 all is committed or it broke off (then `errors` says why). */
export const ImportStatus = z.object({
  progress: z.int(),
  import_id: z.int().nullable(),
  file_name: z.string().nullable(),
  state: z.enum(IMPORT_STATES).nullable(),
  /** Of its undo; null where nobody has asked for one. */
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
 * One row of an import: `row` as a spreadsheet numbers it (the header is 1) or its place in a call, `id` the stock item
 * (null where it failed, or where an undo has removed the item). `unchanged`: the item is already as the row says.
 */
export const ImportDetail = z.object({
  success: z.boolean(),
  type: z.enum(['created', 'updated', 'unchanged', 'failed']),
  row: z.int(),
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
  /** Of its undo; null where nobody has asked for one. */
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
