import {
  type Change,
  type LogContent,
  LogEntry,
  type LoggableType,
  LogQuery,
  RECORD_LOGS,
} from '@backstock/contract/log.ts'
import { pageOf } from '@backstock/contract/page.ts'
import { duration, timeAgo } from '@backstock/contract/time.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { pageAnswer } from '../http/list.ts'
import { conflict } from '../http/refusal.ts'
import type { App } from '../http/typed-routes.ts'

/** Who wrote: a person, or a partner, by hand or by an import. */
export type Author = { userId?: number | null; partnerId?: number | null; importId?: number | null }

export type Entry = { type: LoggableType; id: number; content: LogContent | StoredContent; hidden?: boolean }
/** Changes also keep the raw ids of relations, which are not shown. */
type StoredContent = { type: 'model_update'; data: (Change & { from_id?: number | null; to_id?: number | null })[] }

/** Writes log entries in the caller's transaction. Entries are never edited or deleted. */
export async function record(tx: Tx, author: Author, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0) await recording(author, entries).execute(tx)
}

/**
 * The statement that writes log entries; another may go with it as `with written as (...)`, for one way to the database. Of
 * several items that one act changes, notifications tell by the entry of the sale or batch that the act writes too.
 */
export function recording(author: Author, entries: readonly Entry[]): RawBuilder<unknown> {
  const ofMany = entries.filter(({ type }) => type === 'Stock').length > 1
  return sql`
    insert into log (user_id, partner_id, import_id, of_many, loggable_type, loggable_id, is_hidden, content)
    select ${author.userId ?? null}::int, ${author.partnerId ?? null}::int, ${author.importId ?? null}::int,
      ${ofMany} and entry.type = 'Stock', entry.*
    from unnest(${entries.map((e) => e.type)}::text[], ${entries.map((e) => e.id)}::int[],
      ${entries.map((e) => e.hidden ?? false)}::boolean[], ${entries.map((e) => JSON.stringify(e.content))}::jsonb[])
      as entry (type, id, hidden, content)`
}

/** `record` for very many entries of one act and type: their contents come as JSON text, in the order of the ids. */
export async function recordTexts(
  tx: Tx,
  author: Author,
  type: LoggableType,
  ids: readonly number[],
  contents: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  // Control characters are escaped in JSON, so that one parts the texts and no quotation mark need be escaped.
  await sql`
    insert into log (user_id, partner_id, import_id, of_many, loggable_type, loggable_id, content)
    select ${author.userId ?? null}::int, ${author.partnerId ?? null}::int, ${author.importId ?? null}::int, true, ${type}::text,
      entry.id, entry.content::jsonb
    from unnest(${`{${ids.join(',')}}`}::int[], string_to_array(${contents.join('\u0001')}, chr(1))) as entry (id, content)`.execute(
    tx,
  )
}

/** A value before or after a change: a plain one, or a relation as its id and its display name. */
export type Shown = string | number | boolean | null
export type Attribute = Shown | undefined | { id: number | null; name: string | null }

const isRelation = (value: Attribute): value is { id: number | null; name: string | null } =>
  typeof value === 'object' && value !== null

/**
 * The changes between two states, attribute by attribute; attributes that are the same are left out. `before` null: the
 * record was created, empty attributes are left out.
 */
export function changes(
  before: Record<string, Attribute> | null,
  after: Record<string, Attribute>,
): StoredContent['data'] {
  const list: StoredContent['data'] = []
  for (const [attributeName, value] of Object.entries(after)) {
    const old = before?.[attributeName] ?? null
    const now = value ?? null
    const [fromId, toId] = [isRelation(old) ? old.id : old, isRelation(now) ? now.id : now]
    if (fromId === toId) continue
    list.push({
      attributeName,
      from: isRelation(old) ? old.name : old,
      to: isRelation(now) ? now.name : now,
      ...(isRelation(now) || isRelation(old) ? { from_id: fromId as number | null, to_id: toId as number | null } : {}),
    })
  }
  return list
}

/** Writes a `model_update` where anything changed. */
export async function recordChanges(
  tx: Tx,
  author: Author,
  type: LoggableType,
  id: number,
  before: Record<string, Attribute> | null,
  after: Record<string, Attribute>,
): Promise<void> {
  const data = changes(before, after)
  if (data.length) await record(tx, author, [{ type, id, content: { type: 'model_update', data } }])
}

/** Writes plain sentences. */
export function recordMessage(tx: Tx, author: Author, type: LoggableType, id: number, message: string): Promise<void> {
  return record(tx, author, [{ type, id, content: { type: 'message', data: { message } } }])
}

/** It stands in the statement itself, so that the index of those that are shown serves it whatever else is asked. */
const isShown = sql<boolean>`not is_hidden`

/** An entry's content, with a mark where the sale that it leads to is no more. */
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
}

