import { someAnd } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { conflict } from '../http/refusal.ts'
import { single } from '../lists.ts'

/**
 * A table that refers to a record, the column with the reference (if there are several, any of them counts), and the
 * word for a row of the table.
 */
export type Use = readonly [table: string, column: string | readonly string[], called: string]

/**
 * Throws 409 if other records refer to a record, and says how many of each kind, and `instead`: a sentence about another
 * way, if there is one. Call it with the record locked.
 */
export async function refuseUsed(tx: Tx, what: string, id: number, uses: readonly Use[], instead = ''): Promise<void> {
  const parts: string[] = []
  for (const [table, column, called] of uses) {
    const points = [column].flat().map((name) => sql`${sql.ref(name)} = ${id}`)
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)} where ${sql.join(points, sql` or `)}`.execute(tx)
    const n = single(rows).n
    if (n > 0) parts.push(`${n} ${called}${n === 1 ? '' : 's'}`)
  }
  const used = `${what} is used by ${someAnd(parts, parts.length)} and cannot be deleted.`
  if (parts.length) throw conflict(`${used} ${instead}`.trim())
}
