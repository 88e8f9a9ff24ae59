import type { KeptItem, Undone } from '@backstock/contract/bulk-edit.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import { type Tx, waitingLess } from '../../../db/connect.ts'
import { found } from '../../../http/crud.ts'
import { conflict } from '../../../http/refusal.ts'
import { getFrom } from '../../../lists.ts'
import { type Locked, lock, lockItems } from '../../../records/lock.ts'
import { recordMessage } from '../../../records/log/write.ts'
import { isReferring, REFERRED_TABLES, type Referred, referenceOf, stockColumns } from '../columns.ts'
import { twinsOf } from '../identifiers.ts'
import { lastAuthors } from './last-authors.ts'
import { reliedOnItems } from './relied-on-items.ts'
import { timesUntouched } from './untouched.ts'
import {
  type Edited,
  type ManyColumn,
  type ManyColumns,
  RECORD_COLUMNS,
  recordMany,
  type StockRecord,
  updateMany,
} from './write-columns.ts'

/** The number of days in which a bulk edit can be undone. */
export const UNDO_DAYS = 30

type Items = ReadonlyMap<number, StockRecord>
type Left = { id: number; version: string; before: Partial<ManyColumns> }

/**
 * Undoes a bulk edit. An item that somebody has changed since stays as it is, and the answer names it with the reason.
 * Throws 404 if there is no such bulk edit; 409 if it is undone already, or more than 30 days old, or if all items would
 * stay: the reasons may go, such as the lock of a batch, and then it can be undone.
 */
export async function undoBulk(tx: Tx, userId: number, bulkId: number): Promise<Undone> {
  const left = await leftBy(tx, bulkId)
  const ids = left.map(({ id }) => id)
  const stock = await lockItems(tx, ids, RECORD_COLUMNS)
  const { batches } = await lock(tx, { batches: batchesOf(left, stock) })
  const bulk = await lockBulk(tx, bulkId)

  const kept = await whyKept(tx, left, { stock, batches }, bulk.created_at)
  const edits = left.flatMap(({ id, before }): Edited[] => {
    const row = stock.get(id)
    return row && !kept.has(id) ? [{ row, after: { ...stockColumns(row), in_hand: row.in_hand, ...before } }] : []
  })
  if (edits.length === 0) {
    const reasons = Array.from(kept, ([id, reason]) => `#${id}: ${reason}`)
    throw conflict(`No item can be restored now. ${someSentences(reasons)}`)
  }
  const versions = await updateMany(tx, edits)
  const author = { userId, bulkId }
  await recordMany(tx, author, edits)
  await tx
    .updateTable('bulk_edit')
    .set({
      undone_at: sql`now()`,
      undone_by: userId,
      given_back: sql<string[]>`${left.map(({ id }) => versions.get(id) ?? null)}::timestamptz(3)[]`,
    })
    .where('id', '=', bulkId)
    .execute()
  const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`
  const stay = kept.size ? `; left as they were: ${items(kept.size)}` : ''
  await recordMessage(tx, author, 'Bulk edit', bulkId, `Undone: ${items(edits.length)} restored${stay}.`)
  return { restored: edits.length, kept: [...kept].map(([id, reason]): KeptItem => ({ id, reason })) }
}

/** The items of a bulk edit, each with the `updated_at` that the edit gave it and its earlier values. */
async function leftBy(tx: Tx, bulkId: number): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select item.id, item.version, item.before from bulk_edit b,
      rows from (unnest(b.items), unnest(b.versions), jsonb_array_elements(b.before)) as item (id, version, before)
    where b.id = ${bulkId}`.execute(tx)
  return rows
}

/** Locks a bulk edit; lock items and batches before it. */
async function lockBulk(tx: Tx, bulkId: number) {
  const row = await waitingLess(tx, () =>
    tx
      .selectFrom('bulk_edit')
      .select([
        'created_at',
        'undone_at',
        sql<boolean>`created_at < now() - ${UNDO_DAYS} * interval '1 day'`.as('is_old'),
      ])
      .where('id', '=', bulkId)
      .forNoKeyUpdate()
      .executeTakeFirst(),
  )
  const bulk = found(row, `Bulk edit #${bulkId}`)
  if (bulk.undone_at !== null) throw conflict('This has been undone already.')
  if (bulk.is_old) throw conflict(`This was done more than ${UNDO_DAYS} days ago and cannot be undone any more.`)
  return bulk
}

