import type { FieldErrors } from '@backstock/contract/answer.ts'
import { ITEM_COLUMN } from '@backstock/contract/csv-columns.ts'
import { fullerImei } from '@backstock/contract/identifier-cell.ts'
import { NEEDS_IDENTIFIER } from '@backstock/contract/imei.ts'
import {
  allowedStockStatuses,
  NEW_ITEM_STATUS,
  NEW_STOCK_STATUSES,
  type StockStatus,
} from '@backstock/contract/stock-status.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import { type CsvValues, NEW_ITEM, type StockColumns, withValues } from '../../stock/columns.ts'
import {
  IDENTIFIER_KINDS,
  IDENTIFIERS,
  type IdentifierKind,
  identifierKey,
  identifiersOf,
  isSameIdentifier,
  takenMessage,
} from '../../stock/identifier-kinds.ts'
import { settledRate } from '../../stock/purchase-currency.ts'
import { batchAfterDeletion, fixedColumns, statusAfterComingBack } from '../../stock/status.ts'
import { mapWithPauses } from '../map-with-pauses.ts'
import type { CurrentItem, MeantRow } from './choose-item.ts'
import {
  type DescribedProduct,
  descriptionErrors,
  productKey,
  productKeyInAnyCase,
  saysProduct,
} from './described-product.ts'

export type NamedRecord = { id: number; name: string }
/** `purchase` is what items of this supplier were bought under, unless they say otherwise. */
export type KnownSupplier = NamedRecord & { purchase: PurchaseTreatment }
export type KnownProduct = { id: number; display_name: string }

/** The records that rows may name. */
export type Known = {
  /** All that have this name, in any case; the oldest first. */
  suppliers(name: string): KnownSupplier[]
  vats(name: string): NamedRecord[]
  grades(name: string): NamedRecord[]
  /** By `productKey`. */
  products: ReadonlyMap<string, KnownProduct>
}

/** What earlier parts of the import did, each with the line of its row. */
export type Earlier = {
  /** Items that rows made or changed, or meant to change when they failed. */
  items: ReadonlyMap<number, number>
  /** Identifiers that rows took off an item in hand. */
  freed: ReadonlyMap<string, number>
}

/** What earlier rows have taken, each with its line. */
type Taken = {
  earlier: Earlier
  items: Map<number, number>
  /** Identifiers that rows bring into hand. */
  identifiers: Map<string, number>
  /** Products that rows make, by `productKeyInAnyCase`. */
  products: Map<string, DescribedProduct>
}

/** The item that is to be written. */
export type Wanted = StockColumns & {
  in_hand: boolean
  sale_id: number | null
  grading_data: Record<string, unknown>
  attributes: Record<string, unknown>
}
type Written = {
  /** Its `actual_product_id` is `product.id`. */
  wanted: Wanted
  product: KnownProduct
  /** The product that has to be made first; `product` is then empty. */
  newProduct: DescribedProduct | null
  supplier: string | null
  vat: string | null
  grade: string | null
}
export type Create = Written & { kind: 'create' }
/** `freed` are the identifiers that the item had in hand and has no longer. */
export type Update = Written & { kind: 'update'; item: CurrentItem; freed: string[] }
/** `blockedItem` is the item that the row meant to change, if it is the first to: later rows may not change it. */
export type Failed = { kind: 'failed'; errors: FieldErrors; blockedItem: number | null }
export type Decision = Create | Update | Failed

const TO_BE_MADE: KnownProduct = { id: 0, display_name: '' }

/** Decides what becomes of each row, in the order of the file. Nothing is read or written here. */
export async function decideRows(rows: readonly MeantRow[], known: Known, earlier: Earlier): Promise<Decision[]> {
  const taken: Taken = { earlier, items: new Map(), identifiers: new Map(), products: new Map() }
  return mapWithPauses(rows, (row) => decide(row, known, taken))
}

