import { DASHBOARD_ROWS, type NewestImport } from '@backstock/contract/dashboard.ts'
import { IMPORT_STATES, type ImportState } from '@backstock/contract/import.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** The newest imports of all people, each with the number of its failed rows. */
export async function newestImports(db: Db): Promise<NewestImport[]> {
  return db
    .selectFrom('import as i')
    .leftJoin('app_user as u', 'u.id', 'i.user_id')
    .leftJoin('partner as p', 'p.id', 'i.partner_id')
    .select(['i.id', 'i.type', 'i.user_id', 'u.name as user_name', 'p.name as partner_name', 'i.file_name', 'i.state'])
    .select(['i.undo', 'i.error', 'i.created_at', 'i.failed as failed_rows'])
    .select(sql<number>`i.succeeded + i.failed`.as('processed_rows'))
    .where('i.state', 'in', IMPORT_STATES)
    .$narrowType<{ state: ImportState }>()
    .orderBy('i.id', 'desc')
    .limit(DASHBOARD_ROWS)
    .execute()
}
