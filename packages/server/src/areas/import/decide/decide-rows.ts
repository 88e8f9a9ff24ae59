import type { FieldErrors } from '@backstock/contract/answer.ts'
import { ITEM_COLUMN } from '@backstock/contract/csv-columns.ts'
import { IN_FUTURE, isInFuture } from '@backstock/contract/future-day.ts'
import { fullerImei, isWeakSerial, weakSerialMessage } from '@backstock/contract/identifier-cell.ts'
import { NEEDS_IDENTIFIER } from '@backstock/contract/imei.ts'
import { fxRateProblem } from '@backstock/contract/purchase-currency.ts'
import {
  allowedStockStatuses,
  NEW_ITEM_STATUS,
  NEW_STOCK_STATUSES,
  type StockStatus,
} from '@backstock/contract/stock-status.ts'
import type { PlannedRow } from '../../../db/preview-columns.ts'
import { NEW_ITEM, type StockColumns, withValues } from '../../stock/columns.ts'
import {
  IDENTIFIER_KINDS,
  IDENTIFIERS,
  type IdentifierKind,
  identifiersOf,
  isSameIdentifier,
  takenMessage,
} from '../../stock/identifier-kinds.ts'
import { settledRate } from '../../stock/purchase-currency.ts'
import { batchAfterDeletion, fixedColumns, statusAfterComingBack } from '../../stock/status.ts'
import {
  type DescribedProduct,
  descriptionErrors,
  NEEDS_CATEGORY,
  productKey,
  productKeyInAnyCase,
  REQUIRED,
  saysProduct,
} from '../read/described-product.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { rowInFile } from '../read/parse-row.ts'
import { type CurrentItem, isTelling, type MeantRow } from './choose-item.ts'
import type {
  Create,
  Decision,
  Failed,
  KnownProduct,
  KnownSupplier,
  NamedRecord,
  Update,
  Wanted,
  Written,
} from './decision.ts'
import { otherThanPlanned } from './planned-row.ts'

/** The records that the rows' names can mean. */
export type Known = {
  /** All records with this name, in any case, the oldest first. */
  suppliers(name: string): KnownSupplier[]
  vats(name: string): NamedRecord[]
  grades(name: string): NamedRecord[]
  /** The known products, by `productKey`. */
  products: ReadonlyMap<string, KnownProduct>
  /** The company's date (yyyy-mm-dd). */
  today: string
}

/** The changes that earlier parts of the import (up to 1,000 rows each) have made, each with the number of its row. */
export type Earlier = {
  /** The items that rows made or changed, and those that a failed row meant to change. */
  items: ReadonlyMap<number, number>
  /**
   * The identifiers that now lead to another item than before, or to none. An identifier that one of `items` still
   * bears in the shop is left out.
   */
  freed: ReadonlyMap<string, number>
}
export const NOTHING_EARLIER: Earlier = { items: new Map(), freed: new Map() }

/**
 * The items and identifiers that earlier rows of the same part of the file make, change or move, each with the number
 * of its row. The database does not know them yet. If the import only plans, they are those of the whole file.
 */
export type SeenInPart = {
  items: Map<number, number>
  /** The identifiers that rows give to items, or take off items. */
  identifiers: Map<string, number>
  /** The products that rows make, by `productKeyInAnyCase`. */
  products: Map<string, DescribedProduct>
}
export const nothingSeen = (): SeenInPart => ({ items: new Map(), identifiers: new Map(), products: new Map() })
/** `isPush` means that a partner's call brings the rows, and no file. */
type SeenInFile = SeenInPart & { earlier: Earlier; isPush: boolean }

const TO_BE_MADE: KnownProduct = { id: 0, display_name: '' }

/**
 * Decides about each row, in the order of the file. The function reads and writes nothing. Its decisions do not depend
 * on the parts into which the file is cut. If there is a plan (by row), a row whose decision differs from its plan
 * fails.
 */
export async function decideRows(
  rows: readonly MeantRow[],
  known: Known,
  earlier: Earlier,
  {
    seen = nothingSeen(),
    planned,
    partnerId = null,
  }: { seen?: SeenInPart; planned?: ReadonlyMap<number, PlannedRow> | undefined; partnerId?: number | null } = {},
): Promise<Decision[]> {
  const inFile = { ...seen, earlier, isPush: partnerId !== null }
  return mapWithPauses(rows, (meant) => decide(meant, known, inFile, planned?.get(meant.row.line)))
}

