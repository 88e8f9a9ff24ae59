import { compactIdentifier, eidProblem, imeiKey, meidProblem } from '@backstock/contract/imei.ts'
import { plainIdentifier } from '@backstock/contract/plain-text.ts'
import type { QuickOrderAnswer, QuickOrderRow } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import { arrayText } from '../../db/array-text.ts'
import type { Database } from '../../db/connect.ts'
import { IS_EID, IS_IMEI, IS_OTHER, IS_SERIAL } from './identifiers.ts'
import { stockRowsAmong } from './queries.ts'

/** A line in plain text, without spaces and dashes, and as the keys that an identifier may have. */
type Line = { typed: string; compact: string; imei: string | null; keys: [string, ...string[]] }

/** No identifier is longer. A longer line is some text that was pasted along, and finds nothing. */
const MAX_IDENTIFIER = 255

/** A line as it was typed, the same for all ways to write it, and the items that it may mean, the likeliest first. */
export type Meant = { line: string; key: string; items: Item[] }

/**
 * What pasted lines may mean, in the order of the lines; empty ones are left out. A line is one IMEI (in any of its
 * forms, from either slot), serial number, Backstock ID, MEID or EID. Items in hand come first, then the newest; Deleted
 * ones only if there are no others.
 */
export async function itemsMeant(db: Database, given: readonly string[]): Promise<Meant[]> {
  const lines = given.map(readLine).filter((line) => line.compact !== '')
  if (lines.length === 0) return []
  const possible = lines.filter((line) => line.compact.length <= MAX_IDENTIFIER)
  const byKey = Map.groupBy(await identifiersOf(db, possible), ({ key }) => key)
  return lines.map(({ keys, typed }) => {
    const matches = keys.flatMap((key) => byKey.get(key) ?? [])
    const found = withoutDeleted(matches.sort((a, b) => a.rank - b.rank || b.row.id - a.row.id))
    return { line: typed, key: keys[0], items: found.map(({ row }) => row) }
  })
}

/**
 * The items that pasted lines mean, in the order of the lines. If a line means several items, all are listed. A line is
 * a duplicate if earlier lines have listed all of its items, or if it finds nothing, as an equal one before.
 */
export async function quickOrder(db: Database, given: readonly string[]): Promise<QuickOrderAnswer> {
  const answer: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  const brought = new Set<number>()
  const missed = new Set<string>()
  for (const { line, key, items } of await itemsMeant(db, given)) {
    let isFresh = false
    for (const row of items) {
      if (brought.has(row.id)) continue
      brought.add(row.id)
      isFresh = true
      row.line = line
      row.sellable = isSellable(row.status)
      row.reason = row.sellable ? null : NOT_SELLABLE
      answer.data.push(row)
    }
    const isMiss = items.length === 0
    if (isMiss ? missed.has(key) : !isFresh) answer.duplicates.push(line)
    else if (isMiss) answer.not_found.push(line)
    if (isMiss) missed.add(key)
  }
  return answer
}

const imeiLineKey = (imei: string) => `imei ${imeiKey(imei)}`

function readLine(given: string): Line {
  const typed = plainIdentifier(given.replaceAll('\0', ''))
  const compact = compactIdentifier(typed)
  const imei = /^\d{14,16}$/.test(compact) ? imeiKey(compact) : null
  // Upper case, since the database too compares without case. What was typed rarely differs from the compact text.
  const keys: Line['keys'] = [compact.toUpperCase()]
  if (typed !== compact) keys.push(typed.toUpperCase())
  if (imei !== null) keys.push(imeiLineKey(imei))
  return { typed, compact, imei, keys }
}

/** An identifier of an item, by the key of a line. Where a line finds several items, the lowest rank comes first. */
type Identifier = { key: string; rank: number; row: Item }

/**
 * The identifiers of the items that lines mean. Items in hand rank first; then IMEIs, serial numbers, Backstock IDs,
 * MEIDs, EIDs.
 */
async function identifiersOf(db: Database, lines: readonly Line[]): Promise<Identifier[]> {
  return (await itemsOf(db, lines)).flatMap((row) => {
    const { imei, imei2, serial_number, backstock_id, meid, eid } = row
    const first = row.in_hand ? 0 : 5
    const identifiers: Identifier[] = []
    if (imei !== null) identifiers.push({ key: imeiLineKey(imei), rank: first, row })
    if (imei2 !== null) identifiers.push({ key: imeiLineKey(imei2), rank: first, row })
    if (serial_number !== null) identifiers.push({ key: serial_number.toUpperCase(), rank: first + 1, row })
    if (backstock_id !== null) identifiers.push({ key: backstock_id.toUpperCase(), rank: first + 2, row })
    if (meid !== null) identifiers.push({ key: meid, rank: first + 3, row })
    if (eid !== null) identifiers.push({ key: eid, rank: first + 4, row })
    return identifiers
  })
}

function withoutDeleted(found: Identifier[]): Identifier[] {
  const kept = found.filter(({ row }) => row.status !== 'Deleted')
  return kept.length ? kept : found
}

type Item = QuickOrderRow & { in_hand: boolean }
export type MeantItem = Item
/** The places of what is filled in afterwards: to copy hundreds of rows would take longer than to read them. */
const itemColumns = sql`s.in_hand, null as line, null as sellable, null as reason`

/** With fewer lines a second question costs more than it saves. */
const MANY_LINES = 100

/**
 * The items that lines mean; one that several lines mean may come twice. Many lines are asked for in two halves at once
 * while nobody else reads, since PostgreSQL works at each question on one core.
 */
async function itemsOf(db: Database, lines: readonly Line[]): Promise<Item[]> {
  const { total, idle } = db.figures().read
  if (total > idle || lines.length < MANY_LINES) return itemsAmong(db, lines)
  const middle = lines.length >> 1
  const halves = [lines.slice(0, middle), lines.slice(middle)]
  return (await Promise.all(halves.map((half) => itemsAmong(db, half)))).flat()
}

/** Each index is walked once for all lines. */
function itemsAmong(db: Database, lines: readonly Line[]): Promise<Item[]> {
  const imeis = arrayText(lines.flatMap(({ imei }) => imei ?? []))
  const others = arrayText([...new Set(lines.flatMap(({ typed, compact }) => [typed, compact]))])
  const eids = lines.flatMap(({ compact }) => (eidProblem(compact) === null ? compact : []))
  const hasMeid = lines.some(({ compact }) => meidProblem(compact) === null)
  const conditions = [
    sql`${IS_IMEI} and left(value, 14) = any(${imeis}::text[])`,
    sql`${hasMeid ? IS_OTHER : IS_SERIAL}
      and upper(value) = any(array(select upper(text) from unnest(${others}::text[]) text))`,
    ...(eids.length ? [sql`${IS_EID} and upper(value) = any(${arrayText(eids)}::text[])`] : []),
  ]
  const arms = conditions.map((matches) => sql`select stock_id from stock_identifier where ${matches}`)
  return stockRowsAmong(db.read, sql.join(arms, sql` union all `), itemColumns)
}
