import type { FieldErrors } from '@backstock/contract/answer.ts'
import { CSV_COLUMNS, type CsvColumn, ITEM_COLUMN } from '@backstock/contract/csv-columns.ts'
import { isWeakSerial } from '@backstock/contract/identifier-cell.ts'
import { getFrom } from '../../../lists.ts'
import { CSV, type CsvValues, type NamedItem } from '../../stock/columns.ts'
import {
  IDENTIFIER_KINDS,
  IDENTIFIERS,
  type IdentifierColumn,
  type IdentifierKind,
  identifierKey,
  identifiersOf,
  isSameIdentifier,
} from '../../stock/identifier-kinds.ts'
import { type DescribedProduct, describedProduct } from '../read/described-product.ts'
import type { ParsedRow } from '../read/parse-row.ts'

/**
 * The item that an identifier of a row leads to: the item in stock; for updates also the newest one that has left.
 * `unnamed` means that the sender of the row must not learn about the item, not even its number.
 */
export type FoundItem = { kind: IdentifierKind; stock_id: number; in_hand: boolean; unnamed?: boolean }

/** The present state of an item. */
export type CurrentItem = NamedItem & {
  /** The item's batch; undefined unless the row changes the item's status. */
  batch: { id: number; is_locked: boolean } | undefined
}
type Current = ReadonlyMap<number, CurrentItem>

/** The item that a row means, according to the row alone. */
export type Choice = {
  /** The item that was found, by one of the row's identifiers or by the item's own number; null if none was. */
  match: { by: IdentifierKind | 'item'; stock_id: number; in_hand: boolean } | null
  /** Why the row neither changes an item nor makes one; null if it does. */
  conflict: FieldErrors | null
  /**
   * If the item that was found is sold or returned to its supplier: whether the row then makes a new item, because the
   * phone was bought again.
   */
  isNewIfGone: boolean
}
type Candidate = Choice & { row: ParsedRow; found: readonly FoundItem[] }

/** A row with the item that it updates. Values that the item has already are removed from `row`. */
export type MeantRow = {
  row: ParsedRow
  /** The identifiers in the row, by `identifierKey`. Those that the item has already are included. */
  given: ReadonlyMap<string, IdentifierKind>
  found: readonly FoundItem[]
  /** The item that the row updates; null if the row makes a new item, or fails. */
  item: CurrentItem | null
  foundBy: IdentifierKind | 'item' | null
  conflict: FieldErrors | null
  product: DescribedProduct | null
}

/** Chooses the item that a row means: by the item's number if the row has it, else by the row's identifiers. */
export function chooseItem(values: CsvValues, found: readonly FoundItem[], updateExisting: boolean): Choice {
  if (!updateExisting) return { match: null, conflict: null, isNewIfGone: false }
  const id = values.backstock_item
  if (id === undefined) return chosenByIdentifiers(found.filter(isTellingOf(values)), values.status)
  return { match: { by: 'item', stock_id: id, in_hand: true }, conflict: null, isNewIfGone: false }
}

/**
 * Whether an identifier can find an item. A weak serial number such as `3` cannot, because many phones may have it. It
 * leads neither to an item of the shop nor to one that an earlier row has made; it can only be free or taken.
 */
export const isTelling = (kind: IdentifierKind, value: string) => kind !== 's' || !isWeakSerial(value)

const isTellingOf =
  (values: CsvValues) =>
  ({ kind }: FoundItem) =>
    isTelling(kind, values[IDENTIFIERS[kind].column] ?? '')

/**
 * Chooses an item by identifiers, which must all lead to the same item. If that item was sold and the row has a status
 * that a new item may have, the row makes a new item: the shop may buy a phone again.
 */
function chosenByIdentifiers(found: readonly FoundItem[], status: CsvValues['status']): Choice {
  const [first] = found
  const other = found.find(({ stock_id }) => stock_id !== first?.stock_id)
  const isNewIfGone = !first?.in_hand && (status === 'Inbound' || status === 'In Stock')
  if (!first) return { match: null, conflict: null, isNewIfGone }
  if (!other)
    return { match: { by: first.kind, stock_id: first.stock_id, in_hand: first.in_hand }, conflict: null, isNewIfGone }
  const { column, called } = IDENTIFIERS[other.kind]
  const message = `This ${called} belongs to item #${other.stock_id}, but the ${IDENTIFIERS[first.kind].called} to item #${first.stock_id}.`
  return { match: null, conflict: { [column]: message }, isNewIfGone }
}

