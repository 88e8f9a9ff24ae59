import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../../db/connect.ts'
import { type Author, changes, recordTexts } from '../../../records/log/write.ts'
import { relationNamesAmong } from '../../stock/attributes.ts'
import { recordBatches } from '../../stock/batch-log.ts'
import { isTaken } from '../../stock/identifiers.ts'
import { shown } from '../decide/item-changes.ts'
import { itemRows, NAMES, value } from '../write/write-items.ts'
import type { Restored } from './judge.ts'

/** Gives items their earlier values back, including `updated_at`, and logs that. */
export async function writeBack(tx: Tx, items: readonly Restored[], author: Author): Promise<void> {
  if (items.length === 0) return
  const ids = items.map(({ item }) => item.id)
  const former = sql`unnest(${ids}::int[],
    ${items.map(({ updatedAt }) => updatedAt)}::timestamptz[]) as former (id, updated_at)`
  try {
    await sql`
      update stock set ${sql.raw(NAMES.map((name) => `${name} = ${value(name)}`).join(', '))}, updated_at = former.updated_at
      from ${itemRows(
        ids,
        items.map(({ wanted }) => wanted),
      )} join ${former} using (id)
      where stock.id = item.id`.execute(tx)
  } catch (error) {
    if (isTaken(error)) throw new RetryTransaction('An identifier was taken while the undo looked for it.')
    throw isReference(error) ? new RetryTransaction('A record went while the undo looked for it.') : error
  }
  const names = await relationNamesAmong(
    tx,
    items.map(({ item, wanted }) => ({ before: item, after: wanted })),
  )
  const contents = items.map(({ item, wanted }) =>
    JSON.stringify({ type: 'model_update', data: changes(shown(item, names), shown(wanted, names)) }),
  )
  await recordTexts(tx, author, 'Stock', ids, contents)
  await recordBatches(
    tx,
    author,
    items.map(({ item, wanted }) => ({ row: item, after: wanted })),
  )
}

/** Removes items that nothing refers to. Their log stays, with a last entry about the removal. */
export async function removeItems(tx: Tx, ids: readonly number[], importId: number, author: Author): Promise<void> {
  if (ids.length === 0) return
  try {
    await sql`delete from stock where id = any(${ids}::int[])`.execute(tx)
  } catch (error) {
    throw isReference(error) ? new RetryTransaction('An item was used while the undo looked at it.') : error
  }
  const removed = JSON.stringify({ type: 'message', data: { message: `Removed: import #${importId} was undone.` } })
  await recordTexts(
    tx,
    author,
    'Stock',
    ids,
    ids.map(() => removed),
  )
}

/**
 * Whether a write failed because of a reference: to a record that is gone, or from a record to one that the write
 * removes.
 */
const isReference = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23503'