function decide(meant: MeantRow, known: Known, seen: SeenInFile, planned: PlannedRow | undefined): Decision {
  const conflict = meant.conflict ?? movedErrors(meant, seen)
  const { decision, brought } = conflict
    ? {
        decision: failed({
          ...conflict,
          ...dateErrors(meant, known),
          ...meant.row.errors,
          ...nameErrors(meant, known),
        }),
        brought: [],
      }
    : withoutConflict(meant, known, seen)
  const refused = planned && otherThanPlanned(planned, decision)
  if (refused) return failed(refused)
  if (decision.kind === 'failed') return conflict ? decision : { ...decision, blockedItem: block(meant, seen) }
  remember(rowInFile(meant.row), decision, brought, seen)
  return decision
}

const failed = (errors: FieldErrors): Failed => ({ kind: 'failed', errors, blockedItem: null })

/** The error of a date of purchase in the future. If the item has that date already, its row has no such value. */
function dateErrors({ row: { values } }: MeantRow, { today }: Known): FieldErrors {
  const day = values.purchase_date
  return day !== undefined && isInFuture(day, today) ? { purchase_date: IN_FUTURE } : {}
}

function nameErrors({ row: { values } }: MeantRow, known: Known): FieldErrors {
  const errors: FieldErrors = {}
  named('supplier', values.supplier, known.suppliers, null, errors)
  named('vat', values.vat, known.vats, null, errors)
  named('grade', values.grade, known.grades, null, errors)
  return errors
}

function withoutConflict(meant: MeantRow, known: Known, seen: SeenInFile): { decision: Decision; brought: Brought[] } {
  const { item } = meant
  const { values, grading, attributes } = meant.row
  const errors: FieldErrors = {
    ...(item ? {} : newItemErrors(meant)),
    ...dateErrors(meant, known),
    ...meant.row.errors,
  }
  if (!item && meant.row.errors['status']) errors['status'] = NEW_ITEM_STATUS
  const supplier = named('supplier', values.supplier, known.suppliers, item?.row.supplier_id ?? null, errors)
  const vat = named('vat', values.vat, known.vats, item?.row.vat_id ?? null, errors)
  const grade = named('grade', values.grade, known.grades, item?.row.grade_id ?? null, errors)

  const place = item ? placeAfterUpdate(item, values.status, errors) : newPlace(values.status, errors)
  const { product, newProduct } = productOf(meant, known, seen)
  if (newProduct?.category === null) errors['category'] ??= NEEDS_CATEGORY
  const now = item?.row
  const { priceIfNew = NEW_ITEM.purchase_price } = meant.row
  const unsaid = {
    ...NEW_ITEM,
    purchase_price: priceIfNew,
    ...(supplier && { purchase_treatment: supplier.purchase }),
  }
  const columns = withValues(now ?? unsaid, values)
  const currency = columns.purchase_currency
  const fx_rate = settledRate(now, columns, values).fx_rate ?? meant.row.rates?.get(currency) ?? null
  const problem = fxRateProblem(currency, fx_rate)
  if (problem) errors['purchase_fx_rate'] ??= problem
  const wanted: Wanted = {
    ...columns,
    ...place,
    fx_rate,
    actual_product_id: product.id,
    imei: now?.imei && values.imei ? imeiOf(now.imei, values.imei) : columns.imei,
    imei2: now?.imei2 && values.imei2 ? imeiOf(now.imei2, values.imei2) : columns.imei2,
    supplier_id: supplier?.id ?? columns.supplier_id,
    vat_id: vat?.id ?? columns.vat_id,
    grade_id: grade?.id ?? columns.grade_id,
    grading_data: merged(now?.grading_data, grading),
    attributes: merged(now?.attributes, attributes),
  }
  if (item) {
    if (!meant.product && saysProduct(values))
      Object.assign(errors, { ...descriptionErrors({ ...item.product, ...values }), ...errors })
    keepFixed(item, wanted, { errors, isNamed: meant.foundBy === 'item' })
  }
  const brought = identifiersBrought(wanted, item)
  Object.assign(errors, { ...takenErrors(meant, brought, seen), ...errors })
  const { csv } = errors
  const told = meant.row.isNoItem && csv !== undefined ? { csv } : errors
  if (Object.keys(told).length) return { decision: failed(told), brought }
  const written: Written = {
    wanted,
    product,
    newProduct,
    supplier: supplier?.name ?? item?.supplier ?? null,
    vat: vat?.name ?? item?.vat ?? null,
    grade: grade?.name ?? item?.grade ?? null,
  }
  const decision: Decision = item
    ? { kind: 'update', item, freed: identifiersFreed(item, wanted), ...written }
    : { kind: 'create', ...written }
  return { decision, brought }
}

