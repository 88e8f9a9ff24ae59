import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/**
 * Whether an import that has not begun must wait for an earlier one of the same person or partner: the later one may
 * change an item that the earlier one brings. Usually their queue keeps the order; but a job that was interrupted is
 * queued anew. Undos wait by these times, too (`undo-part.ts`). By the ids, which two imports at once may get in the
 * opposite order, an import, an undo and another import could wait for each other.
 */
export async function isAfterOwn(db: Db, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from import me join import other on (other.partner_id = me.partner_id or other.user_id = me.user_id)
      and (other.created_at, other.id) < (me.created_at, me.id) and other.state in ('waiting', 'running')
    where me.id = ${importId} and me.state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}
