import { z } from 'zod'
import { Timestamp } from './fields.ts'
import { idsFilter, listQuery, wordsFilter } from './page.ts'

const LOGGABLE_TYPES = [
  'Stock',
  'Batch',
  'Sale',
  'Customer',
  'User',
  'Supplier',
  'Product',
  'Supplier claim',
  'Return',
  'Bulk edit',
  'Delivery check',
] as const
export type LoggableType = (typeof LOGGABLE_TYPES)[number]

const LoggedValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
/** A change of one field. A record that it refers to is given by its display name. */
export const Change = z.object({ attributeName: z.string(), from: LoggedValue, to: LoggedValue })
export type Change = z.infer<typeof Change>

export const LogContent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('item_sold'),
    /** `is_deleted` is true if the sale is gone. */
    data: z.object({ sale_id: z.int(), is_deleted: z.boolean().optional() }),
  }),
  z.object({ type: z.literal('model_update'), data: z.array(Change) }),
  z.object({
    type: z.literal('email_sent'),
    data: z.object({ message: z.string(), email_body: z.string().optional() }),
  }),
  z.object({
    type: z.literal('message'),
    /**
     * `mail` marks news about an email: `failed` means that it failed for good, `unclear` that nobody knows whether it
     * went out. `downloaded_id` is the document that this download made final.
     */
    data: z.object({
      message: z.string(),
      mail: z.enum(['failed', 'unclear']).optional(),
      downloaded_id: z.int().optional(),
    }),
  }),
])
export type LogContent = z.infer<typeof LogContent>

export const LogEntry = z.object({
  id: z.int(),
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  loggable_id: z.int(),
  loggable_type: z.enum(LOGGABLE_TYPES),
  content: LogContent,
  created_at: Timestamp,
  time_ago: z.string(),
  is_hidden: z.boolean(),
  /** Whether the record of the entry is gone. Only notifications have this field. */
  is_deleted: z.boolean().optional(),
})
export type LogEntry = z.infer<typeof LogEntry>

export const LogQuery = listQuery(['id'], {
  loggable_type: wordsFilter(LOGGABLE_TYPES),
  loggable_id: idsFilter,
})

/** An answer about one record has at most this many of its log entries, the newest ones. */
export const RECORD_LOGS = 20
