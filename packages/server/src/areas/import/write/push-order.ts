import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/**
 * Whether a push that has not begun must wait for an earlier push of the same partner. A later push may take out an
 * item that the earlier one brings. Usually their queue keeps the order; but a job that was interrupted is queued anew.
 * Undos wait by these times, too (`undo-part.ts`). By the ids, which two pushes at once may get in the opposite order,
 * a push, an undo and another push could wait for each other.
 */
export async function isAfterPush(db: Db, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from import me join import other on other.partner_id = me.partner_id
      and (other.created_at, other.id) < (me.created_at, me.id) and other.state in ('waiting', 'running')
    where me.id = ${importId} and me.state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}
