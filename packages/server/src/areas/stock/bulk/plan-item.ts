import type { BulkChanges } from '@backstock/contract/bulk-change.ts'
import { changedPrice, type PriceChange } from '@backstock/contract/changed-price.ts'
import { MAX_NOTES } from '@backstock/contract/fields.ts'
import { CURRENCY, type Hundredths } from '@backstock/contract/money.ts'
import { costOf } from '@backstock/contract/purchase-currency.ts'
import { UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { isStale } from '../../../records/log/stale.ts'
import { type StockColumns, stockColumns } from '../columns.ts'
import { fixedColumns } from '../status.ts'
import { type LockedBatch, placeOf, placeProblem } from '../status-and-batch.ts'
import type { PastedPrices } from './match-prices.ts'
import type { ManyColumns, StockRecord } from './write-columns.ts'

/** The item after the change, equal to the item before if nothing changes; or the reason why it cannot change. */
export type PlannedItem = { after: ManyColumns } | { reason: string }

const TOO_LONG = `Its notes would have more than ${MAX_NOTES.toLocaleString('en')} characters.`
const CHANGED = 'It has changed since it was shown.'
const OTHER_CURRENCY = `It was not bought in ${CURRENCY}: its purchase price can be changed only by a percentage of itself.`

/**
 * The result of changes on an item, by the rules of a single edit. `batches` has the batches that it leaves and joins,
 * `pasted` the pasted prices. The purchase price is changed first, because a sales price may be computed from it.
 */
export function planItem(
  row: StockRecord,
  changes: BulkChanges,
  batches: ReadonlyMap<number, LockedBatch>,
  pasted?: PastedPrices['prices'],
): PlannedItem {
  const after: StockColumns = { ...stockColumns(row), ...plainChanges(changes) }
  const problem = placeProblem(row, after, batches)
  if (problem) return { reason: problem.message }
  const place = placeOf(row, after)
  after.status = place.status
  // An item that has left can only have its location cleared.
  if (changes.location != null && !place.in_hand && row.location !== changes.location)
    return { reason: `It is ${place.status} and no longer here, so its location stays as it is.` }
  if (changes.note !== undefined) {
    after.engineer_notes = row.engineer_notes ? `${row.engineer_notes}\n${changes.note}` : changes.note
    if (after.engineer_notes.length > MAX_NOTES) return { reason: TOO_LONG }
  }
  const priceProblem = changePrices(row, after, changes, pasted)
  if (priceProblem !== null) return { reason: priceProblem }
  if (fixedColumns(row.status).some((column) => row[column] !== after[column]))
    return { reason: `Cannot be changed: the item is ${row.status}.` }
  return { after: { ...after, in_hand: place.in_hand } }
}

/** The changes whose values are the same for every item. */
function plainChanges({
  vat_type_id,
  note: _,
  purchase_price: _p,
  sales_price: _s,
  sales_prices: _g,
  ...changes
}: BulkChanges) {
  const said = Object.entries({ ...changes, vat_id: vat_type_id }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as Partial<StockColumns>
}

/** Changes the prices of `after`. Returns the reason if one of them is not possible. */
function changePrices(
  row: StockRecord,
  after: StockColumns,
  changes: BulkChanges,
  pasted: PastedPrices['prices'] | undefined,
): string | null {
  const { purchase_price, sales_price, sales_prices } = changes
  if (purchase_price) {
    const isOfItself = 'percent' in purchase_price && purchase_price.of === 'purchase_price'
    if (row.purchase_currency !== CURRENCY && !isOfItself) return OTHER_CURRENCY
    const found = changedPrice(purchase_price, 'purchase_price', pricesOf(row.sales_price, row.purchase_price))
    if ('problem' in found) return found.problem
    if (found.price !== null) after.purchase_price = found.price
  }
  const change = sales_price && changeOf(row.id, sales_price, pasted)
  if (sales_price && change) {
    const cost = Math.max(0, costOf(after.purchase_price, row.fx_rate) - row.supplier_credit)
    const least = sales_price.never_below_cost ? cost : 0
    const found = changedPrice(change, 'sales_price', pricesOf(row.sales_price, cost), least)
    if ('problem' in found) return found.problem
    after.sales_price = found.price
  }
  const ofGroup = sales_prices && pricesByItem(sales_prices).get(row.id)
  if (!ofGroup) return null
  if (ofGroup.seen !== undefined && isStale(row, ofGroup.seen)) return CHANGED
  if (!UNSOLD_STATUSES.some((status) => status === row.status)) return `It is ${row.status}: it keeps its price.`
  after.sales_price = ofGroup.set
  return null
}

/** The change of an item's sales price; undefined if no pasted line has a price for the item. */
function changeOf(
  id: number,
  change: NonNullable<BulkChanges['sales_price']>,
  pasted: PastedPrices['prices'] | undefined,
): PriceChange | undefined {
  if (!('pasted' in change)) return change
  const price = pasted?.get(id)
  return price === undefined ? undefined : { set: price, round: change.round }
}

type GroupPrices = NonNullable<BulkChanges['sales_prices']>
/** The groups are read once, because this function is called for each item of the bulk edit. */
const byItem = new WeakMap<GroupPrices, PricesByItem>()
type PricesByItem = Map<number, { set: Hundredths | null; seen: string | undefined }>
function pricesByItem(groups: GroupPrices): PricesByItem {
  const known = byItem.get(groups)
  if (known) return known
  const prices: PricesByItem = new Map(
    groups.flatMap(({ items, set, seen }) => items.map((id, n) => [id, { set, seen: seen?.[n] }] as const)),
  )
  byItem.set(groups, prices)
  return prices
}

const pricesOf = (sales_price: Hundredths | null, purchase_price: Hundredths) => ({ sales_price, purchase_price })
