import { imeiKey } from '@backstock/contract/imei.ts'

/**
 * The identifiers that no two items in hand may share, by their kind in `stock_identifier` and in the order in
 * which an import looks for items. The order of a phone's two IMEIs means nothing: `i` and `j` are compared with
 * each other.
 */
export const IDENTIFIERS = {
  b: { column: 'backstock_id', called: 'Backstock ID' },
  i: { column: 'imei', called: 'IMEI' },
  j: { column: 'imei2', called: 'IMEI 2' },
  s: { column: 'serial_number', called: 'serial number' },
  m: { column: 'meid', called: 'MEID' },
} as const
export type IdentifierKind = keyof typeof IDENTIFIERS
export const IDENTIFIER_KINDS = Object.keys(IDENTIFIERS) as IdentifierKind[]
export type IdentifierColumn = (typeof IDENTIFIERS)[IdentifierKind]['column']
export type Identifiers = { [Column in IdentifierColumn]: string | null }

export const isImei = (kind: IdentifierKind) => kind === 'i' || kind === 'j'

/** An identifier as it is compared: the same phone's IMEI in its three forms, the same serial number in any case. */
export function comparable(kind: IdentifierKind, value: string): string {
  return isImei(kind) ? imeiKey(value) : value.toUpperCase()
}

/** The same text for the same identifier, for an IMEI in either slot of a phone. */
export const identifierKey = (kind: IdentifierKind, value: string) =>
  (isImei(kind) ? 'i' : kind) + comparable(kind, value)

/** The identifiers that an item or a row has, by `identifierKey`. An IMEI in both slots is there once. */
export function identifiersOf(
  item: { [Column in IdentifierColumn]?: string | null | undefined },
): Map<string, IdentifierKind> {
  const keys = new Map<string, IdentifierKind>()
  for (const kind of IDENTIFIER_KINDS) {
    const value = item[IDENTIFIERS[kind].column]
    if (value == null) continue
    const key = identifierKey(kind, value)
    if (!keys.has(key)) keys.set(key, kind)
  }
  return keys
}

/** Whether both are there and the same, however each is written. */
export function isSameIdentifier(
  kind: IdentifierKind,
  one: string | null | undefined,
  other: string | null | undefined,
) {
  return one != null && other != null && comparable(kind, one) === comparable(kind, other)
}

/** The message under an identifier that another item in hand has; null: the message does not name the item. */
export function takenMessage(kind: IdentifierKind, holder: number | null): string {
  return `${holder === null ? 'Another item' : `Item #${holder}`} in hand has this ${IDENTIFIERS[kind].called}.`
}
