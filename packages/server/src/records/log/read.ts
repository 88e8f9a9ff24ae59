import {
  type LogContent,
  type LogEntry,
  type LoggableType,
  type LogQuery,
  RECORD_LOGS,
} from '@backstock/contract/log.ts'
import { timeAgo } from '@backstock/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../db/connect.ts'
import type { Found } from '../../db/page.ts'

/**
 * The condition is part of the statement's text, so that the index of shown entries can be used with any other filter.
 */
const isShown = sql<boolean>`not is_hidden`

/** The content of an entry. If the entry leads to a deleted sale, it says so. */
const content = sql<LogContent>`case when l.content ->> 'type' = 'item_sold'
  and not exists (select from sale where sale.id = (l.content -> 'data' ->> 'sale_id')::int)
  then jsonb_set(l.content, '{data,is_deleted}', 'true') else l.content end`

const TABLES: Record<LoggableType, RawBuilder<unknown>> = {
  Stock: sql`stock`,
  Batch: sql`batch`,
  Sale: sql`sale`,
  Customer: sql`customer`,
  User: sql`(select id from app_user where deleted_at is null)`,
  Supplier: sql`supplier`,
  Product: sql`product`,
  'Supplier claim': sql`supplier_claim`,
  Return: sql`customer_return`,
  'Bulk edit': sql`bulk_edit`,
  'Delivery check': sql`delivery_check`,
}

/** Whether the record of an entry is gone. */
const isDeleted = sql<boolean>`case l.loggable_type ${sql.join(
  Object.entries(TABLES).map(
    ([type, table]) =>
      sql`when ${sql.lit(type)} then not exists (select from ${table} record where record.id = l.loggable_id)`,
  ),
  sql` `,
)} end`

const columns = (db: Db) =>
  db
    .selectFrom('log as l')
    .leftJoin('app_user as u', 'u.id', 'l.user_id')
    .leftJoin('partner as p', 'p.id', 'l.partner_id')
    .select([
      'l.id',
      'l.user_id',
      'l.loggable_id',
      'l.loggable_type',
      content.as('content'),
      'l.at as created_at',
      'l.is_hidden',
      sql<string | null>`coalesce(u.name, p.name)`.as('user_name'),
    ])

type Row = Omit<z.infer<typeof LogEntry>, 'time_ago'>
const withTime = (rows: Row[]): z.infer<typeof LogEntry>[] => {
  const now = Date.now()
  return rows.map((row) => ({ ...row, time_ago: timeAgo(row.created_at, now) }))
}

const newest = (db: Db, type: LoggableType, id: number) =>
  columns(db)
    .where('l.loggable_type', '=', type)
    .where('l.loggable_id', '=', id)
    .where(isShown)
    .orderBy('l.id', 'desc')
    .limit(sql.lit(RECORD_LOGS))

/** The newest log entries of a record, newest first. */
export async function logsOf(db: Db, type: LoggableType, id: number): Promise<z.infer<typeof LogEntry>[]> {
  return withTime((await newest(db, type, id).execute()) as Row[])
}

/**
 * The newest log entries of a record as a column of the record's own query, for `readLogs`. So the database is asked
 * once for both.
 */
export function logsColumn(db: Db, type: LoggableType, id: number): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(entry), '[]') from (${newest(db, type, id)}) entry)`
}

export function readLogs(column: unknown): z.infer<typeof LogEntry>[] {
  const rows = column as Row[]
  return withTime(rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() })))
}

/**
 * The notifications of a user: the user's newest entries, without the texts of mails, the entries of imports, and those
 * about items of a bulk edit. The condition `= any` and the order by user make PostgreSQL use the index of users. With
 * a plain `=`, it might go through the entries by id, and read all those that other people's imports have written.
 */
export async function recentLogs(db: Db, userId: number): Promise<z.infer<typeof LogEntry>[]> {
  const rows = await columns(db)
    .select(isDeleted.as('is_deleted'))
    .where(sql<boolean>`l.user_id = any(${[userId]}::int[])`)
    .where('l.import_id', 'is', null)
    .where(sql<boolean>`not l.of_many`)
    .where(isShown)
    .orderBy('l.user_id', 'desc')
    .orderBy('l.id', 'desc')
    .limit(RECORD_LOGS)
    .execute()
  return withTime(rows as Row[]).map((entry) =>
    entry.content.type === 'email_sent'
      ? { ...entry, content: { type: 'email_sent', data: { message: entry.content.data.message } } }
      : entry,
  )
}

/** One page of the entries that match a query. */
export async function findLogs(db: Db, query: z.output<typeof LogQuery>): Promise<Found<z.infer<typeof LogEntry>>> {
  const { id, loggable_type, loggable_id } = query
  const matching = columns(db)
    .where(isShown)
    .$call((q) => (id === undefined ? q : q.where('l.id', '=', id)))
    .$if(query.ids !== undefined, (q) => q.where(sql<boolean>`l.id = any(${query.ids}::int[])`))
    .$call((q) => (loggable_type === undefined ? q : q.where('l.loggable_type', 'in', loggable_type)))
    .$call((q) => (loggable_id === undefined ? q : q.where('l.loggable_id', 'in', loggable_id)))
  const [rows, count] = await Promise.all([
    matching
      .orderBy('l.id', query.order.direction)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
    matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows: withTime(rows as Row[]), total: count.total }
}
