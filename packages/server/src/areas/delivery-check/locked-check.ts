import type { Selectable } from 'kysely'
import { type Db, type Tx, waitingLess } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'

export type CheckRecord = Pick<Selectable<Tables['delivery_check']>, 'id' | 'state' | 'import_id' | 'name'>

/**
 * Locks a delivery check, after items. Scans lock it `shared`: any number of people scan at once, while nobody closes
 * it. 404 where there is none.
 */
export async function lockCheck(tx: Tx, id: number, how: 'shared' | 'alone' = 'alone'): Promise<CheckRecord> {
  const query = tx.selectFrom('delivery_check').select(['id', 'state', 'import_id', 'name']).where('id', '=', id)
  const row = await waitingLess(tx, () =>
    (how === 'shared' ? query.forShare() : query.forNoKeyUpdate()).executeTakeFirst(),
  )
  return found(row, `Delivery check #${id}`)
}

export function refuseClosed({ id, state }: CheckRecord): void {
  if (state === 'closed') throw conflict(`Delivery check #${id} is closed. Open it again to go on.`)
}

/** The check of an import that goes on now. */
export function openCheckOf(db: Db, importId: number): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('delivery_check')
    .select('id')
    .where('import_id', '=', importId)
    .where('state', '=', 'open')
    .executeTakeFirst()
}
