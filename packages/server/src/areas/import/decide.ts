import type { FieldErrors } from '@backstock/contract/answer.ts'
import { fullerImei } from '@backstock/contract/identifier-cell.ts'
import { ITEM_COLUMN } from '@backstock/contract/import.ts'
import { NEEDS_IDENTIFIER } from '@backstock/contract/stock.ts'
import {
  allowedStockStatuses,
  NEW_ITEM_STATUS,
  NEW_STOCK_STATUSES,
  type StockStatus,
} from '@backstock/contract/stock-status.ts'
import { type CsvValues, NEW_ITEM, type StockColumns, withValues } from '../stock/columns.ts'
import { takenMessage } from '../stock/identifiers.ts'
import { batchAfterDeletion, fixedColumns, statusAfterComingBack } from '../stock/status.ts'
import type { CurrentItem } from './current-items.ts'
import type { Lookups } from './lookups.ts'
import { KEY_KINDS, KEYS, type KeyKind, keyValue, type Match } from './match.ts'
import { type KnownProduct, type ProductWish, sameProduct, wishErrors, wishKey } from './products.ts'
import type { RowInput } from './row.ts'

export type RowToDecide = {
  input: RowInput
  values: CsvValues
  errors: FieldErrors
  /** What the row's keys lead to, each to one item: the one in hand, or where updates are made the newest that has left. */
  matches: readonly Match[]
  /** The item that the row updates: found by one of its keys, or by the item's own number. */
  match: (Pick<Match, 'stock_id' | 'in_hand'> & { kind: KeyKind | 'item' }) | null
  /** Why it can mean no item and make none either. */
  conflict: FieldErrors | null
  /** Whether the row makes a new item where the matched one is sold or returned and gone. */
  unlessGone: boolean
}

/**
 * What earlier rows have taken: keys that they bring into hand and items to the line that has them, items also those that it
 * failed to change; the keys that earlier parts took off an item; and the products that rows make, by `sameProduct`.
 */
export type Claims = {
  keys: Map<string, number>
  items: Map<number, number>
  earlier: ReadonlyMap<number, number>
  freed: ReadonlyMap<string, number>
  products: Map<string, ProductWish>
}

/** An item as it is to be, but for its product, which may have to be made first. */
export type Wanted = Omit<StockColumns, 'actual_product_id'> & {
  in_hand: boolean
  sale_id: number | null
  grading_data: Record<string, unknown>
  attributes: Record<string, unknown>
}
type Written = {
  wanted: Wanted
  product: KnownProduct
  /** The product is to be made first; `product` is then empty. */
  create: ProductWish | null
  supplier: string | null
  vat: string | null
}
export type Create = Written & { kind: 'create' }
/** `freed` are the keys that the item had in hand and has no longer. */
export type Update = Written & { kind: 'update'; item: CurrentItem; freed: string[] }
/** `held` is the item that the row would have changed, where it is the first to. */
export type Failed = { kind: 'failed'; errors: FieldErrors; held: number | null }
export type Decision = Create | Update | Failed

const TO_BE_MADE: KnownProduct = { id: 0, display_name: '' }
const PRODUCT_COLUMNS = ['make', 'model', 'capacity', 'capacity_unit', 'colour'] as const

/** The item that a row updates, unless it makes a new one. */
export function updatedItem(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>): CurrentItem | null {
  const item = row.match && current.get(row.match.stock_id)
  if (!item) return null
  const isGone = item.row.status === 'Sold' || item.row.status === 'Returned to Supplier'
  return row.unlessGone && isGone ? null : item
}

/** The product that a row names: what it says, over what the item is now. Null where it says nothing, or not enough. */
export function productWish(row: RowToDecide, current: ReadonlyMap<number, CurrentItem>): ProductWish | null {
  const item = updatedItem(row, current)
  if (item && PRODUCT_COLUMNS.every((column) => row.values[column] === undefined)) return null
  const now = item?.product
  const { make = now?.make, model = now?.model, category = now?.category ?? null } = row.values
  const { capacity = now?.capacity ?? null, capacity_unit = now?.capacity_unit ?? null } = row.values
  const { colour = now?.colour ?? null } = row.values
  if (make === undefined || model === undefined || (capacity === null) !== (capacity_unit === null)) return null
  return { make, model, capacity, capacity_unit, colour, category }
}

export type Known = {
  current: ReadonlyMap<number, CurrentItem>
  lookups: Lookups
  products: ReadonlyMap<string, KnownProduct>
  wish: ProductWish | null
  claims: Claims
}

