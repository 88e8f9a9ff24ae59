import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { NewCustomer } from '@backstock/contract/sale.ts'
import { isSellable, NOT_SELLABLE, SELLABLE_STATUSES } from '@backstock/contract/stock-status.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import type { Decision, ItemTax } from '@backstock/contract/treatment-of.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Buyer, BuyerAddress, Tables, TreatmentRoute } from '../../../db/tables.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import type { Locked } from '../../../records/lock.ts'
import { buyerOf } from '../../customer.ts'
import {
  decide,
  itemTax,
  reverseChargeProducts,
  routeOf,
  type Seller,
  sellerOf,
  type VatType,
  vatTypes,
} from '../tax.ts'
import { type NewSale, PRICE_FIELD } from './new-sale.ts'

export type Item = Selectable<Tables['stock']>
export type Options = NewSale['options']
/** An item with what the sale keeps of it. `price` is as typed: with or without VAT, as the sale says. */
type Priced = { item: Item; vat: VatType | null; tax: ItemTax; price: number; wanted: Treatment | undefined }
export type Line = Priced & { decision: Decision }

export type Customer = { id: number; buyer: Buyer }
export type Checked = {
  lines: Line[]
  customer: Customer | NewCustomer
  route: TreatmentRoute
  marginRate: RateHundredths | null
  paymentDays: number
}

/** Returns the lines with their prices, and the customer. Throws everything that is wrong with the sale. */
export async function checkSale(tx: Tx, sale: NewSale, { stock, batches }: Locked): Promise<Checked> {
  const { options } = sale
  const errors: FieldErrors = { ...sale.errors }
  const { batch_id: batchId, stock_items: asked } = options
  if (batchId && !batches.has(batchId)) errors['batch_id'] = `Batch #${batchId} does not exist.`

  const unknown = asked.filter(({ id }) => !stock.has(id))
  if (unknown.length) errors['stock_items'] ??= `${named(unknown.map(({ id }) => `Item #${id}`))} does not exist.`
  const { lines, unpriced } = await pricedLines(tx, stock, options)
  if (unpriced.length) {
    const which = asked.length === 1 ? '' : `: ${named(unpriced.map(itemName))}`
    errors[PRICE_FIELD] = [errors[PRICE_FIELD], `A sales price is required${which}.`].filter(Boolean).join(' ')
  }
  const seller = await sellerOf(tx)
  const customer = await checkCustomer(tx, sale.customer, seller, errors)
  const route = routeOf(seller, customer === undefined ? NOBODY : asBuyer(customer))
  const decisions = decide(lines, route, options.includeVat)
  const problems = customer && taxProblems(lines, decisions, seller)
  if (problems) errors['stock_items'] ??= problems

  const isWrong = Object.keys(errors).length > 0
  const refused = lines.filter(({ item }) => !isSellable(item.status))
  if (refused.length) {
    const states = named(refused.map(({ item }) => `${itemName(item)} is ${item.status}`))
    const message = `${NOT_SELLABLE}. ${states}.`
    errors['stock_items'] ??= message
    if (!isWrong) throw conflict(message, errors)
  }
  if (isWrong || customer === undefined) throw invalid(errors)
  return {
    lines: lines.map((line, n) => ({ ...line, decision: decisions[n]! })),
    customer,
    route,
    marginRate: seller.margin_rate,
    paymentDays: (customer && 'buyer' in customer ? customer.buyer.payment_days : null) ?? seller.payment_days,
  }
}

/** Why lines cannot have the wished treatment; empty if all can. */
function taxProblems(lines: readonly Priced[], decisions: readonly Decision[], seller: Seller): string {
  const refused = lines.flatMap(({ item }, n) => {
    const { problem, treatment } = decisions[n]!
    return problem ? [`${itemName(item)}: ${TREATMENT_NAMES[treatment]} is not possible, ${problem}`] : []
  })
  const needsRate = seller.margin_rate === null && decisions.some(({ treatment }) => treatment === 'margin')
  return [
    ...(refused.length ? [`${named(refused)}.`] : []),
    ...(needsRate ? ['To sell under the margin scheme, an administrator sets its VAT rate on the company page.'] : []),
  ].join(' ')
}

const NOBODY = { vat_number: null, billing_address: null, delivery_address: null }

/** A customer as the rules see it: one that was typed has one address. */
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
  const customer_country_code = customer.customer_country_code ?? home
  if (!customer_country_code) errors['customer_country_code'] ??= 'This field is required.'
  return { ...(customer as NewCustomer), customer_country_code }
}

/** Refuses a sale of sold items before it locks any. Else all who want one item would wait for each other's lock. */
export async function refuseSold(tx: Tx, sale: NewSale): Promise<void> {
  const { stock_items, batch_id } = sale.options
  const ids = stock_items.map(({ id }) => id)
  const ofSale = tx.selectFrom('stock').where('id', '=', sql<number>`any(${ids}::int[])`)
  if (!(await ofSale.select('id').where('status', 'not in', SELLABLE_STATUSES).limit(1).executeTakeFirst())) return
  const items = await ofSale.selectAll().execute()
  const batches = await tx
    .selectFrom('batch')
    .selectAll()
    .where('id', '=', batch_id ?? 0)
    .execute()
  const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))
  await checkSale(tx, sale, { stock: byId(items), batches: byId(batches), sales: new Map() })
}

const itemName = (item: Item) => `Item #${item.id} (${item.imei ?? item.serial_number})`

/** The first ten of many, and how many more there are. */
const named = (texts: string[]) =>
  texts.length > 10 ? `${texts.slice(0, 10).join(', ')} and ${texts.length - 10} more` : texts.join(', ')

/** Each line with its own price, else the sale's, else the item's; and the items without a price. */
async function pricedLines(
  tx: Tx,
  stock: Locked['stock'],
  options: Options,
): Promise<{ lines: Priced[]; unpriced: Item[] }> {
  const vats = await vatTypes(tx)
  const reverseCharge = await reverseChargeProducts(
    tx,
    [...stock.values()].map((item) => item.actual_product_id),
  )
  const unpriced: Item[] = []
  const lines = options.stock_items.flatMap(({ id, sales_price, vat_treatment: wanted }) => {
    const item = stock.get(id)
    if (!item) return []
    const price = sales_price ?? options.salesPrice ?? item.sales_price
    if (price === null) unpriced.push(item)
    const vat = item.vat_id === null ? undefined : vats.get(item.vat_id)
    return { item, vat: vat ?? null, tax: itemTax(item, vat, reverseCharge), price: price ?? 0, wanted }
  })
  return { lines, unpriced }
}

export const addressOf = (typed: NewCustomer): BuyerAddress => ({
  address_1: typed.customer_address1,
  address_2: typed.customer_address2 ?? null,
  city: typed.customer_city,
  state: typed.customer_state ?? null,
  postal_code: typed.customer_postal_code,
  // `checkCustomer` has set the company's country if none was typed, or refused.
  country_code: typed.customer_country_code!,
})