/**
 * A row with the item that it updates. `current` has the present state of the items. `partnerId` is the partner that
 * pushes the row; it is null for a file.
 */
export function meantRow(
  row: ParsedRow,
  found: readonly FoundItem[],
  choice: Choice,
  current: Current,
  partnerId: number | null,
): MeantRow {
  const candidate = { ...choice, row, found }
  const allowed = partnerId === null ? checkNumber(candidate, current) : limitToPartner(candidate, current, partnerId)
  const checked = checkImei(allowed, current)
  const item = updatedItem(checked, current)
  const slotted = item ? inItsSlots(checked, item) : checked
  const left = item ? withoutUnchanged(slotted.row, item) : row
  return {
    row: left,
    given: identifiersOf(row.values),
    found: slotted.found,
    item,
    foundBy: checked.match?.by ?? null,
    conflict: checked.conflict,
    product: row.product ?? describedProduct(left.values, item) ?? ((!item && row.productIfNew) || null),
  }
}

/**
 * The identifiers that an item gets back when its row puts it in stock again, without those that the row names or
 * replaces. Another item may have one of these identifiers by now.
 */
export function restOf({ row, given, item }: MeantRow): Pick<CsvValues, IdentifierColumn> {
  if (!item || item.row.in_hand || row.values.status !== 'In Stock') return {}
  // Both slots are looked at: an IMEI that is in both stays in one of them if the row replaces the other.
  const rest = IDENTIFIER_KINDS.flatMap((kind) => {
    const { column } = IDENTIFIERS[kind]
    const value = item.row[column]
    const isLeft = value !== null && row.values[column] === undefined && !given.has(identifierKey(kind, value))
    return isLeft ? [[column, value]] : []
  })
  return Object.fromEntries(rest)
}

function updatedItem({ match, isNewIfGone }: Candidate, current: Current): CurrentItem | null {
  const item = match && current.get(match.stock_id)
  if (!item) return null
  const isGone = item.row.status === 'Sold' || item.row.status === 'Returned to Supplier'
  return isNewIfGone && isGone ? null : item
}

const refused = (candidate: Candidate, conflict: FieldErrors): Candidate => ({ ...candidate, match: null, conflict })

/**
 * Checks a row that names its item by number. It must have one of the item's identifiers, because the file may come
 * from another shop. It must not have an identifier of another item, unless the named item has it too: a phone that was
 * bought again is two items.
 */
function checkNumber(candidate: Candidate, current: Current): Candidate {
  const { row, found } = candidate
  const id = row.values.backstock_item
  if (id === undefined) return candidate
  const item = current.get(id)
  const keys = item && identifiersOf(item.row)
  const own = IDENTIFIER_KINDS.filter((kind) => {
    const { column } = IDENTIFIERS[kind]
    const value = row.values[column]
    return item && ((value !== undefined && keys?.has(identifierKey(kind, value))) || isAlready(item, column, row))
  })
  if (!item || own.length === 0) {
    const why = item ? `Item #${id} has none of this row's identifiers` : `There is no item #${id}`
    return refused(candidate, { [ITEM_COLUMN]: `${why}: the file may be another shop's.` })
  }
  const others = found
    .filter(isTellingOf(row.values))
    .filter(({ kind, stock_id }) => stock_id !== id && !own.includes(kind))
  if (others.length === 0) return candidate
  const conflict = others.map(({ kind, stock_id }) => [
    IDENTIFIERS[kind].column,
    `This ${IDENTIFIERS[kind].called} belongs to item #${stock_id}, but the row names item #${id}.`,
  ])
  return refused(candidate, Object.fromEntries(conflict))
}

/**
 * Limits a partner's row to items that the partner has pushed. If the row means another's item, and the shop still has
 * it, the row fails, and the message tells nothing about that item. If the items that were found have left, and belong
 * to others or are several, the identifiers count as free. If the partner took the item out, a row with In Stock brings
 * it back; a row with Inbound or without a status makes a new item. A row cannot take out an item that is not there.
 */
