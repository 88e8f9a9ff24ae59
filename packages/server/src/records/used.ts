import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { conflict } from '../http/refusal.ts'
import { single } from '../lists.ts'

/** A table, its column that points at the record (of several columns any one counts), and the name of one such row. */
export type Use = readonly [table: string, column: string | readonly string[], called: string]

/** Refuses to delete a record that others use: 409 that says how many of each. Call it on the locked row. */
export async function refuseUsed(tx: Tx, what: string, id: number, uses: readonly Use[]): Promise<void> {
  const parts: string[] = []
  for (const [table, column, called] of uses) {
    const points = [column].flat().map((name) => sql`${sql.ref(name)} = ${id}`)
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)} where ${sql.join(points, sql` or `)}`.execute(tx)
    const n = single(rows).n
    if (n > 0) parts.push(`${n} ${called}${n === 1 ? '' : 's'}`)
  }
  if (parts.length) throw conflict(`${what} is used by ${parts.join(' and ')} and cannot be deleted.`)
}
