import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Result } from './apply-rows.ts'

/**
 * Stores the facts that the undo of one part of an import needs. Call it after the part's history is written, in the
 * same transaction.
 */
export async function recordForUndo(tx: Tx, importId: number, part: number, results: readonly Result[]): Promise<void> {
  const before = results.flatMap((result) => (result.action === 'updated' ? [[result.stockId, result.before]] : []))
  await sql`
    update import_part p set was = ${before.length ? JSON.stringify(Object.fromEntries(before)) : null}::jsonb,
      versions = array(
        select s.updated_at from unnest(p.stock_ids, p.actions) with ordinality as r (id, action, n)
        left join stock s on s.id = r.id and r.action in ('created', 'updated') order by r.n)
    where import_id = ${importId} and part = ${part}`.execute(tx)
}