function limitToPartner(candidate: Candidate, current: Current, partnerId: number): Candidate {
  const { match, conflict, found, row } = candidate
  const underIdentifier = (message: string) => {
    const kind = match?.by ?? IDENTIFIER_KINDS.find((one) => row.values[IDENTIFIERS[one].column] !== undefined)
    return refused(candidate, { [kind && kind !== 'item' ? IDENTIFIERS[kind].column : 'imei']: message })
  }
  if (conflict && found.some(({ in_hand }) => in_hand))
    return underIdentifier('The identifiers of this row belong to different items.')
  const item = match && getFrom(current, match.stock_id)
  const isOthers = item !== null && item.row.partner_id !== partnerId
  if (isOthers && match?.in_hand) {
    const called = match.by === 'item' ? 'number' : IDENTIFIERS[match.by].called
    return underIdentifier(`An item with this ${called} is in stock, but it is not yours to change.`)
  }
  const { status } = row.values
  const isBroughtAnew = item?.row.status === 'Deleted' && (status === undefined || status === 'Inbound')
  const isFree = isOthers || conflict !== null || isBroughtAnew
  if (status === 'Deleted' && (isFree || match === null)) return underIdentifier('You have no such item.')
  // A weak serial number finds no item, because many phones may have it. But an item that the shop still has keeps its
  // own number.
  const holders = found.filter(({ in_hand, stock_id }) => in_hand && stock_id !== match?.stock_id)
  const quiet = holders.map((one) => ({ ...one, unnamed: true }))
  if (isFree) return { ...candidate, match: null, conflict: null, found: quiet }
  return holders.length
    ? { ...candidate, found: [...found.filter((one) => !holders.includes(one)), ...quiet] }
    : candidate
}

/**
 * Moves each IMEI of a row into the slot in which the item has it, because the order of a phone's IMEIs means nothing.
 * If one IMEI fills both slots, the row tells nothing about the item's other IMEI.
 */
function inItsSlots({ row, found }: Candidate, { row: item }: CurrentItem): Pick<Candidate, 'row' | 'found'> {
  const { imei, imei2: second, ...values } = row.values
  const imei2 = hasTwoImeis(item) && isSameIdentifier('i', imei, second) ? undefined : second
  const isSecond = isSameIdentifier('j', item.imei2, imei) && !isSameIdentifier('i', item.imei, imei)
  const isFirst = isSameIdentifier('i', item.imei, imei2) && !isSameIdentifier('j', item.imei2, imei2)
  if (!isSecond && !isFirst) {
    if (imei2 === second) return { row, found }
    return { row: { ...row, values: { ...values, ...(imei && { imei }) } }, found }
  }
  const swapped = { i: 'j', j: 'i' } as const
  return {
    row: { ...row, values: { ...values, ...(imei2 && { imei: imei2 }), ...(imei && { imei2: imei }) } },
    found: found.map((one) => (one.kind === 'i' || one.kind === 'j' ? { ...one, kind: swapped[one.kind] } : one)),
  }
}

const hasTwoImeis = ({ imei, imei2 }: CurrentItem['row']) =>
  imei !== null && imei2 !== null && !isSameIdentifier('i', imei, imei2)

/**
 * Refuses a row that changes the IMEI of an item found by serial number: the serial number then belongs to two phones,
 * or the cell holds something else.
 */
function checkImei(candidate: Candidate, current: Current): Candidate {
  const item = candidate.match && current.get(candidate.match.stock_id)?.row
  const { imei, imei2, serial_number } = candidate.row.values
  if (!item?.imei || imei === undefined) return candidate
  const own = [item.imei, item.imei2]
  if ([imei, imei2].some((given) => own.some((one) => isSameIdentifier('i', one, given)))) return candidate
  if (!isSameIdentifier('s', item.serial_number, serial_number)) return candidate
  const message = `Item #${item.id} has this serial number, but its IMEI is ${item.imei} and not ${imei}.`
  return refused(candidate, { serial_number: message })
}

/** Whether a cell has the text that an export would write for the item. */
function isAlready(item: CurrentItem, column: CsvColumn, { cells }: ParsedRow): boolean {
  const cell = cells[column]
  return cell !== undefined && cell === CSV[column].text(item)?.trim()
}

/**
 * The row without the values that its item has already. So the import of an export changes nothing, even if an old
 * value breaks a rule of today: a serial number `N/A`, for example, or a name with a line break.
 */
function withoutUnchanged(row: ParsedRow, item: CurrentItem): ParsedRow {
  const already = new Set<string>()
  for (const column of CSV_COLUMNS) if (isAlready(item, column, row)) already.add(column)
  return { ...row, values: without(row.values, already), errors: without(row.errors, already) }
}

/**
 * All fields except those with these names. The function copies, because `delete` would turn each of many rows into a
 * slow object.
 */
function without<Fields extends object>(fields: Fields, names: ReadonlySet<string>): Fields {
  const left = {} as Fields
  for (const name in fields) if (!names.has(name)) left[name] = fields[name]
  return left
}