function newItemErrors({ row: { values, priceIfNew }, product }: MeantRow): FieldErrors {
  const errors = product ? {} : descriptionErrors(values)
  if (values.purchase_price === undefined && priceIfNew === undefined) errors['purchase_price'] = REQUIRED
  if (values.imei !== undefined) return errors
  if (values.serial_number === undefined) errors['imei'] = NEEDS_IDENTIFIER
  else if (isWeakSerial(values.serial_number)) errors['serial_number'] = weakSerialMessage(values.serial_number)
  return errors
}

/**
 * The record that a name means. If several records have the name, only the one that the item has already can be meant.
 */
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
  const what = field === 'vat' ? 'VAT type' : field
  if (found.length === 0) errors[field] ??= `There is no ${what} called ${name}.`
  if (found.length > 1) errors[field] ??= `More than one ${what} is called ${name}.`
  return found[0]
}

/** The product of the item: a known product, or a new one as the first row with its name describes it. */
function productOf(
  { product, item }: MeantRow,
  known: Known,
  seen: SeenInPart,
): Pick<Written, 'product' | 'newProduct'> {
  if (!product) {
    const now = item && { id: item.row.actual_product_id, display_name: item.product.display_name }
    return { product: now ?? TO_BE_MADE, newProduct: null }
  }
  const found = known.products.get(productKey(product))
  if (found) return { product: found, newProduct: null }
  return { product: TO_BE_MADE, newProduct: seen.products.get(productKeyInAnyCase(product)) ?? product }
}

type Place = Pick<Wanted, 'status' | 'batch_id' | 'in_hand' | 'sale_id'>

function newPlace(status: StockStatus = NEW_STOCK_STATUSES[0], errors: FieldErrors): Place {
  if (!NEW_STOCK_STATUSES.some((allowed) => allowed === status)) errors['status'] ??= NEW_ITEM_STATUS
  return { status, batch_id: null, in_hand: true, sale_id: null }
}

/**
 * The status of an item after the update, by the rules of the edit form. In addition, any item that the shop still has
 * may become Deleted, even if it is on a sale.
 */
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

/** The IMEI to store. If the new IMEI is another form of the present one, the form with the check digit is stored. */
const imeiOf = (now: string, given: string) => (isSameIdentifier('i', now, given) ? fullerImei(now, given) : given)

/**
 * The raw data of an item after the row. A value whose text equals the cell stays as it is, so that the import of an
 * export changes nothing.
 */
function merged(before: Record<string, unknown> | undefined, cells: Record<string, string>): Record<string, unknown> {
  const changed = Object.entries(cells).filter(([name, cell]) => textOf(before?.[name]) !== cell)
  return changed.length ? { ...before, ...Object.fromEntries(changed) } : (before ?? {})
}

const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

/**
 * If an item is sold or returned to its supplier, refuses to change the columns that its invoice needs. Another form of
 * the same identifier is no change: the item keeps its form.
 */
function keepFixed({ row }: CurrentItem, wanted: Wanted, { errors, isNamed }: Fixed): void {
  for (const column of fixedColumns(row.status)) {
    if (wanted[column] === row[column]) continue
    const kind = IDENTIFIER_KINDS.find((one) => IDENTIFIERS[one].column === column)
    const identifier = kind && IDENTIFIERS[kind].column
    if (identifier && isSameIdentifier(kind, row[identifier], wanted[identifier])) wanted[identifier] = row[identifier]
    else errors[CSV_NAMES[column] ?? column] ??= fixedWords(row, column, isNamed)
  }
}

/** `isNamed` means that the row names its item by number. */
type Fixed = { errors: FieldErrors; isNamed: boolean }

/**
 * Why a column cannot change. A phone that is gone may have been bought back: with a status, its row makes a new item,
 * unless the row names the item by number.
 */
function fixedWords({ id, status, in_hand }: CurrentItem['row'], column: string, isNamed: boolean): string {
  const what = column === 'actual_product_id' ? 'The product cannot be changed' : 'Cannot be changed'
  const why = `${what}: item #${id} is ${status}.`
  return in_hand || isNamed ? why : `${why} If you have bought it back, give the row the status Inbound or In Stock.`
}

/** The columns that have another name in files than in the table. */
const CSV_NAMES: { [Column in keyof StockColumns]?: string } = {
  actual_product_id: 'model',
  vat_id: 'vat',
  purchase_treatment: 'purchase_vat',
  fx_rate: 'purchase_fx_rate',
}

