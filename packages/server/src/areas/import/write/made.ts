import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Made } from '../../../db/tables.ts'
import type { Author } from '../../../records/log/write.ts'

/** Adds records to the list of those that an import has made. If the author is no import, it does nothing. */
export async function recordMade(tx: Tx, { importId }: Author, made: Made): Promise<void> {
  if (importId == null || made.length === 0) return
  await sql`
    update import set made = coalesce(made, '[]') || ${JSON.stringify(made)}::jsonb where id = ${importId}`.execute(tx)
}
