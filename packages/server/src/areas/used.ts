import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { conflict } from '../http/refusal.ts'

/**
 * Refuses to delete a record that others use: 409 that says how many of each. `uses` lists table, column and what one
 * such record is called.
 */
export async function refuseUsed(
  tx: Tx,
  what: string,
  id: number,
  uses: readonly (readonly [table: string, column: string, called: string])[],
): Promise<void> {
  const parts: string[] = []
  for (const [table, column, called] of uses) {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(tx)
    const n = rows[0]!.n
    if (n > 0) parts.push(`${n} ${called}${n === 1 ? '' : 's'}`)
  }
  if (parts.length) throw conflict(`${what} is used by ${parts.join(' and ')} and cannot be deleted.`)
}
