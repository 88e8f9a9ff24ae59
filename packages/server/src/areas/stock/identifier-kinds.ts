import { imeiKey } from '@backstock/contract/imei.ts'

/**
 * The identifiers that no two items of the shop may share at a time, by their kind in `stock_identifier`, in the order
 * in which an import looks for items. Items that have left (`in_hand` is false) do not count. The order of a phone's
 * two IMEIs means nothing, so `i` and `j` are compared with each other.
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

/**
 * The form in which an identifier is compared: an IMEI without its check digit or version, a serial number in capitals.
 */
export function comparable(kind: IdentifierKind, value: string): string {
  return isImei(kind) ? imeiKey(value) : value.toUpperCase()
}

/** A key that is the same for the same identifier. An IMEI has one key, in whichever slot it is. */
export const identifierKey = (kind: IdentifierKind, value: string) =>
  (isImei(kind) ? 'i' : kind) + comparable(kind, value)

/** The identifiers of an item or a row, by `identifierKey`. An IMEI that is in both slots appears once. */
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

/** Whether two identifiers exist and are the same, no matter how each is written. */
export function isSameIdentifier(
  kind: IdentifierKind,
  one: string | null | undefined,
  other: string | null | undefined,
) {
  return one != null && other != null && comparable(kind, one) === comparable(kind, other)
}

/**
 * The message for an identifier that another item has, in whichever slot. If `holder` is null, the message does not name
 * that item.
 */
export function takenMessage(kind: IdentifierKind, holder: number | null): string {
  const called = isImei(kind) ? IDENTIFIERS.i.called : IDENTIFIERS[kind].called
  return `${holder === null ? 'Another item' : `Item #${holder}`} already has this ${called}.`
}
