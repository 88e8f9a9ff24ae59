import type { AccountingQuery } from '@backstock/contract/accounting.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'

/** A first and a last day as yyyy-mm-dd, both included. */
export type Period = { from: string; to: string }

/** The period that a request asks for. If it asks for none, the last whole month by the company's clock. */
export async function periodOf(db: Db, { from, to }: AccountingQuery): Promise<Period> {
  if (from !== undefined && to !== undefined) return { from, to }
  const { rows } = await sql<Period>`
    select (first - interval '1 month')::date as "from", first - 1 as "to"
    from (select date_trunc('month', now() at time zone time_zone)::date as first from company) today`.execute(db)
  return single(rows)
}

/** The condition that a document `d` was issued in a period. */
export const issuedIn = ({ from, to }: Period) => sql<boolean>`d.issued_on between ${from}::date and ${to}::date`

/** The name of a period in file names: `2026-10` for a whole month, else both days. */
export function periodName({ from, to }: Period): string {
  const lastDay = new Date(Date.UTC(Number(to.slice(0, 4)), Number(to.slice(5, 7)), 0)).getUTCDate()
  const isMonth = from.slice(0, 7) === to.slice(0, 7) && from.endsWith('-01') && Number(to.slice(8)) === lastDay
  return isMonth ? from.slice(0, 7) : `${from}-to-${to}`
}
