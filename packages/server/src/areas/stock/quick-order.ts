import { compactIdentifier, imeiKey } from '@backstock/contract/imei.ts'
import type { QuickOrderAnswer, StockRow } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { matchingRows, stockRows } from './queries.ts'

type Line = { n: number; imei: string | null; typed: string; compact: string }
type Match = StockRow & { n: number }

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

  const answer: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  const brought = new Set<number>()
  for (const { n, typed: line } of lines) {
    const matches = byLine.get(n) ?? []
    let isFresh = false
    for (const row of matches) {
      if (brought.has(row.id)) continue
      brought.add(row.id)
      isFresh = true
      const sellable = isSellable(row.status)
      answer.data.push(Object.assign(row, { line, sellable, reason: sellable ? null : NOT_SELLABLE }))
    }
    if (matches.length === 0) answer.not_found.push(line)
    else if (!isFresh) answer.duplicates.push(line)
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

/** An IMEI, and a serial number and a Backstock ID, as typed and without spaces. The limit tells PostgreSQL, which expects thousands. */
const MOST_MATCHES = sql.lit(5)

/** By IMEI, then by serial number, then by Backstock ID, the newest first. What was typed is another text but rarely. */
async function matchesInHand(db: Db, lines: readonly Line[]): Promise<Match[]> {
  const rows = await matchingRows(
    db,
    sql`select w.n, i.stock_id as id, i.kind from ${columns(lines)} cross join lateral (
      select stock_id, kind from stock_identifier where in_hand and kind = 'i' and left(value, 14) = w.imei
      union all
      select stock_id, kind from stock_identifier
        where in_hand and kind <> 'i' and kind in ('s', 'b') and upper(value) = upper(w.compact)
      union all
      select stock_id, kind from stock_identifier
        where in_hand and kind <> 'i' and kind in ('s', 'b') and upper(value) = upper(nullif(w.typed, w.compact))
      limit ${MOST_MATCHES}) i`,
  )
  const rank = (kind: string) => 'isb'.indexOf(kind)
  return rows.sort((a, b) => a.n - b.n || rank(a.kind) - rank(b.kind) || b.id - a.id)
}

/** The newest first. Plain joins, so that many lines are one pass even where no index helps. */
async function matchesGone(db: Db, lines: readonly Line[]): Promise<Match[]> {
  const { rows: matches } = await sql<{ n: number; id: number }>`
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
    select n, stock_id as id from ranked where kept or not any_kept order by n, stock_id desc`.execute(db)
  const rows = new Map((await stockRows(db, [...new Set(matches.map(({ id }) => id))])).map((row) => [row.id, row]))
  return matches.map(({ n, id }) => ({ ...rows.get(id)!, n }))
}
