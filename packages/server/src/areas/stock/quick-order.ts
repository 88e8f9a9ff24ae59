import { identifierOfLine } from '@backstock/contract/identifier-cell.ts'
import {
  compactIdentifier,
  eidProblem,
  hexadecimalMeid,
  imeiKey,
  meidProblem,
  withLostZero,
} from '@backstock/contract/imei.ts'
import { isLongLine, longLineMessage } from '@backstock/contract/pasted-line.ts'
import { plainIdentifier } from '@backstock/contract/plain-text.ts'
import type { QuickOrderAnswer, QuickOrderRow, StockRow } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { mapTexts } from '../../http/own-turn.ts'
import { IS_EID, IS_IMEI, IS_OTHER, IS_SERIAL } from './identifiers.ts'
import { inHalves } from './in-halves.ts'
import { stockRowsAmong } from './queries.ts'

/** A line in plain text, without spaces and dashes, and as the keys that an identifier may have. */
type OrderLine = {
  shown: string
  typed: string
  code: string
  compact: string
  imeis: string[]
  id: number | null
  keys: [string, ...string[]]
}

/** No identifier is longer. A longer line is some text that was pasted along, and finds nothing. */
const MAX_IDENTIFIER = 255

/**
 * A line as typed, or the fault of one that is too long; its canonical form, the same for all ways to write it; the
 * items that it may mean, the likeliest first.
 */
export type Meant = { line: string; key: string; items: OrderedItem[] }

/**
 * The possible meanings of pasted lines, in their order; empty ones are left out. A line is one IMEI (in any of its
 * forms, from either slot), serial number, Backstock ID, MEID or EID, or the number that a label has: `#7`. Items in
 * hand come first, then the newest; Deleted ones only if there are no others.
 */
export async function itemsMeant(db: Database, given: readonly string[]): Promise<Meant[]> {
  const lines = (await mapTexts(given, readLine)).filter((line) => line.compact !== '')
  if (lines.length === 0) return []
  const possible = lines.filter((line) => line.compact.length <= MAX_IDENTIFIER)
  const byKey = Map.groupBy(await identifiersOf(db, possible), ({ key }) => key)
  // Thousands of lines may be the same text, and thousands of items that have left may bear it.
  const meant = new Map<string, OrderedItem[]>()
  return lines.map(({ keys, shown }) => {
    const same = keys.join('\n')
    const items = meant.get(same) ?? itemsOfKeys(keys, byKey)
    meant.set(same, items)
    return { line: shown, key: keys[0], items }
  })
}

function itemsOfKeys(keys: readonly string[], byKey: ReadonlyMap<string, Identifier[]>): OrderedItem[] {
  const matches = keys.flatMap((key) => byKey.get(key) ?? [])
  const found = withoutDeleted(matches.sort((a, b) => a.rank - b.rank || b.row.id - a.row.id))
  return found.map(({ row }) => row)
}

/**
 * The items that pasted lines mean, in the order of the lines. If a line means several items, all are listed. A line is
 * a duplicate if earlier lines have listed all of its items, or if it finds nothing, as an equal one before.
 */
export async function quickOrder(db: Database, given: readonly string[]): Promise<QuickOrderAnswer> {
  const answer: QuickOrderAnswer = { success: true, data: [], not_found: [], duplicates: [] }
  const brought = new Set<number>()
  const listed = new Set<readonly OrderedItem[]>()
  const missed = new Set<string>()
  for (const { line, key, items } of await itemsMeant(db, given)) {
    let isFresh = false
    for (const row of listed.has(items) ? [] : items) {
      if (brought.has(row.id)) continue
      brought.add(row.id)
      isFresh = true
      row.line = line
      row.sellable = isSellable(row.status)
      row.reason = row.sellable ? null : NOT_SELLABLE
      answer.data.push(row)
    }
    listed.add(items)
    const isMiss = items.length === 0
    if (isMiss ? missed.has(key) : !isFresh) answer.duplicates.push(line)
    else if (isMiss) answer.not_found.push(line)
    if (isMiss) missed.add(key)
  }
  return answer
}

const imeiLineKey = (imei: string) => `imei ${imeiKey(imei)}`
/** Whether a key is that of an IMEI: its first 14 digits. */
export const isImeiKey = (key: string) => /^imei \d{14}$/.test(key)