type Brought = { kind: IdentifierKind; key: string }

/**
 * The identifiers that the item brings into the shop: all of them if the item is new or comes back, else those that
 * change.
 */
export function identifiersBrought(wanted: Wanted, item: Pick<CurrentItem, 'row'> | null): Brought[] {
  if (!wanted.in_hand) return []
  const had = item?.row.in_hand ? identifiersOf(item.row) : undefined
  return [...identifiersOf(wanted)].flatMap(([key, kind]) => (had?.has(key) ? [] : { kind, key }))
}

/**
 * The identifiers that a later row may no longer use to find an item: those that this row takes off its item, those
 * that it gives to an item that has left, and all of the item's if it leaves or comes back. A later row that has one of
 * them may mean this item, so it fails.
 */
function identifiersFreed({ row }: CurrentItem, wanted: Wanted): string[] {
  const [had, has] = [identifiersOf(row), identifiersOf(wanted)]
  const moves = row.in_hand !== wanted.in_hand
  const gone = [...had.keys()].filter((key) => moves || !has.has(key))
  return wanted.in_hand ? gone : [...gone, ...[...has.keys()].filter((key) => !had.has(key))]
}

const isAlreadyIn = (line: number, { isPush }: SeenInFile) =>
  `is already in ${isPush ? `this call, item ${line}` : `this file, row ${line}`}.`

function refuse(errors: FieldErrors, kind: IdentifierKind, line: number, seen: SeenInFile): void {
  const { column, called } = IDENTIFIERS[kind]
  errors[column] ??= `This ${called} ${isAlreadyIn(line, seen)}`
}

/**
 * The errors if an earlier row has moved one of the identifiers by which the row finds its item. If the row names its
 * item by number, the item's own identifiers are no errors.
 */
function movedErrors({ given, item, foundBy }: MeantRow, seen: SeenInFile): FieldErrors | null {
  const errors: FieldErrors = {}
  const { identifiers, earlier } = seen
  const own = item && foundBy === 'item' ? identifiersOf(item.row) : undefined
  for (const [key, kind] of given) {
    if (!isTelling(kind, key.slice(kind.length))) continue
    const line = identifiers.get(key) ?? earlier.freed.get(key)
    if (line !== undefined && !own?.has(key)) refuse(errors, kind, line, seen)
  }
  return Object.keys(errors).length ? errors : null
}

/**
 * The errors if an earlier row has changed the item, or if one of the identifiers belongs to an earlier row or to
 * another item that the shop still has.
 */
function takenErrors({ found, item, foundBy }: MeantRow, brought: readonly Brought[], seen: SeenInFile): FieldErrors {
  const errors: FieldErrors = {}
  const { items, identifiers, earlier } = seen
  const lineOf = (id: number) => items.get(id) ?? earlier.items.get(id)
  const line = item ? lineOf(item.row.id) : undefined
  if (item && foundBy && line !== undefined) {
    if (foundBy === 'item') errors[ITEM_COLUMN] = `Item #${item.row.id} ${isAlreadyIn(line, seen)}`
    else refuse(errors, foundBy, line, seen)
  }
  for (const { kind, key } of brought) {
    const holder = found.find((one) => one.kind === kind && one.in_hand && one.stock_id !== item?.row.id)
    const line = identifiers.get(key) ?? earlier.freed.get(key) ?? (holder && lineOf(holder.stock_id))
    if (line !== undefined) refuse(errors, kind, line, seen)
    else if (holder) errors[IDENTIFIERS[kind].column] ??= takenMessage(kind, holder.unnamed ? null : holder.stock_id)
  }
  return errors
}

/**
 * Remembers the item that a failed row meant, so that later rows cannot change it. An export lists the item that the
 * shop still has before older items of the same phone. So a later row with the same identifier is about an older item.
 */
function block({ item, row }: MeantRow, { items, earlier }: SeenInFile): number | null {
  if (!item || items.has(item.row.id) || earlier.items.has(item.row.id)) return null
  items.set(item.row.id, rowInFile(row))
  return item.row.id
}

function remember(line: number, decision: Create | Update, brought: readonly Brought[], seen: SeenInFile): void {
  for (const { key } of brought) seen.identifiers.set(key, line)
  if (decision.kind === 'update') {
    seen.items.set(decision.item.row.id, line)
    for (const key of decision.freed) seen.identifiers.set(key, line)
  }
  const { newProduct } = decision
  if (newProduct) seen.products.set(productKeyInAnyCase(newProduct), newProduct)
}
