import { type Selectable, sql } from 'kysely'
import { type Db, type Tx, waitingLess } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'

export type CheckRecord = Pick<Selectable<Tables['delivery_check']>, 'id' | 'state' | 'import_id' | 'name'>

/**
 * Locks a delivery check. If a transaction locks items too, it must lock them before. Scans use `shared`, so that many
 * people can scan at once while nobody can close the check. Throws 404 if there is none.
 */
export async function lockCheck(tx: Tx, id: number, how: 'shared' | 'alone' = 'alone'): Promise<CheckRecord> {
  const query = tx.selectFrom('delivery_check').select(['id', 'state', 'import_id', 'name']).where('id', '=', id)
  const row = await waitingLess(tx, () =>
    (how === 'shared' ? query.forShare() : query.forNoKeyUpdate()).executeTakeFirst(),
  )
  return found(row, `Delivery check #${id}`)
}

export function refuseClosed({ id, state }: CheckRecord): void {
  if (state === 'closed') throw conflict(`Delivery check #${id} is closed. Reopen it to go on.`)
}

/**
 * Throws 409 if an undone import has removed all expected items. Otherwise every scanned phone would count as
 * unexpected.
 */
export async function refuseEmptied(tx: Tx, { id }: CheckRecord): Promise<void> {
  const { rows } = await sql`
    select from delivery_check c where id = ${id} and exists (select from stock s where s.id = any(c.expected))`.execute(
    tx,
  )
  if (rows.length > 0) return
  throw conflict(
    `None of the items of delivery check #${id} exists any more, because its import was undone. Begin another check.`,
  )
}

/** The open check of an import, if there is one. */
export function openCheckOf(db: Db, importId: number): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('delivery_check')
    .select('id')
    .where('import_id', '=', importId)
    .where('state', '=', 'open')
    .executeTakeFirst()
}