/** Decides what becomes of one row, in the order of the file: a row claims its keys only if nothing is wrong with it. */
export function decide(row: RowToDecide, known: Known): Decision {
  const { values, input, conflict } = row
  const item = updatedItem(row, known.current)
  const errors: FieldErrors = { ...(item || conflict ? {} : newItemErrors(values)), ...conflict, ...row.errors }
  if (!item && !conflict && row.errors['status']) errors['status'] = NEW_ITEM_STATUS
  const supplier = chosen('supplier', values.supplier, known.lookups.suppliers, item?.row.supplier_id ?? null, errors)
  const vat = chosen('vat', values.vat, known.lookups.vats, item?.row.vat_id ?? null, errors)
  if (conflict) return { kind: 'failed', errors, held: null }
  const place = item ? placeAfterUpdate(item, values.status, errors) : newPlace(values.status, errors)
  const wished = known.wish && known.products.get(wishKey(known.wish))
  const create = known.wish && !wished ? (known.claims.products.get(sameProduct(known.wish)) ?? known.wish) : null
  if (create?.category === null) errors['category'] ??= 'A new product needs a category.'

  const before = item?.row
  const { actual_product_id: _, ...columns } = withValues(before ?? NEW_ITEM, values)
  const wanted: Wanted = {
    ...columns,
    ...place,
    imei: before?.imei && values.imei ? imeiOf(before.imei, values.imei) : columns.imei,
    supplier_id: supplier?.id ?? columns.supplier_id,
    vat_id: vat?.id ?? columns.vat_id,
    grading_data: merged(before?.grading_data, input.grading),
    attributes: merged(before?.attributes, input.attributes),
  }
  const product = wished ?? TO_BE_MADE
  if (item) {
    if (!known.wish && PRODUCT_COLUMNS.some((column) => values[column] !== undefined))
      Object.assign(errors, { ...wishErrors({ ...item.product, ...values }), ...errors })
    settle(item, wanted, known.wish ? product.id : item.row.actual_product_id, errors)
  }
  const brought = broughtKeys(wanted, item)
  Object.assign(errors, { ...takenErrors(row, item, brought, known.claims), ...errors })
  if (Object.keys(errors).length) return { kind: 'failed', errors, held: hold(row, item, known.claims) }

  claim(row, item, brought, create, known.claims)
  const written: Written = {
    wanted,
    product:
      item && !known.wish ? { id: item.row.actual_product_id, display_name: item.product.display_name } : product,
    create,
    supplier: supplier?.name ?? item?.supplier ?? null,
    vat: vat?.name ?? item?.vat ?? null,
  }
  return item ? { kind: 'update', item, freed: freedKeys(item, wanted), ...written } : { kind: 'create', ...written }
}

/** Of two phones' IMEIs the new one; of one phone's the one with the check digit. */
const imeiOf = (now: string, given: string) =>
  keyValue('i', now) === keyValue('i', given) ? fullerImei(now, given) : given

type Brought = { kind: KeyKind; key: string }
const keyOf = (kind: KeyKind, value: string) => kind + keyValue(kind, value)

/** The keys that the row brings into hand: all of an item that is new or comes back, else those that change. */
function broughtKeys(wanted: Wanted, item: CurrentItem | null): Brought[] {
  if (!wanted.in_hand) return []
  return KEY_KINDS.flatMap((kind) => {
    const [value, had] = [wanted[KEYS[kind].field], item?.row.in_hand ? item.row[KEYS[kind].field] : null]
    if (value === null || (had !== null && keyValue(kind, had) === keyValue(kind, value))) return []
    return [{ kind, key: keyOf(kind, value) }]
  })
}

/** Whoever brings such a key in the same file may mean the item that had it: that row fails, wherever it stands. */
function freedKeys({ row }: CurrentItem, wanted: Wanted): string[] {
  if (!row.in_hand) return []
  return KEY_KINDS.flatMap((kind) => {
    const [had, has] = [row[KEYS[kind].field], wanted[KEYS[kind].field]]
    if (had === null || (has !== null && keyValue(kind, had) === keyValue(kind, has))) return []
    return [keyOf(kind, had)]
  })
}

/** What is wrong with the item and the keys that the row means: an earlier row or another item in hand has them. */
function takenErrors(
  row: RowToDecide,
  item: CurrentItem | null,
  brought: readonly Brought[],
  claims: Claims,
): FieldErrors {
  const errors: FieldErrors = {}
  const inThisFile = (what: string, line: number) => `${what} is already in this file, row ${line}.`
  const line = item ? lineOf(item.row.id, claims) : undefined
  if (item && row.match && line !== undefined) {
    const { kind } = row.match
    if (kind === 'item') errors[ITEM_COLUMN] = inThisFile(`Item #${item.row.id}`, line)
    else errors[KEYS[kind].field] = inThisFile(`This ${KEYS[kind].called}`, line)
  }
  // With the item that had it when the file began out of the way, a key may lead to one that has left.
  if (item && row.match?.kind !== 'item')
    for (const { kind } of row.matches) {
      const earlier = claims.freed.get(keyOf(kind, item.row[KEYS[kind].field] ?? ''))
      if (earlier !== undefined) errors[KEYS[kind].field] ??= inThisFile(`This ${KEYS[kind].called}`, earlier)
    }
  for (const { kind, key } of brought) {
    const holder = row.matches.find((match) => match.kind === kind && match.in_hand && match.stock_id !== item?.row.id)
    const earlier = claims.keys.get(key) ?? claims.freed.get(key) ?? (holder && lineOf(holder.stock_id, claims))
    if (earlier !== undefined) errors[KEYS[kind].field] ??= inThisFile(`This ${KEYS[kind].called}`, earlier)
    else if (holder) errors[KEYS[kind].field] ??= takenMessage(kind, holder.stock_id)
  }
  return errors
}

