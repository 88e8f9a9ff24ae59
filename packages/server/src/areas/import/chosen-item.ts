import type { FieldErrors } from '@backstock/contract/answer.ts'
import { ITEM_COLUMN } from '@backstock/contract/import.ts'
import type { CsvValues } from '../stock/columns.ts'
import type { CurrentItem } from './current-items.ts'
import type { RowToDecide } from './decide.ts'
import { hasKey, KEY_KINDS, KEYS, type Match } from './match.ts'
import { isAlready } from './unchanged.ts'

type Chosen = Pick<RowToDecide, 'match' | 'conflict' | 'unlessGone'>

/**
 * The item that a row means by its keys: the one that they all lead to, each to the item in hand that has it, else to the
 * newest that has left. One that has left is not meant by a row that plainly brings the phone back new (a sold phone may be
 * bought again). Keys that lead to different items mean none.
 */
export function chosenByKeys(matches: readonly Match[], status: CsvValues['status']): Chosen {
  const [first] = matches
  const other = matches.find(({ stock_id }) => stock_id !== first?.stock_id)
  const unlessGone = !first?.in_hand && (status === 'Inbound' || status === 'In Stock')
  if (!first || !other) return { match: first ?? null, conflict: null, unlessGone }
  const message = `This ${KEYS[other.kind].called} is item #${other.stock_id}, but the ${KEYS[first.kind].called} is item #${first.stock_id}.`
  return { match: null, conflict: { [KEYS[other.kind].field]: message }, unlessGone }
}

/**
 * A row that names its item: that one, if an identifier of the row is the item's already and none is another's. What an
 * identifier leads to otherwise does not count where the item has it too: a phone that was bought back is two items.
 */
export function named(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>): RowToDecide {
  const id = row.values.backstock_item
  if (id === undefined) return row
  const item = current.get(id)
  const own = KEY_KINDS.filter(
    (kind) => item && (hasKey(item.row, kind, row.values) || isAlready(item, KEYS[kind].field, row.input)),
  )
  if (!item || own.length === 0) return { ...row, match: null, conflict: { [ITEM_COLUMN]: notThisShops(id, item) } }
  const others = row.matches.filter(({ kind, stock_id }) => stock_id !== id && !own.includes(kind))
  if (others.length === 0) return row
  const conflict: FieldErrors = Object.fromEntries(
    others.map(({ kind, stock_id }) => [
      KEYS[kind].field,
      `This ${KEYS[kind].called} is item #${stock_id}, but the row names item #${id}.`,
    ]),
  )
  return { ...row, match: null, conflict }
}

function notThisShops(id: number, item: CurrentItem | undefined): string {
  const why = item ? `Item #${id} has none of this row's identifiers` : `There is no item #${id}`
  return `${why}: the file may be another shop's.`
}

/** One serial number and two IMEIs are two phones, or a serial number that is none. */
export function withOneImei(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>): RowToDecide {
  const item = row.match && current.get(row.match.stock_id)?.row
  const { imei, serial_number } = row.values
  if (!item?.imei || imei === undefined || serial_number === undefined) return row
  if (!hasKey(item, 's', row.values) || hasKey(item, 'i', row.values)) return row
  const message = `Item #${item.id} has this serial number, but its IMEI is ${item.imei} and not ${imei}.`
  return { ...row, match: null, conflict: { serial_number: message } }
}
