import type { Change, LogContent, LoggableType } from '@backstock/contract/log.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/** The author of an entry: a person or a partner, and the import or the bulk edit by which the change was made. */
export type Author = {
  userId?: number | null
  partnerId?: number | null
  importId?: number | null
  bulkId?: number | null
}

export type Entry = {
  type: LoggableType
  id: number
  content: LogContent | StoredContent
  hidden?: boolean
  /** Whether the entry is about one of several lines, so that another entry makes the notification. */
  ofMany?: boolean
}
/** The stored form of an entry's changes. It also has the ids of referred records, which are not shown. */
type StoredContent = { type: 'model_update'; data: (Change & { from_id?: number | null; to_id?: number | null })[] }

/** Writes log entries in the caller's transaction. Nobody edits or deletes an entry. */
export async function record(tx: Tx, author: Author, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0) await recording(author, entries).execute(tx)
}

/**
 * The statement that writes log entries. Another statement can include it as `with written as (...)`, so that the
 * database is asked once for both. If one request changes several items, their entries make no notifications, but the
 * entry of the sale or batch does.
 */
export function recording(author: Author, entries: readonly Entry[]): RawBuilder<unknown> {
  const isOfItems = entries.filter(({ type }) => type === 'Stock').length > 1
  return sql`
    insert into log (user_id, partner_id, import_id, bulk_id, of_many, loggable_type, loggable_id, is_hidden, content)
    select ${author.userId ?? null}::int, ${author.partnerId ?? null}::int, ${author.importId ?? null}::int,
      ${author.bulkId ?? null}::int, entry.*
    from unnest(${entries.map((e) => e.ofMany ?? (isOfItems && e.type === 'Stock'))}::boolean[],
      ${entries.map((e) => e.type)}::text[], ${entries.map((e) => e.id)}::int[],
      ${entries.map((e) => e.hidden ?? false)}::boolean[], ${textsOf(entries.map((e) => JSON.stringify(e.content)))}::jsonb[])
      as entry (of_many, type, id, hidden, content)`
}

/** Writes very many entries of one bulk edit and one type. The contents are JSON text, in the order of the ids. */
export async function recordTexts(
  tx: Tx,
  author: Author,
  type: LoggableType,
  ids: readonly number[],
  contents: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into log (user_id, partner_id, import_id, bulk_id, of_many, loggable_type, loggable_id, content)
    select ${author.userId ?? null}::int, ${author.partnerId ?? null}::int, ${author.importId ?? null}::int,
      ${author.bulkId ?? null}::int, true,
      ${type}::text, entry.id, entry.content::jsonb
    from unnest(${`{${ids.join(',')}}`}::int[], ${textsOf(contents)}) as entry (id, content)`.execute(tx)
}

/**
 * SQL for an array of JSON texts. JSON escapes control characters, so one of them can separate the texts, and no
 * quotation mark has to be escaped again.
 */
const textsOf = (texts: readonly string[]) => sql`string_to_array(${texts.join('\u0001')}, chr(1))`

/** A value before or after a change: a plain value, or a record with its id and display name. */
export type Shown = string | number | boolean | null
export type Attribute = Shown | undefined | { id: number | null; name: string | null }

const isRelation = (value: Attribute): value is { id: number | null; name: string | null } =>
  typeof value === 'object' && value !== null

/**
 * The changes between two states of a record, by attribute; equal attributes are left out. If `before` is null, the
 * record was created, and empty attributes are left out.
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

/** Writes a `model_update` entry if anything has changed. */
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

/** Writes an entry with a plain sentence. */
export function recordMessage(tx: Tx, author: Author, type: LoggableType, id: number, message: string): Promise<void> {
  return record(tx, author, [{ type, id, content: { type: 'message', data: { message } } }])
}
