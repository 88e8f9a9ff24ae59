import type { Received } from '@backstock/contract/bulk-edit.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { lockItems } from '../../records/lock.ts'
import { receiveItems, SENT_BACK } from '../stock/bulk/receive.ts'
import { RECORD_COLUMNS } from '../stock/bulk/write-columns.ts'
import { lockCheck, refuseClosed } from './locked-check.ts'

/**
 * Puts in stock all scanned items that are Inbound, without those that a customer has sent back, as one bulk edit. Items
 * that somebody has sold or deleted meanwhile stay as they are, and the answer names them. Throws 404 if there is no such
 * check; 409 if it is closed, or if there is nothing to receive.
 */
export async function receiveCheck(tx: Tx, userId: number, id: number): Promise<Received> {
  const { rows: scanned } = await sql<{ id: number; result: string }>`
    select s.id, d.result from delivery_scan d join stock s on s.id = d.stock_id
    where d.check_id = ${id} and d.result in ('matched', 'received') and not ${SENT_BACK}`.execute(tx)
  const ids = scanned.map((item) => item.id)
  const stock = await lockItems(tx, ids, RECORD_COLUMNS)
  refuseClosed(await lockCheck(tx, id))
  const before = await receivedBefore(tx, id)
  const items = scanned.flatMap(({ id, result }) => {
    const row = stock.get(id)
    return row && (row.status === 'Inbound' || (result === 'matched' && !before.has(id))) ? [row] : []
  })
  return { ...(await receiveItems(tx, { userId, checkId: id }, items)), left: 0 }
}

/** The items that this check has put in stock and that no undo has taken back. */
async function receivedBefore(tx: Tx, checkId: number): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select item.id from bulk_edit b, rows from (unnest(b.items), unnest(b.given_back)) as item (id, given_back)
    where b.check_id = ${checkId} and item.id is not null and item.given_back is null`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