function decide(meant: MeantRow, known: Known, taken: Taken): Decision {
  const { item, conflict } = meant
  const { values, grading, attributes } = meant.row
  const errors: FieldErrors = { ...(item || conflict ? {} : newItemErrors(values)), ...conflict, ...meant.row.errors }
  if (!item && !conflict && meant.row.errors['status']) errors['status'] = NEW_ITEM_STATUS
  const supplier = named('supplier', values.supplier, known.suppliers, item?.row.supplier_id ?? null, errors)
  const vat = named('vat', values.vat, known.vats, item?.row.vat_id ?? null, errors)
  const grade = named('grade', values.grade, known.grades, item?.row.grade_id ?? null, errors)
  if (conflict) return { kind: 'failed', errors, blockedItem: null }

  const place = item ? placeAfterUpdate(item, values.status, errors) : newPlace(values.status, errors)
  const { product, newProduct } = productOf(meant, known, taken)
  if (newProduct?.category === null) errors['category'] ??= 'A new product needs a category.'
  const before = item?.row
  const unsaid = { ...NEW_ITEM, ...(supplier && { purchase_treatment: supplier.purchase }) }
  const columns = withValues(before ?? unsaid, values)
  const { fx_rate, problem } = settledRate(before, columns, values)
  if (problem) errors['purchase_fx_rate'] ??= problem
  const wanted: Wanted = {
    ...columns,
    ...place,
    fx_rate,
    actual_product_id: product.id,
    imei: before?.imei && values.imei ? imeiOf(before.imei, values.imei) : columns.imei,
    imei2: before?.imei2 && values.imei2 ? imeiOf(before.imei2, values.imei2) : columns.imei2,
    supplier_id: supplier?.id ?? columns.supplier_id,
    vat_id: vat?.id ?? columns.vat_id,
    grade_id: grade?.id ?? columns.grade_id,
    grading_data: merged(before?.grading_data, grading),
    attributes: merged(before?.attributes, attributes),
  }
  if (item) {
    if (!meant.product && saysProduct(values))
      Object.assign(errors, { ...descriptionErrors({ ...item.product, ...values }), ...errors })
    keepFixed(item, wanted, errors)
  }
  const brought = identifiersBrought(wanted, item)
  Object.assign(errors, { ...takenErrors(meant, brought, taken), ...errors })
  if (Object.keys(errors).length) return { kind: 'failed', errors, blockedItem: block(meant, taken) }

  take(meant, brought, newProduct, taken)
  const written: Written = {
    wanted,
    product,
    newProduct,
    supplier: supplier?.name ?? item?.supplier ?? null,
    vat: vat?.name ?? item?.vat ?? null,
    grade: grade?.name ?? item?.grade ?? null,
  }
  return item
    ? { kind: 'update', item, freed: identifiersFreed(item, wanted), ...written }
    : { kind: 'create', ...written }
}

function newItemErrors(values: CsvValues): FieldErrors {
  const errors = descriptionErrors(values)
  if (values.purchase_price === undefined) errors['purchase_price'] = 'This field is required.'
  if (values.imei === undefined && values.serial_number === undefined) errors['imei'] = NEEDS_IDENTIFIER
  return errors
}

/** The record that a name means; if several have the name, only the one that the item has already. */
function named<Named extends NamedRecord>(
  field: 'supplier' | 'vat' | 'grade',
  name: string | undefined,
  find: (name: string) => Named[],
  now: number | null,
  errors: FieldErrors,
): Named | undefined {
  if (name === undefined) return undefined
  const found = find(name)
  const same = found.find(({ id }) => id === now)
  if (same) return same
  const what = field === 'vat' ? 'VAT rate' : field
  if (found.length === 0) errors[field] ??= `There is no ${what} called ${name}.`
  if (found.length > 1) errors[field] ??= `More than one ${what} is called ${name}.`
  return found[0]
}

/** The product of the item: a known one, or a new one, as the first row that names it describes it. */
function productOf({ product, item }: MeantRow, known: Known, taken: Taken): Pick<Written, 'product' | 'newProduct'> {
  if (!product) {
    const now = item && { id: item.row.actual_product_id, display_name: item.product.display_name }
    return { product: now ?? TO_BE_MADE, newProduct: null }
  }
  const found = known.products.get(productKey(product))
  if (found) return { product: found, newProduct: null }
  return { product: TO_BE_MADE, newProduct: taken.products.get(productKeyInAnyCase(product)) ?? product }
}

type Place = Pick<Wanted, 'status' | 'batch_id' | 'in_hand' | 'sale_id'>

function newPlace(status: StockStatus = NEW_STOCK_STATUSES[0], errors: FieldErrors): Place {
  if (!NEW_STOCK_STATUSES.some((allowed) => allowed === status)) errors['status'] ??= NEW_ITEM_STATUS
  return { status, batch_id: null, in_hand: true, sale_id: null }
}

/** As on the edit form; and whatever is in hand may become Deleted, also while it is on a sale. */
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

/** The new IMEI; but of two forms of one phone's IMEI the one with the check digit. */
const imeiOf = (now: string, given: string) => (isSameIdentifier('i', now, given) ? fullerImei(now, given) : given)