function readLine(given: string): OrderLine {
  const text = given.replaceAll('\0', '')
  // Making a long text plain takes long, even if most of its characters are invisible.
  const isLong = isLongLine(text)
  const typed = isLong ? text.toWellFormed().trim() : plainIdentifier(text)
  const code = isLong ? typed : identifierOfLine(text)
  const compact = hexadecimalMeid(compactIdentifier(code))
  const whole = withLostZero(compact)
  const imeis = /^\d{14,16}$/.test(compact) ? [compact, ...(whole ? [whole] : [])].map(imeiKey) : []
  // Upper case, since the database too compares without case. The typed text rarely differs from the compact one.
  const keys: OrderLine['keys'] = [compact.toUpperCase()]
  if (code !== compact) keys.push(code.toUpperCase())
  if (typed !== code) keys.push(typed.toUpperCase())
  keys.push(...imeis.map(imeiLineKey))
  const id = /^#[1-9]\d{0,8}$/.test(compact) ? Number(compact.slice(1)) : null
  return { shown: isLong ? longLineMessage(text) : typed, typed, code, compact, imeis, id, keys }
}

/** An identifier of an item, by the key of a line. If a line finds several items, the lowest rank comes first. */
type Identifier = { key: string; rank: number; row: OrderedItem }

/**
 * The identifiers of the items that lines mean. Items in hand rank first; then IMEIs, serial numbers, Backstock IDs,
 * MEIDs, EIDs, numbers.
 */
async function identifiersOf(db: Database, lines: readonly OrderLine[]): Promise<Identifier[]> {
  return (await itemsOf(db, lines)).flatMap((row) => {
    const first = row.in_hand ? 0 : 6
    return keysOfItem(row).map(([key, rank]) => ({ key, rank: first + rank, row }))
  })
}

type Known = Pick<StockRow, 'id' | 'imei' | 'imei2' | 'serial_number' | 'backstock_id' | 'meid' | 'eid'>

/** The keys of an item's identifiers, each with its rank among them. */
export function keysOfItem({
  id,
  imei,
  imei2,
  serial_number,
  backstock_id,
  meid,
  eid,
}: Known): [key: string, rank: number][] {
  const keys: [string, number][] = []
  if (imei !== null) keys.push([imeiLineKey(imei), 0])
  if (imei2 !== null) keys.push([imeiLineKey(imei2), 0])
  if (serial_number !== null) keys.push([serial_number.toUpperCase(), 1])
  if (backstock_id !== null) keys.push([backstock_id.toUpperCase(), 2])
  if (meid !== null) keys.push([meid, 3])
  if (eid !== null) keys.push([eid, 4])
  keys.push([`#${id}`, 5])
  return keys
}

/** A line means an item that has one of these keys. */
export const keysOfLine = (line: string): readonly string[] => readLine(line).keys

function withoutDeleted(found: Identifier[]): Identifier[] {
  const kept = found.filter(({ row }) => row.status !== 'Deleted')
  return kept.length ? kept : found
}

type OrderedItem = QuickOrderRow & { in_hand: boolean }
export type MeantItem = OrderedItem
/** The places of what is filled in afterwards: to copy hundreds of rows would take longer than to read them. */
const itemColumns = sql`s.in_hand, null as line, null as sellable, null as reason`

/** The items that lines mean; one that several lines mean may come twice. */
const itemsOf = (db: Database, lines: readonly OrderLine[]) =>
  inHalves(db, lines, (some) => itemsAmong(db, some, lines.length))

/** Each index is walked once for all lines. `most`: so many items are looked for in all. */
function itemsAmong(db: Database, lines: readonly OrderLine[], most: number): Promise<OrderedItem[]> {
  const imeis = lines.flatMap((line) => line.imeis)
  const others = [...new Set(lines.flatMap(({ typed, code, compact }) => [typed, code, compact]))]
  const eids = lines.flatMap(({ compact }) => (eidProblem(compact) === null ? compact : []))
  const hasMeid = lines.some(({ compact }) => meidProblem(compact) === null)
  const conditions = [
    sql`${IS_IMEI} and left(value, 14) = any(${imeis}::text[])`,
    sql`${hasMeid ? IS_OTHER : IS_SERIAL}
      and upper(value) = any(array(select upper(text) from unnest(${others}::text[]) text))`,
    ...(eids.length ? [sql`${IS_EID} and upper(value) = any(${eids}::text[])`] : []),
  ]
  const arms = conditions.map((matches) => sql`select stock_id from stock_identifier where ${matches}`)
  const ids = lines.flatMap(({ id }) => id ?? [])
  if (ids.length) arms.push(sql`select unnest(${ids}::int[])`)
  return stockRowsAmong(db.read, sql.join(arms, sql` union all `), most, itemColumns)
}
