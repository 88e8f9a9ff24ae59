import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { KeptItem, Received } from '@backstock/contract/bulk-edit.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import { done, warned } from '../../../http/answer.ts'
import { found } from '../../../http/crud.ts'
import { conflict } from '../../../http/refusal.ts'
import { single } from '../../../lists.ts'
import { lockItems } from '../../../records/lock.ts'
import { stockColumns } from '../columns.ts'
import { RECORD_COLUMNS, type StockRecord } from './write-columns.ts'
import { writeMany } from './write-many.ts'

/**
 * Puts in stock those of these locked items that are Inbound, as one bulk edit that can be undone. The answer names the
 * others. Throws 409 if no item is Inbound.
 */
export async function receiveItems(
  tx: Tx,
  act: { userId: number; importId?: number | null; checkId?: number | null },
  items: readonly StockRecord[],
): Promise<Omit<Received, 'left'>> {
  const inbound = items.filter(({ status }) => status === 'Inbound')
  const kept = items.flatMap(({ id, status }): KeptItem[] =>
    status === 'Inbound' ? [] : [{ id, reason: `It is ${status} already.` }],
  )
  if (inbound.length === 0) throw conflict('There is nothing to receive: none of these items is Inbound.')
  const edits = inbound.map((row) => ({
    row,
    after: { ...stockColumns(row), status: 'In Stock' as const, in_hand: row.in_hand },
  }))
  const message = receivedMessage(edits.length)
  const bulk_id = await writeMany(tx, { ...act, kind: 'receive', changes: { status: 'In Stock' }, message }, edits)
  return { bulk_id, received: edits.length, kept }
}

const countOf = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`
const receivedMessage = (n: number) => `Received ${countOf(n)}.`

/** The answer to a receipt: a warning if items that were to be received are left as they are. */
export function receivedAnswer(data: Received): WriteAnswer<Received> {
  const { received, kept, left } = data
  const more = left ? ` ${countOf(left)} left to receive: press again.` : ''
  if (kept.length === 0) return done(receivedMessage(received) + more, data)
  const stay = `Left as ${kept.length === 1 ? 'it is' : 'they are'}: ${countOf(kept.length)}.`
  return warned(`${receivedMessage(received)}${more} ${stay}`, data)
}

/**
 * The condition that a customer has sent the item `s` back. It has come once and is no part of its delivery any more: if
 * it is Inbound, it is to be tested.
 */
export const SENT_BACK = sql<boolean>`
  exists (select from customer_return_item r where r.stock_id = s.id and r.received_at is not null)`

/**
 * SQL for the Inbound items that an import has made, each once, without those that a customer has sent back. Items that
 * it only changed, as a price list does, came with another delivery. An import that is undone, or is being undone,
 * counts as having made none.
 */
const receivableOf = (importId: number): RawBuilder<unknown> => sql`
  select distinct s.id from import i join import_part p on p.import_id = i.id,
    unnest(p.stock_ids, p.actions) made (id, action) join stock s on s.id = made.id
  where i.id = ${importId} and (i.undo is null or i.undo = 'failed') and made.action = 'created' and s.status = 'Inbound'
    and not ${SENT_BACK}`

/** The ids of the Inbound items that came with an import and are still to be received. */
export async function inboundOfImport(db: Db, importId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${receivableOf(importId)} order by s.id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function countReceivable(db: Db, importId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${receivableOf(importId)}) i`.execute(db)
  return single(rows).n
}

/**
 * Puts in stock the Inbound items that an import has made, at most 10,000 at once. Throws 404 if there is no such
 * import; 409 if it has not ended, was undone, or has made no item that is Inbound.
 */
export async function receiveImport(tx: Tx, userId: number, importId: number): Promise<Received> {
  await endedImport(tx, importId)
  const { rows: all } = await sql<{ id: number }>`${receivableOf(importId)} order by s.id`.execute(tx)
  const ids = all.slice(0, MAX_MANY).map(({ id }) => id)
  const stock = await lockItems(tx, ids, RECORD_COLUMNS)
  const received = await receiveItems(tx, { userId, importId }, [...stock.values()])
  return { ...received, left: all.length - ids.length }
}

/** The file name of an import. Throws 404 if there is no such import; 409 if it has not ended or is being undone. */
export async function endedImport(db: Db, id: number): Promise<{ file_name: string | null }> {
  const row = await db
    .selectFrom('import')
    .select(['state', 'undo', 'file_name'])
    .where('id', '=', id)
    .executeTakeFirst()
  const { state, undo, file_name } = found(row, `Import #${id}`)
  if (state !== 'done' && state !== 'failed') throw conflict(`Import #${id} has not ended.`)
  if (undo === 'waiting' || undo === 'undoing') throw conflict(`Import #${id} is being undone.`)
  return { file_name }
}
