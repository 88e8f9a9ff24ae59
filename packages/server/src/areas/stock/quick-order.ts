import { compactIdentifier, imeiKey } from '@backstock/contract/imei.ts'
import type { QuickOrderAnswer, StockRow } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { stockRows } from './queries.ts'

/** A line as it was typed, without spaces and dashes, and as the keys that an identifier may have. */
type Line = { typed: string; compact: string; imei: string | null; keys: string[] }

/**
 * The items that pasted lines mean, in the order of the lines. A line is one IMEI (in any of its forms), serial number or
 * Backstock ID; one that means several items gets them all, those in hand first, then the newest, Deleted ones only where nothing else
 * matches. A line that leads to items which another line has brought already is a duplicate.
 */
export async function quickOrder(db: Db, given: readonly string[]): Promise<QuickOrderAnswer> {
  const lines = given.map(readLine).filter((line) => line.compact !== '')
  if (lines.length === 0) return { success: true, data: [], not_found: [], duplicates: [] }
  const identifiers = await identifiersOf(db, lines)
  const rows = await stockRows(db, [...new Set(identifiers.map(({ id }) => id))])
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const byKey = Map.groupBy(identifiers, keyOf)

  const answer: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  const brought = new Set<number>()
  for (const { keys, typed: line } of lines) {
    const matches = keys.flatMap((key) => byKey.get(key) ?? []).sort((a, b) => rank(a) - rank(b) || b.id - a.id)
    const found = withoutDeleted(matches.flatMap(({ id }) => rowOf.get(id) ?? []))
    let isFresh = false
    for (const row of found) {
      if (brought.has(row.id)) continue
      brought.add(row.id)
      isFresh = true
      const sellable = isSellable(row.status)
      answer.data.push(Object.assign(row, { line, sellable, reason: sellable ? null : NOT_SELLABLE }))
    }
    if (found.length === 0) answer.not_found.push(line)
    else if (!isFresh) answer.duplicates.push(line)
  }
  return answer
}

function readLine(given: string): Line {
  const typed = given.replaceAll('\0', '').trim()
  const compact = compactIdentifier(typed)
  const imei = /^\d{14,16}$/.test(compact) ? imeiKey(compact) : null
  // What was typed is another text but rarely. The same in different cases is the same, as in the database.
  const keys = [compact.toUpperCase()]
  if (typed !== compact) keys.push(typed.toUpperCase())
  if (imei !== null) keys.push(`imei ${imei}`)
  return { typed, compact, imei, keys }
}

type Identifier = { id: number; kind: 'i' | 's' | 'b'; value: string; in_hand: boolean }

/** What of a line means an identifier. */
const keyOf = ({ kind, value }: Identifier) => (kind === 'i' ? `imei ${imeiKey(value)}` : value.toUpperCase())

/** In hand first; by IMEI, serial number, Backstock ID. */
const rank = ({ in_hand, kind }: Identifier) => (in_hand ? 0 : 3) + 'isb'.indexOf(kind)

function withoutDeleted(found: StockRow[]): StockRow[] {
  const kept = found.filter((row) => row.status !== 'Deleted')
  return kept.length ? kept : found
}

/** Each index is walked once for all lines. How many items that gives no plan can know: their rows are another statement. */
async function identifiersOf(db: Db, lines: readonly Line[]): Promise<Identifier[]> {
  const imeis = lines.flatMap(({ imei }) => imei ?? [])
  const others = [...new Set(lines.flatMap(({ typed, compact }) => [typed, compact]))]
  const select = sql`select stock_id as id, kind, in_hand, value from stock_identifier`
  const isImei = sql`kind = 'i' and left(value, 14) = any(${imeis}::text[])`
  const isOther = sql`kind <> 'i' and kind in ('s', 'b')
    and upper(value) = any(array(select upper(text) from unnest(${others}::text[]) text))`
  const { rows } = await sql<Identifier>`
    ${select} where in_hand and ${isImei} union all ${select} where not in_hand and ${isImei}
    union all ${select} where in_hand and ${isOther} union all ${select} where not in_hand and ${isOther}`.execute(db)
  return rows
}
