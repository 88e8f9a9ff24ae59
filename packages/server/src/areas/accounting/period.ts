import type { AccountingQuery } from '@backstock/contract/accounting.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'

/** Days as `yyyy-mm-dd`, both counted. */
export type Period = { from: string; to: string }

/** The requested period; without one, the month before today's in the company's time zone. */
export async function periodOf(db: Db, { from, to }: AccountingQuery): Promise<Period> {
  if (from !== undefined && to !== undefined) return { from, to }
  const { rows } = await sql<Period>`
    select (first - interval '1 month')::date as "from", first - 1 as "to"
    from (select date_trunc('month', now() at time zone time_zone)::date as first from company) today`.execute(db)
  return single(rows)
}

/** Whether a document was issued in a period. */
export const issuedIn = ({ from, to }: Period) => sql<boolean>`d.issued_on between ${from}::date and ${to}::date`

/** The period in names of files: `2026-10` for a whole month, else both days. */
export function periodName({ from, to }: Period): string {
  const lastDay = new Date(Date.UTC(Number(to.slice(0, 4)), Number(to.slice(5, 7)), 0)).getUTCDate()
  const isMonth = from.slice(0, 7) === to.slice(0, 7) && from.endsWith('-01') && Number(to.slice(8)) === lastDay
  return isMonth ? from.slice(0, 7) : `${from}-to-${to}`
}