/** The batches that items would leave or return to. */
function batchesOf(left: readonly Left[], stock: Items): number[] {
  return left.flatMap(({ id, before }) =>
    before.batch_id === undefined ? [] : [before.batch_id, stock.get(id)?.batch_id].filter((batch) => batch != null),
  )
}

/** The reasons why items stay as they are, by item. */
async function whyKept(
  tx: Tx,
  left: readonly Left[],
  { stock, batches }: { stock: Items; batches: Locked['batches'] },
  since: string,
): Promise<Map<number, string>> {
  const kept = new Map<number, string>()
  const versions = await timesUntouched(tx, new Map(left.map(({ id, version }) => [id, version])), since)
  const touched = left.flatMap(({ id }) => {
    const row = stock.get(id)
    if (!row) kept.set(id, 'It no longer exists.')
    return row && row.updated_at !== versions.get(id) ? [row] : []
  })
  const authors = await lastAuthors(
    tx,
    touched.map(({ id }) => id),
  )
  for (const { id, status } of touched) {
    const name = authors.get(id)
    kept.set(id, `${name ? `${name} changed it` : 'It was changed'} since; it is ${status}.`)
  }
  const others = left.filter(({ id }) => !kept.has(id))
  const reliedOn = await reliedOnItems(tx, others)
  const gone = await goneRelations(tx, others)
  const coming = others.filter(({ id, before }) => before.in_hand && !getFrom(stock, id).in_hand).map(({ id }) => id)
  const twins = coming.length ? await twinsOf(tx, coming) : new Map()
  for (const { id, before } of others) {
    const reason =
      batchReason(before, getFrom(stock, id), batches) ??
      goneReason(before, gone) ??
      reliedOn.get(id) ??
      Object.values(twins.get(id) ?? {})[0]
    if (typeof reason === 'string') kept.set(id, reason)
  }
  return kept
}

function batchReason(before: Partial<ManyColumns>, row: StockRecord, batches: Locked['batches']): string | null {
  if (before.batch_id === undefined) return null
  for (const id of [row.batch_id, before.batch_id]) {
    if (id === null) continue
    const batch = batches.get(id)
    if (!batch) return `Batch #${id} no longer exists.`
    if (batch.is_locked) return `Batch #${id} is locked.`
  }
  return null
}

/** The records that items referred to before and that have been deleted since, by table. */
async function goneRelations(tx: Tx, left: readonly Left[]): Promise<Map<Referred, Set<number>>> {
  const gone = new Map<Referred, Set<number>>()
  for (const to of REFERRED_TABLES) {
    const ids = new Set(
      left.flatMap(({ before }) => referredIn(before).flatMap((one) => (one.to === to ? [one.id] : []))),
    )
    if (ids.size === 0) continue
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(to)} where id = any(${[...ids]}::int[]) for key share`.execute(tx)
    for (const { id } of rows) ids.delete(id)
    gone.set(to, ids)
  }
  return gone
}

function referredIn(before: Partial<ManyColumns>): { to: Referred; id: number }[] {
  return (Object.entries(before) as [ManyColumn, unknown][]).flatMap(([column, id]) =>
    column !== 'in_hand' && isReferring(column) && typeof id === 'number' ? [{ to: referenceOf(column).to, id }] : [],
  )
}

/** The words for records whose table has another name. */
const CALLED: Partial<Record<Referred, string>> = { vat: 'VAT type' }

function goneReason(before: Partial<ManyColumns>, gone: ReadonlyMap<Referred, ReadonlySet<number>>): string | null {
  const missing = referredIn(before).find(({ to, id }) => gone.get(to)?.has(id))
  return missing ? `Its ${CALLED[missing.to] ?? missing.to} #${missing.id} no longer exists.` : null
}