/** A value stays if its cell is the same as text, so that an export that is imported changes nothing. */
function merged(before: Record<string, unknown> | undefined, cells: Record<string, string>): Record<string, unknown> {
  const changed = Object.entries(cells).filter(([name, cell]) => textOf(before?.[name]) !== cell)
  return changed.length ? { ...before, ...Object.fromEntries(changed) } : (before ?? {})
}

const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

/**
 * Refuses to change what an invoice rests on, on an item that is sold or returned to its supplier. Another form of the
 * same identifier is no change: the old one stays.
 */
function keepFixed({ row }: CurrentItem, wanted: Wanted, errors: FieldErrors): void {
  for (const column of fixedColumns(row.status)) {
    if (wanted[column] === row[column]) continue
    const kind = IDENTIFIER_KINDS.find((one) => IDENTIFIERS[one].column === column)
    const identifier = kind && IDENTIFIERS[kind].column
    if (identifier && isSameIdentifier(kind, row[identifier], wanted[identifier])) wanted[identifier] = row[identifier]
    else errors[CSV_NAMES[column] ?? column] ??= `Cannot be changed: the item is ${row.status}.`
  }
}

/** The columns of a file that have other names than the item's own. */
const CSV_NAMES: { [Column in keyof StockColumns]?: string } = {
  actual_product_id: 'model',
  vat_id: 'vat',
  purchase_treatment: 'purchase_vat',
  fx_rate: 'purchase_fx_rate',
}

type Brought = { kind: IdentifierKind; key: string }

/** The identifiers that come into hand: all of an item that is new or comes back, else those that change. */
export function identifiersBrought(wanted: Wanted, item: Pick<CurrentItem, 'row'> | null): Brought[] {
  if (!wanted.in_hand) return []
  const had = item?.row.in_hand ? identifiersOf(item.row) : undefined
  return [...identifiersOf(wanted)].flatMap(([key, kind]) => (had?.has(key) ? [] : { kind, key }))
}

/** The identifiers that the row takes off its item. A later row with one of them may mean this item, and fails. */
function identifiersFreed({ row }: CurrentItem, wanted: Wanted): string[] {
  if (!row.in_hand) return []
  const has = identifiersOf(wanted)
  return [...identifiersOf(row).keys()].filter((key) => !has.has(key))
}

/** Errors if an earlier row has the item, or an earlier row or another item in hand has one of the identifiers. */
function takenErrors(
  { found, item, foundBy }: MeantRow,
  brought: readonly Brought[],
  { earlier, ...taken }: Taken,
): FieldErrors {
  const errors: FieldErrors = {}
  const lineOf = (id: number) => taken.items.get(id) ?? earlier.items.get(id)
  const refuse = (kind: IdentifierKind, line: number) => {
    const { column, called } = IDENTIFIERS[kind]
    errors[column] ??= `This ${called} is already in this file, row ${line}.`
  }
  const line = item ? lineOf(item.row.id) : undefined
  if (item && foundBy && line !== undefined) {
    if (foundBy === 'item') errors[ITEM_COLUMN] = `Item #${item.row.id} is already in this file, row ${line}.`
    else refuse(foundBy, line)
  }
  // An identifier that an earlier part took off its item now leads to an older item, which has left.
  if (item && foundBy !== 'item')
    for (const { kind } of found) {
      const line = earlier.freed.get(identifierKey(kind, item.row[IDENTIFIERS[kind].column] ?? ''))
      if (line !== undefined) refuse(kind, line)
    }
  for (const { kind, key } of brought) {
    const holder = found.find((one) => one.kind === kind && one.in_hand && one.stock_id !== item?.row.id)
    const line = taken.identifiers.get(key) ?? earlier.freed.get(key) ?? (holder && lineOf(holder.stock_id))
    if (line !== undefined) refuse(kind, line)
    else if (holder) errors[IDENTIFIERS[kind].column] ??= takenMessage(kind, holder.stock_id)
  }
  return errors
}

/**
 * Keeps later rows from changing the item that a failed row meant. In an export the item in hand comes first; a later
 * row with the same identifier is about an older item of that phone.
 */
function block({ item, row }: MeantRow, { items, earlier }: Taken): number | null {
  if (!item || items.has(item.row.id) || earlier.items.has(item.row.id)) return null
  items.set(item.row.id, row.line)
  return item.row.id
}

function take(
  { item, row }: MeantRow,
  brought: readonly Brought[],
  newProduct: DescribedProduct | null,
  { items, identifiers, products }: Taken,
): void {
  if (item) items.set(item.row.id, row.line)
  for (const { key } of brought) identifiers.set(key, row.line)
  if (newProduct) products.set(productKeyInAnyCase(newProduct), newProduct)
}
