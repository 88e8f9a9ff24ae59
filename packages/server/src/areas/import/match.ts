import { imeiKey } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import { arrayText } from '../../db/array-text.ts'
import type { Tx } from '../../db/connect.ts'
import type { CsvValues } from '../stock/columns.ts'

/** The kinds of keys, in the order in which they find an item. */
export const KEYS = {
  b: { field: 'backstock_id', called: 'Backstock ID' },
  i: { field: 'imei', called: 'IMEI' },
  s: { field: 'serial_number', called: 'serial number' },
} as const
export type KeyKind = keyof typeof KEYS
export const KEY_KINDS = Object.keys(KEYS) as KeyKind[]

/** A key as it is compared: the same phone in three forms, the same serial number in any case. */
export function keyValue(kind: KeyKind, value: string): string {
  return kind === 'i' ? imeiKey(value) : value.toUpperCase()
}

/** An item that has one of a row's keys. */
export type Match = { kind: KeyKind; stock_id: number; in_hand: boolean }
type Key = { n: number; kind: KeyKind; value: string }

/**
 * The items that have a row's keys, for each row and in the order of the keys: those in hand, and with `alsoGone`, for
 * keys that nothing in hand has, the newest that has left.
 */
export async function findMatches(tx: Tx, rows: readonly CsvValues[], alsoGone: boolean): Promise<Match[][]> {
  const keys = rows.flatMap((row, n) =>
    KEY_KINDS.flatMap((kind): Key[] => {
      const value = row[KEYS[kind].field]
      return value === undefined ? [] : [{ n, kind, value: kind === 'i' ? imeiKey(value) : value }]
    }),
  )
  const found = await lookUp(tx, keys, alsoGone)
  const matches: Match[][] = rows.map(() => [])
  for (const key of keys) {
    const match = found.get(key)
    if (match) matches[key.n]!.push(match)
  }
  return matches
}

async function lookUp(tx: Tx, keys: readonly Key[], alsoGone: boolean): Promise<Map<Key, Match>> {
  if (keys.length === 0) return new Map()
  const [imeis, others] = [keys.filter(({ kind }) => kind === 'i'), keys.filter(({ kind }) => kind !== 'i')]
  // The indexes are partial: their conditions must stand here as they stand there.
  const side = alsoGone ? sql`true` : sql`in_hand`
  const best = sql`order by in_hand desc, stock_id desc limit 1`
  const { rows } = await sql<{ n: number; imei: boolean; stock_id: number; in_hand: boolean }>`
    select k.n::int - 1 as n, true as imei, i.stock_id, i.in_hand
    from unnest(${arrayText(imeis.map((key) => key.value))}::text[]) with ordinality as k (value, n)
    cross join lateral (select stock_id, in_hand from stock_identifier
      where ${side} and kind = 'i' and left(value, 14) = k.value ${best}) i
    union all
    select k.n::int - 1, false, i.stock_id, i.in_hand
    from unnest(${arrayText(others.map((key) => key.kind))}::char[], ${arrayText(others.map((key) => key.value))}::text[])
      with ordinality as k (kind, value, n)
    cross join lateral (select stock_id, in_hand from stock_identifier
      where ${side} and kind <> 'i' and kind = k.kind and upper(value) = upper(k.value) ${best}) i`.execute(tx)
  return new Map(
    rows.map(({ n, imei, stock_id, in_hand }) => {
      const key = (imei ? imeis : others)[n]!
      return [key, { kind: key.kind, stock_id, in_hand }]
    }),
  )
}

type Identified = { [Field in (typeof KEYS)[KeyKind]['field']]: string | null }

/** Whether an item has the identifier that a row gives, whichever way it is written. */
export function hasKey(item: Identified, kind: KeyKind, row: CsvValues): boolean {
  const [has, wanted] = [item[KEYS[kind].field], row[KEYS[kind].field]]
  return has !== null && wanted !== undefined && keyValue(kind, has) === keyValue(kind, wanted)
}

/** Which of these items are the partner's own. */
export async function ownItems(tx: Tx, ids: readonly number[], partnerId: number): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from stock where id = any(${ids}::int[]) and partner_id = ${partnerId}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
