import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { NewCustomer } from '@backstock/contract/sale.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { isSellable, NOT_SELLABLE, SELLABLE_STATUSES } from '@backstock/contract/stock-status.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Buyer, BuyerAddress, TreatmentRoute } from '../../../db/tables.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import type { Locked } from '../../../records/lock.ts'
import { buyerOf } from '../../customer.ts'
import { type ItemToSell, SELLING } from '../locked-sale.ts'
import { factsOfToday, type PricedItem, routeOf, type Seller, type TaxedItem, taxLines, taxProblems } from '../tax.ts'
import { type NewSale, PRICE_FIELD } from './new-sale.ts'

export type Options = NewSale['options']

export type Customer = { id: number; buyer: Buyer }
/** A new customer. If no country was typed, it is the company's. */
export type TypedCustomer = NewCustomer & { customer_country_code: string }
export type Checked = {
  lines: TaxedItem[]
  customer: Customer | TypedCustomer
  route: TreatmentRoute
  marginRate: RateHundredths | null
  /** The last day of reverse charge in the seller's state; null if it has no end. */
  lastDay: string | null | undefined
  paymentDays: number
}

/** The items of a new sale and their batches, once they are locked. */
export type LockedItems = { stock: ReadonlyMap<number, ItemToSell>; batches: Locked['batches'] }

/** Returns the lines with their prices, and the customer. Throws all errors of the sale at once. */
export async function checkSale(tx: Tx, sale: NewSale, { stock, batches }: LockedItems): Promise<Checked> {
  const { options } = sale
  const errors: FieldErrors = { ...sale.errors }
  const { batch_id: batchId, stock_items: asked } = options
  if (batchId && !batches.has(batchId)) errors['batch_id'] = `Batch #${batchId} does not exist.`

  const unknown = asked.filter(({ id }) => !stock.has(id))
  if (unknown.length) errors['stock_items'] ??= `There is no item ${someOf(unknown.map(({ id }) => `#${id}`))}.`
  const { priced, unpriced } = pricedItems(stock, options)
  if (unpriced.length) {
    const which = asked.length === 1 ? '' : `: ${someOf(unpriced.map(itemName))}`
    errors[PRICE_FIELD] = [errors[PRICE_FIELD], `A sales price is required${which}.`].filter(Boolean).join(' ')
  }
  const { seller, taxes } = await factsOfToday(
    tx,
    priced.map(({ item }) => item),
  )
  const customer = await checkCustomer(tx, sale.customer, seller, errors)
  const hasCountry = customer !== undefined && errors['customer_country_code'] === undefined
  const route = routeOf(seller, hasCountry ? asBuyer(customer) : NOBODY)
  const lines = taxLines(priced, taxes, route, options.includeVat)
  const problems = customer && problemsOf(lines, seller)
  if (problems) errors['stock_items'] ??= problems

  const isWrong = Object.keys(errors).length > 0
  const refused = lines.filter(({ item }) => !isSellable(item.status))
  if (refused.length) {
    const states = someOf(refused.map(({ item }) => `${itemName(item)} is ${item.status}`))
    const message = `${NOT_SELLABLE}. ${states}.`
    errors['stock_items'] ??= message
    if (!isWrong) throw conflict(message, errors)
  }
  if (isWrong || customer === undefined) throw invalid(errors)
  return {
    lines,
    customer,
    route,
    marginRate: seller.margin_rate,
    lastDay: seller.reverse_charge_ends,
    paymentDays: (customer && 'buyer' in customer ? customer.buyer.payment_days : null) ?? seller.payment_days,
  }
}

const problemsOf = (lines: readonly TaxedItem[], { margin_rate }: Seller): string =>
  taxProblems(
    lines.map(({ item, decision: { treatment, problem } }) => ({
      ...{ name: itemName(item), treatment, problem },
      lacksMarginRate: treatment === 'margin' && margin_rate === null,
    })),
  )

const NOBODY = { vat_number: null, billing_address: null, delivery_address: null }

/** The customer as the VAT rules need it. A customer that was typed has one address. */
function asBuyer(customer: Checked['customer']): Pick<Buyer, 'vat_number' | 'billing_address' | 'delivery_address'> {
  if ('buyer' in customer) return customer.buyer
  const address = addressOf(customer)
  return { vat_number: customer.customer_vat_number ?? null, billing_address: address, delivery_address: address }
}

async function checkCustomer(
  tx: Tx,
  customer: NewSale['customer'],
  { seller: { country_code: home } }: Seller,
  errors: FieldErrors,
): Promise<Checked['customer'] | undefined> {
  if (customer === undefined) return undefined
  if (typeof customer === 'number') {
    const buyer = await buyerOf(tx, customer)
    if (!buyer) errors['customer'] = `Customer #${customer} does not exist.`
    return buyer && { id: customer, buyer }
  }
  const customer_country_code = customer.customer_country_code ?? home ?? ''
  if (!customer_country_code) errors['customer_country_code'] ??= 'This field is required.'
  return { ...(customer as NewCustomer), customer_country_code }
}

/**
 * Refuses a sale of sold items before anything is locked. Otherwise all people who want one item would wait for its
 * lock, one after another.
 */
export async function refuseSold(tx: Tx, sale: NewSale): Promise<void> {
  const { stock_items, batch_id } = sale.options
  const ids = stock_items.map(({ id }) => id)
  const ofSale = tx.selectFrom('stock').where('id', '=', sql<number>`any(${ids}::int[])`)
  if (!(await ofSale.select('id').where('status', 'not in', SELLABLE_STATUSES).limit(1).executeTakeFirst())) return
  const items = await ofSale.select(SELLING).execute()
  const batches = await tx
    .selectFrom('batch')
    .selectAll()
    .where('id', '=', batch_id ?? 0)
    .execute()
  const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))
  await checkSale(tx, sale, { stock: byId(items), batches: byId(batches) })
}

const itemName = (item: ItemToSell) => `Item #${item.id} (${item.imei ?? item.serial_number})`

/**
 * The lines with their prices: the line's own, else the sale's, else the item's. `unpriced` are the items for which
 * none of these prices exists.
 */
function pricedItems(stock: LockedItems['stock'], options: Options): { priced: PricedItem[]; unpriced: ItemToSell[] } {
  const unpriced: ItemToSell[] = []
  const priced = options.stock_items.flatMap(({ id, sales_price, vat_treatment: wanted }) => {
    const item = stock.get(id)
    if (!item) return []
    const price = sales_price ?? options.salesPrice ?? item.sales_price
    if (price === null) unpriced.push(item)
    return { item, price: price ?? 0, wanted }
  })
  return { priced, unpriced }
}

export const addressOf = (typed: TypedCustomer): BuyerAddress => ({
  address_1: typed.customer_address1,
  address_2: typed.customer_address2 ?? null,
  city: typed.customer_city,
  state: typed.customer_state ?? null,
  postal_code: typed.customer_postal_code,
  country_code: typed.customer_country_code,
})