function newItemErrors(values: CsvValues): FieldErrors {
  const errors = wishErrors(values)
  if (values.purchase_price === undefined) errors['purchase_price'] = 'This field is required.'
  if (values.imei === undefined && values.serial_number === undefined) errors['imei'] = NEEDS_IDENTIFIER
  return errors
}

type Named = { id: number; name: string }

/** The record that a name means; where several have it, only the one that the item has already. */
function chosen(
  field: 'supplier' | 'vat',
  name: string | undefined,
  find: (name: string) => Named[],
  now: number | null,
  errors: FieldErrors,
): Named | undefined {
  if (name === undefined) return undefined
  const found = find(name)
  const same = found.find(({ id }) => id === now)
  if (same) return same
  const what = field === 'vat' ? 'VAT rate' : 'supplier'
  if (found.length === 0) errors[field] ??= `There is no ${what} called ${name}.`
  if (found.length > 1) errors[field] ??= `More than one ${what} is called ${name}.`
  return found[0]
}

type Place = Pick<Wanted, 'status' | 'batch_id' | 'in_hand' | 'sale_id'>

function newPlace(status: StockStatus = NEW_STOCK_STATUSES[0], errors: FieldErrors): Place {
  if (!NEW_STOCK_STATUSES.some((allowed) => allowed === status)) errors['status'] ??= NEW_ITEM_STATUS
  return { status, batch_id: null, in_hand: true, sale_id: null }
}

/** The moves of the edit form, and Deleted for everything that has not left the house. */
function placeAfterUpdate({ row, batch }: CurrentItem, wanted: StockStatus | undefined, errors: FieldErrors): Place {
  const { status, batch_id, in_hand, sale_id } = row
  const stays = { status, batch_id, in_hand, sale_id }
  if (wanted === undefined || wanted === status) return stays
  if (wanted === 'Deleted' && in_hand)
    return { status: 'Deleted', batch_id: batchAfterDeletion(batch), in_hand: false, sale_id: null }
  if (!allowedStockStatuses(status).includes(wanted)) {
    errors['status'] ??= `An item that is ${status} cannot become ${wanted}.`
    return stays
  }
  return { status: wanted === 'In Stock' ? statusAfterComingBack(row) : wanted, batch_id, in_hand: true, sale_id: null }
}

/** Old values stay where the cell says the same: an export that comes back changes nothing. */
function merged(before: Record<string, unknown> | undefined, cells: Record<string, string>): Record<string, unknown> {
  const changed = Object.entries(cells).filter(([name, cell]) => textOf(before?.[name]) !== cell)
  return changed.length ? { ...before, ...Object.fromEntries(changed) } : (before ?? {})
}

const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

/** Of an item that is sold or returned, what an invoice rests on stays; another way to write the same key is no change. */
function settle({ row }: CurrentItem, wanted: Wanted, productId: number, errors: FieldErrors): void {
  const message = `Cannot be changed: the item is ${row.status}.`
  for (const column of fixedColumns(row.status)) {
    const kind = KEY_KINDS.find((one) => KEYS[one].field === column)
    const now = column === 'actual_product_id' ? productId : wanted[column]
    if (now === row[column]) continue
    if (kind && isSameKey(kind, row[KEYS[kind].field], wanted[KEYS[kind].field]))
      wanted[KEYS[kind].field] = row[KEYS[kind].field]
    else errors[column === 'actual_product_id' ? 'model' : column === 'vat_id' ? 'vat' : column] ??= message
  }
}

const isSameKey = (kind: KeyKind, one: string | null, other: string | null) =>
  one !== null && other !== null && keyValue(kind, one) === keyValue(kind, other)

const lineOf = (id: number, { items, earlier }: Claims) => items.get(id) ?? earlier.get(id)

/**
 * A row that fails keeps the item that it means from later ones, all the same: in an export the item in hand comes first, and
 * what follows may be what became of the phone before.
 */
function hold(row: RowToDecide, item: CurrentItem | null, claims: Claims): number | null {
  if (!item || lineOf(item.row.id, claims) !== undefined) return null
  claims.items.set(item.row.id, row.input.line)
  return item.row.id
}

function claim(
  row: RowToDecide,
  item: CurrentItem | null,
  brought: readonly Brought[],
  create: ProductWish | null,
  { keys, items, products }: Claims,
): void {
  const { line } = row.input
  if (item) items.set(item.row.id, line)
  for (const { key } of brought) keys.set(key, line)
  if (create) products.set(sameProduct(create), create)
}
