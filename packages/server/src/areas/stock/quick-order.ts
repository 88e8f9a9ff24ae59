import { identifierOfLine } from '@backstock/contract/identifier-cell.ts'
import {
  compactIdentifier,
  eidProblem,
  hexadecimalMeid,
  imeiKey,
  meidProblem,
  mistypedImei,
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

/**
 * A line in its forms: as typed (but normalised), without spaces and dashes, and as the keys that its identifier may
 * have.
 */
type OrderLine = {
  shown: string
  typed: string
  code: string
  compact: string
  imeis: string[]
  id: number | null
  keys: [string, ...string[]]
}

/** The most characters of a line that may be an identifier. A longer line is other text that was pasted with it. */
const MAX_IDENTIFIER = 255

/**
 * The meaning of a line. `line` is the line as typed, or a message if the line is too long. `key` is equal for all ways
 * to write the same identifier. `items` are the items that the line may mean, the likeliest first.
 */
export type Meant = { line: string; key: string; items: OrderedItem[] }

/**
 * The possible meanings of pasted lines, in their order. Empty lines are left out. A line has one IMEI (in any form,
 * from either slot), serial number, Backstock ID, MEID or EID, or an item's number as on labels: `#7`. Items that the
 * shop still has come first, then the newest; Deleted items are listed only if there are no others.
 */
export async function itemsMeant(db: Database, given: readonly string[]): Promise<Meant[]> {
  return meaningsOfLines(
    db,
    (await mapTexts(given, readLine)).filter((line) => line.compact !== ''),
  )
}

/** The possible meanings of texts, as those of lines, one for each text. An empty text means no item. */
export const itemsOfEach = async (db: Database, texts: readonly string[]): Promise<Meant[]> =>
  meaningsOfLines(db, await mapTexts(texts, readLine))

async function meaningsOfLines(db: Database, lines: readonly OrderLine[]): Promise<Meant[]> {
  if (lines.length === 0) return []
  const possible = lines.filter((line) => line.compact.length <= MAX_IDENTIFIER)
  const byKey = Map.groupBy(await identifiersOf(db, possible), ({ key }) => key)
  // Each different text is looked up once: thousands of lines may be equal, and thousands of items that have left may
  // match.
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
 * a duplicate if earlier lines have listed all its items, or if it finds nothing and an equal line came before.
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

function readLine(given: string): OrderLine {
  const text = given.replaceAll('\0', '')
  // A long line is not normalised, because that takes long even if most of its characters are invisible.
  const isLong = isLongLine(text)
  const typed = isLong ? text.toWellFormed().trim() : plainIdentifier(text)
  const code = isLong ? typed : identifierOfLine(text)
  const compact = hexadecimalMeid(compactIdentifier(code))
  const whole = withLostZero(compact)
  // The first 14 digits of a mistyped IMEI could be another phone's. The number may still be a serial number.
  const isImei = /^\d{14,16}$/.test(compact) && mistypedImei(compact) === null
  const imeis = isImei ? [compact, ...(whole ? [whole] : [])].map(imeiKey) : []
  // The keys are in capitals, because the database also ignores the case. Typed and compact text rarely differ.
  const keys: OrderLine['keys'] = [compact.toUpperCase()]
  if (code !== compact) keys.push(code.toUpperCase())
  if (typed !== code) keys.push(typed.toUpperCase())
  keys.push(...imeis.map(imeiLineKey))
  const id = /^#[1-9]\d{0,8}$/.test(compact) ? Number(compact.slice(1)) : null
  return { shown: isLong ? longLineMessage(text) : typed, typed, code, compact, imeis, id, keys }
}

/**
 * An identifier of an item, under a line's key. If a line finds several items, the one with the lowest rank comes
 * first.
 */
type Identifier = { key: string; rank: number; row: OrderedItem }

/**
 * The identifiers by which lines mean items. Items that the shop still has rank before others; within each group the
 * order is IMEIs, serial numbers, Backstock IDs, MEIDs, EIDs, numbers.
 */
async function identifiersOf(db: Database, lines: readonly OrderLine[]): Promise<Identifier[]> {
  const wanted = new Set(lines.flatMap(({ keys }) => keys))
  return (await itemsOf(db, lines)).flatMap((row) => {
    const first = row.in_hand ? 0 : 6
    return keysOfItem(row)
      .filter(([key]) => wanted.has(key))
      .map(([key, rank]) => ({ key, rank: first + rank, row }))
  })
}

type Known = Pick<StockRow, 'id' | 'imei' | 'imei2' | 'serial_number' | 'backstock_id' | 'meid' | 'eid'>

/** The keys of an item's identifiers, each with its rank among the kinds. */
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

/** The keys of a line. The line means the items that have one of these keys. */
export const keysOfLine = (line: string): readonly string[] => readLine(line).keys

function withoutDeleted(found: Identifier[]): Identifier[] {
  const kept = found.filter(({ row }) => row.status !== 'Deleted')
  return kept.length ? kept : found
}

type OrderedItem = QuickOrderRow & { in_hand: boolean }
export type MeantItem = OrderedItem
/** The columns that are filled later. They are selected as null, because copying hundreds of rows would take longer. */
const itemColumns = sql`s.in_hand, null as line, null as sellable, null as reason`

/** The items that lines mean. An item may appear twice if several lines mean it. */
const itemsOf = (db: Database, lines: readonly OrderLine[]) =>
  inHalves(db, lines, (some) => itemsAmong(db, some, lines.length))

/**
 * The items that lines mean. The query searches each index once for all lines. `most` is the number of all lines,
 * including the other half of `inHalves`.
 */
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
