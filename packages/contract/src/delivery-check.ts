import { z } from 'zod'
import { BulkEdit } from './bulk-edit.ts'
import { CHECK_LISTS, CHECK_STATES, SCAN_RESULTS } from './delivery-lists.ts'
import { Id, optionalText, Timestamp } from './fields.ts'
import { LogEntry } from './log.ts'
import { idsFilter, listQuery, wantedIds, wordsFilter } from './page.ts'
import { PastedLines } from './stock.ts'
import { STOCK_STATUSES } from './stock-status.ts'

/** A row of the list of delivery checks. */
export const DeliveryCheckRow = z.object({
  id: z.int(),
  name: z.string(),
  state: z.enum(CHECK_STATES),
  import_id: z.int().nullable(),
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  expected_count: z.int(),
  /** How many of the expected items have been scanned. */
  scanned_count: z.int(),
  created_by_name: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Timestamp.nullable(),
})
export type DeliveryCheckRow = z.infer<typeof DeliveryCheckRow>

/**
 * The length of each list of a check. `receivable` counts the scanned items that are Inbound now. Deleted items do not
 * count.
 */
export const DeliveryCounts = z.object({
  expected: z.int(),
  matched: z.int(),
  missing: z.int(),
  unexpected: z.int(),
  twice: z.int(),
  received: z.int(),
  receivable: z.int(),
})
export type DeliveryCounts = z.infer<typeof DeliveryCounts>

/** The fields of the item that a code means. */
const CheckedItem = z.object({
  id: z.int(),
  status: z.enum(STOCK_STATUSES),
  product_display_name: z.string(),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  grade_name: z.string().nullable(),
})
export type CheckedItem = z.infer<typeof CheckedItem>

/**
 * A row of one list of a check: an expected item that nobody has scanned, or a code that was scanned `n` times. `id` is
 * unique within its list.
 */
export const DeliveryLine = z.object({
  id: z.int(),
  code: z.string().nullable(),
  result: z.enum(SCAN_RESULTS).nullable(),
  n: z.int(),
  user_name: z.string().nullable(),
  at: Timestamp.nullable(),
  item: CheckedItem.nullable(),
})
export type DeliveryLine = z.infer<typeof DeliveryLine>

export const DeliveryCheck = DeliveryCheckRow.extend({
  counts: DeliveryCounts,
  /** The bulk edits that put items of this check in stock and can be undone, newest first. */
  undoable: z.array(BulkEdit),
  logs: z.array(LogEntry),
})
export type DeliveryCheck = z.infer<typeof DeliveryCheck>

export const DeliveryCheckQuery = listQuery(['id', 'created_at'], {
  state: wordsFilter(CHECK_STATES),
  import_id: idsFilter,
  supplier_id: idsFilter,
})
export type DeliveryCheckQuery = z.infer<typeof DeliveryCheckQuery>

/** The query for one page of one of a delivery check's lists. `show` names the list. */
export const DeliveryLinesQuery = listQuery(['id'], {
  show: z.preprocess((value) => value || undefined, z.enum(CHECK_LISTS).default('matched')),
})
export const DeliveryCheckAnswer = z.object({
  success: z.literal(true),
  data: DeliveryCheck.extend({
    lines: z.object({ rows: z.array(DeliveryLine), total: z.int(), page: z.int(), last_page: z.int() }),
  }),
})
export type DeliveryCheckAnswer = z.infer<typeof DeliveryCheckAnswer>

/** A filter of Inbound items. The check expects all items that match it. */
const DeliveryFilter = z.object({
  search: optionalText().optional(),
  supplier_id: idsFilter,
  product_id: idsFilter,
  ids: wantedIds,
})

/** The items that the check expects: the Inbound items of an import that has ended, or those that match a filter. */
export const DeliveryCheckInput = z
  .object({
    import_id: Id.optional(),
    filter: DeliveryFilter.optional(),
    name: optionalText().optional(),
  })
  .refine(({ import_id, filter }) => (import_id === undefined) !== (filter === undefined), {
    path: ['import_id'],
    message: 'Either an import or a filter is needed.',
  })
export type DeliveryCheckInput = z.output<typeof DeliveryCheckInput>

/** Up to 5,000 codes as a person scanned, typed or pasted them. Empty codes do not count. */
export const ScanInput = z.object({ codes: PastedLines })

/**
 * The meaning of one code. The list has the order of the codes. `n` is how often the code has been scanned, this time
 * included.
 */
export const ScannedLine = z.object({
  code: z.string(),
  result: z.enum(SCAN_RESULTS),
  n: z.int(),
  message: z.string(),
  item: CheckedItem.nullable(),
})
export type ScannedLine = z.infer<typeof ScannedLine>

export const Scanned = z.object({ lines: z.array(ScannedLine), counts: DeliveryCounts })
export type Scanned = z.infer<typeof Scanned>