/** Whether an entry's record is no more. */
const isDeleted = sql<boolean>`case l.loggable_type ${sql.join(
  Object.entries(TABLES).map(
    ([type, table]) =>
      sql`when ${sql.lit(type)} then not exists (select from ${table} record where record.id = l.loggable_id)`,
  ),
  sql` `,
)} end`

type Source = RawBuilder<Selectable<Tables['log']>>

const columns = (db: Db, source: Source = sql`log`) =>
  db
    .selectFrom(source.as('l'))
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

const newest = (db: Db, type: LoggableType, id: number, source?: Source) =>
  columns(db, source)
    .where('l.loggable_type', '=', type)
    .where('l.loggable_id', '=', id)
    .where(isShown)
    .orderBy('l.id', 'desc')
    .limit(sql.lit(RECORD_LOGS))

/** A record's newest logs, newest first. */
export async function logsOf(db: Db, type: LoggableType, id: number): Promise<z.infer<typeof LogEntry>[]> {
  return withTime((await newest(db, type, id).execute()) as Row[])
}

/** The same as a column of the record's own statement, to be read by `readLogs`: one way to the database for both. */
export function logsColumn(db: Db, type: LoggableType, id: number): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(entry), '[]') from (${newest(db, type, id)}) entry)`
}

/** The same in a statement whose `with logged as (...)` writes another entry, which it would not see. */
export function logsColumnWith(db: Db, logged: string, type: LoggableType, id: number): RawBuilder<unknown> {
  const written = db
    .selectFrom('log')
    .selectAll()
    .where('loggable_type', '=', type)
    .where('loggable_id', '=', id)
    .where(isShown)
    .orderBy('id', 'desc')
    .limit(sql.lit(RECORD_LOGS))
  const source: Source = sql`(select * from ${sql.table(logged)} union all (${written}))`
  return sql`(select coalesce(json_agg(entry), '[]') from (${newest(db, type, id, source)}) entry)`
}

export function readLogs(column: unknown): z.infer<typeof LogEntry>[] {
  const rows = column as Row[]
  return withTime(rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() })))
}

/**
 * A user's newest entries without mail bodies, without those of imports and of items among many: the notifications. Asked as of several users, in
 * an order that only their own index has: by the ids alone PostgreSQL might walk past all that others' imports have written.
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

/** Whether a record has changed since a caller loaded it. */
export const isStale = (row: { updated_at: string }, sent: string | undefined) =>
  sent !== undefined && Date.parse(sent) < Date.parse(row.updated_at)

/**
 * Refuses an edit that was loaded before the record's last change: 409 that says who changed it and when. Call it on the
 * locked row. `sent` is the `updated_at` that the caller had; without one every edit is taken. The record's log tells who it
 * was, by the entry nearest to the change: some entries (items that joined a batch) go without one. Else `updated_by` does.
 */
export async function refuseStale(
  tx: Tx,
  row: { updated_at: string; updated_by?: number | null },
  sent: string | undefined,
  logged?: { type: LoggableType; id: number },
): Promise<void> {
  if (!isStale(row, sent)) return
  const changedAt = Date.parse(row.updated_at)
  const distance = (entry: { created_at: string }) => Math.abs(Date.parse(entry.created_at) - changedAt)
  const name = logged
    ? (await logsOf(tx, logged.type, logged.id)).toSorted((a, b) => distance(a) - distance(b))[0]?.user_name
    : (
        await tx
          .selectFrom('app_user')
          .select('name')
          .where('id', '=', row.updated_by ?? 0)
          .executeTakeFirst()
      )?.name
  throw conflict(`Changed by ${name ?? 'someone else'} ${duration(Date.now() - changedAt)} ago`)
}

/** `GET log/find`: the logs of one record, page by page. */
export function logRoutes(app: App, db: Database): void {
  const answer = pageOf(LogEntry)
  app.get('/api/log/find', { schema: { querystring: LogQuery, response: { 200: answer } } }, async (request) => {
    const query = request.query
    const matching = columns(db.read)
      .where(isShown)
      .$if(query.id !== undefined, (q) => q.where('l.id', '=', query.id!))
      .$if(query.ids !== undefined, (q) => q.where(sql<boolean>`l.id = any(${query.ids}::int[])`))
      .$if(query.loggable_type !== undefined, (q) => q.where('l.loggable_type', 'in', query.loggable_type!))
      .$if(query.loggable_id !== undefined, (q) => q.where('l.loggable_id', 'in', query.loggable_id!))
    const [rows, count] = await Promise.all([
      matching
        .orderBy('l.id', query.order.direction)
        .limit(query.per_page)
        .offset((query.page - 1) * query.per_page)
        .execute(),
      matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
    ])
    return pageAnswer(request, query, { rows: withTime(rows as Row[]), total: count.total })
  })
}
