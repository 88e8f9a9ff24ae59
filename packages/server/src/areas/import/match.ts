import { imeiKey } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { RowValues } from './row.ts'

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

/**
 * The items that have a row's keys, for each row: the one in hand for each key, and where none is in hand the newest of
 * those that have left. In the order of the keys.
 */
export async function findMatches(tx: Tx, rows: readonly RowValues[]): Promise<Match[][]> {
  const keys = rows.flatMap((row, n) =>
    KEY_KINDS.flatMap((kind) => {
      const value = row[KEYS[kind].field]
      return value === undefined ? [] : { n, kind, value: kind === 'i' ? imeiKey(value) : value }
    }),
  )
  const matches: Match[][] = rows.map(() => [])
  if (keys.length === 0) return matches
  const { rows: found } = await sql<Match & { n: number }>`
    select k.n, k.kind, i.stock_id, i.in_hand
    from unnest(${keys.map((key) => key.n)}::int[], ${keys.map((key) => key.kind)}::text[],
      ${keys.map((key) => key.value)}::text[]) as k (n, kind, value)
    cross join lateral (
      select stock_id, in_hand from (
        select stock_id, in_hand from stock_identifier
          where k.kind = 'i' and in_hand and kind = 'i' and left(value, 14) = k.value
        union all
        select stock_id, in_hand from stock_identifier
          where k.kind <> 'i' and in_hand and kind <> 'i' and kind = k.kind and upper(value) = upper(k.value)
        union all
        select stock_id, in_hand from stock_identifier
          where k.kind = 'i' and not in_hand and kind = 'i' and left(value, 14) = k.value
        union all
        select stock_id, in_hand from stock_identifier
          where k.kind <> 'i' and not in_hand and kind <> 'i' and kind = k.kind and upper(value) = upper(k.value)) any_key
      order by in_hand desc, stock_id desc limit 1) i
    order by k.n, array_position('{b,i,s}', k.kind)`.execute(tx)
  for (const { n, ...match } of found) matches[n]!.push(match)
  return matches
}

/** Whether an item, once locked, still has the key by which it was found. */
export function stillHas(
  item: { [Field in (typeof KEYS)[KeyKind]['field']]: string | null },
  kind: KeyKind,
  row: RowValues,
) {
  const [has, wanted] = [item[KEYS[kind].field], row[KEYS[kind].field]]
  return has !== null && wanted !== undefined && keyValue(kind, has) === keyValue(kind, wanted)
}
