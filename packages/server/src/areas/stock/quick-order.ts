import { compactIdentifier, imeiKey } from '@backstock/contract/imei.ts'
import type { QuickOrderAnswer } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { stockRows } from './queries.ts'

type Line = { n: number; imei: string | null; typed: string; compact: string }
type Match = { n: number; stock_id: number }

/**
 * The items that pasted lines mean, in the order of the lines. A line is one IMEI (in any of its forms), serial number or
 * Backstock ID; one that means two items gets both. Items that have left count only where none in hand matches, Deleted
 * ones only where nothing else does. A line that leads to items which another line has brought already is a duplicate.
 */
export async function quickOrder(db: Db, given: readonly string[]): Promise<QuickOrderAnswer> {
  const lines = given.map(readLine).filter((line) => line.compact !== '')
  const inHand = await matchesInHand(db, lines)
  const found = new Set(inHand.map((match) => match.n))
  const missed = lines.filter((line) => !found.has(line.n))
  const gone = missed.length ? await matchesGone(db, missed) : []
  const byLine = Map.groupBy([...inHand, ...gone], (match) => match.n)
  const ids = [...byLine.values()].flat().map((match) => match.stock_id)
  const rows = new Map((await stockRows(db, [...new Set(ids)])).map((row) => [row.id, row]))

  const answer: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  for (const { n, typed: line } of lines) {
    const matches = byLine.get(n) ?? []
    const fresh = matches.flatMap(({ stock_id }) => rows.get(stock_id) ?? [])
    for (const row of fresh) {
      const sellable = isSellable(row.status)
      answer.data.push({ ...row, line, sellable, reason: sellable ? null : NOT_SELLABLE })
      rows.delete(row.id)
    }
    if (matches.length === 0) answer.not_found.push(line)
    else if (fresh.length === 0) answer.duplicates.push(line)
  }
  return answer
}

function readLine(given: string, n: number): Line {
  const typed = given.replaceAll('\0', '').trim()
  const compact = compactIdentifier(typed)
  return { n, imei: /^\d{14,16}$/.test(compact) ? imeiKey(compact) : null, typed, compact }
}

const columns = (lines: readonly Line[]) => sql`unnest(${lines.map((line) => line.n)}::int[],
  ${lines.map((line) => line.imei)}::text[], ${lines.map((line) => line.typed)}::text[],
  ${lines.map((line) => line.compact)}::text[]) as w (n, imei, typed, compact)`

async function matchesInHand(db: Db, lines: readonly Line[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select w.n, i.stock_id from ${columns(lines)} cross join lateral (
      select stock_id, kind from stock_identifier where in_hand and kind = 'i' and left(value, 14) = w.imei
      union all
      select stock_id, kind from stock_identifier
        where in_hand and kind <> 'i' and kind in ('s', 'b') and upper(value) in (upper(w.typed), upper(w.compact))) i
    group by w.n, i.stock_id
    order by w.n, min(array_position('{i,s,b}', i.kind)), i.stock_id desc`.execute(db)
  return rows
}

/** The newest first. Plain joins, so that many lines are one pass even where no index helps. */
async function matchesGone(db: Db, lines: readonly Line[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    with w as materialized (
      select * from ${columns(lines)}),
    gone as (
      select w.n, i.stock_id from w join stock_identifier i on left(i.value, 14) = w.imei
        where not i.in_hand and i.kind = 'i'
      union
      select w.n, i.stock_id from w join stock_identifier i on upper(i.value) = upper(w.typed)
        where not i.in_hand and i.kind in ('s', 'b') and i.kind <> 'i'
      union
      select w.n, i.stock_id from w join stock_identifier i on upper(i.value) = upper(w.compact)
        where not i.in_hand and i.kind in ('s', 'b') and i.kind <> 'i'),
    ranked as (
      select n, stock_id, s.status <> 'Deleted' as kept, bool_or(s.status <> 'Deleted') over (partition by n) as any_kept
      from gone join stock s on s.id = stock_id)
    select n, stock_id from ranked where kept or not any_kept order by n, stock_id desc`.execute(db)
  return rows
}
