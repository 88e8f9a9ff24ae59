import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { NewCustomer } from '@backstock/contract/sale.ts'
import { EXCEL_FROM_ITEMS } from '@backstock/contract/sale-status.ts'
import { marginVat, type SaleTotals, saleTotals } from '@backstock/contract/sale-total.ts'
import { isSellable, NOT_SELLABLE, SELLABLE_STATUSES } from '@backstock/contract/stock-status.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { type Decision, type ItemTax, taxWarnings } from '@backstock/contract/treatment-of.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Buyer, BuyerAddress, Tables } from '../../db/tables.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { type Locked, lock } from '../../records/lock.ts'
import { type Author, type Entry, record, recordChanges } from '../../records/log/write.ts'
import { removeFromBasket } from '../basket.ts'
import { emptyAndDelete, lockWholeBatch } from '../batch/delete.ts'
import { leaveBatch } from '../batch/items.ts'
import { buyerOf, createCustomer, customerLanguage } from '../customer.ts'
import { orderInvoice } from '../document/invoice.ts'
import { queueSaleMail } from '../document/mail/outbox.ts'
import type { InvoiceSeries } from '../document/number.ts'
import { missingInvoiceData } from '../document/printed.ts'
import { orderSheet } from './files/sheet.ts'
import { type NewSale, PRICE_FIELD } from './new-sale.ts'
import {
  decide,
  itemTax,
  reverseChargeProducts,
  routeOf,
  type Seller,
  sellerOf,
  type TreatmentRoute,
  vatTypes,
} from './tax.ts'

type Item = Selectable<Tables['stock']>
type Options = NewSale['options']
/** An item with what the sale keeps of it. `price` is as typed: with or without VAT, as the sale says. */
type Priced = { item: Item; vatName: string | null; tax: ItemTax; price: number; wanted: Treatment | undefined }
type Line = Priced & { decision: Decision }

export type CreateOptions = {
  /** The sender of mails, where the environment names one. */
  mailFrom?: string | undefined
  /** Sample data have numbers of their own. */
  series?: InvoiceSeries
}
export type CreatedSale = { id: number; warnings: string[] }

/**
 * Sells items to a customer and does everything that the options ask for, in the caller's transaction. Works out all
 * totals. Throws everything that is wrong at once: 422 under the field names of `readNewSale`; 409 under `stock_items`
 * where items cannot be sold and nothing else is wrong; 409 where the batch that is to be deleted is locked.
 */
export async function createSale(
  tx: Tx,
  sale: NewSale,
  author: Author,
  { mailFrom, series = 'invoice' }: CreateOptions = {},
): Promise<CreatedSale> {
  const { options } = sale
  await refuseSold(tx, sale)
  const locked = await lockItems(tx, options)
  const { lines, customer, route, marginRate } = await checkSale(tx, sale, locked)
  const items = lines.map((line) => line.item)
  const { id: customerId, buyer } = 'buyer' in customer ? customer : await addCustomer(tx, customer, author)

  const totals = saleTotals(
    lines.map(({ price, decision: { rate, treatment } }) => ({ price, rate, treatment })),
    options.includeVat,
  )
  const margins = lines.map(({ item, decision }, n) =>
    decision.treatment === 'margin' ? marginVat(totals.lines[n]!.sales_price, item.cost, marginRate!) : 0,
  )
  const id = await insertSale(tx, { options, customerId, buyer, lines, totals, margins, route, author })
  await insertLines(tx, id, lines, { totals, margins, marginRate })

  await markSold(tx, id, items, author)
  const staying = await tidyBatches(tx, items, locked, options, author)
  if (options.remove_from_basket && author.userId)
    await removeFromBasket(
      tx,
      author.userId,
      options.stock_items.map((line) => line.id),
    )

  await recordChanges(tx, author, 'Sale', id, null, {
    status: 'New',
    customer: { id: customerId, name: buyer.full_name },
    reference_number: options.reference_number ?? null,
    total_items: lines.length,
    total_sales_price: totals.total_sales_price,
    total_sales_price_vat: totals.total_sales_price_vat,
  })

  if (options.create_excel ?? lines.length > EXCEL_FROM_ITEMS) await orderSheet(tx, id, author)
  if (options.create_invoice) {
    const lang = options.invoice_lang ?? (await customerLanguage(tx, customerId))
    await orderInvoice(tx, id, author, { lang, series })
  }
  if (options.send_email) await queueSaleMail(tx, id, { author, mailFrom })

  const taxed = taxWarnings(
    route,
    lines.map((line) => line.decision),
  )
  const { vat_number, country_code } = route.buyer
  const misspelt = vatNumberProblem(vat_number, country_code, `The buyer’s VAT number ${vat_number}`) ?? []
  return { id, warnings: [...staying, ...taxed, ...[misspelt].flat(), ...(await lackingWarnings(tx, buyer, options))] }
}

/** Locks the items and their batches; where a batch is to be deleted, all its items too. */
async function lockItems(tx: Tx, options: Options): Promise<Locked> {
  const ids = options.stock_items.map((line) => line.id)
  const batchId = options.batch_id ?? null
  if (options.delete_batch && batchId) return lockWholeBatch(tx, batchId, ids)
  const { stock } = await lock(tx, { stock: ids })
  const batchIds = [...stock.values()].flatMap((item) => item.batch_id ?? [])
  const { batches } = await lock(tx, { batches: batchId ? [...batchIds, batchId] : batchIds })
  return { stock, batches, sales: new Map() }
}

type Customer = { id: number; buyer: Buyer }
type Checked = {
  lines: Line[]
  customer: Customer | NewCustomer
  route: TreatmentRoute
  marginRate: RateHundredths | null
}

/** Returns the lines with their prices, and the customer. Throws everything that is wrong with the sale. */
async function checkSale(tx: Tx, sale: NewSale, { stock, batches }: Locked): Promise<Checked> {
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
  }
}

/** Why lines cannot be taxed as wanted; empty where all can. */
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
async function refuseSold(tx: Tx, sale: NewSale): Promise<void> {
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
    return { item, vatName: vat?.name ?? null, tax: itemTax(item, vat, reverseCharge), price: price ?? 0, wanted }
  })
  return { lines, unpriced }
}

/** Creates the customer that was typed on the sale. Its address is that for delivery and for billing. */
async function addCustomer(tx: Tx, typed: NewCustomer, author: Author): Promise<Customer> {
  const address = addressOf(typed)
  const id = await createCustomer(
    tx,
    {
      first_name: typed.customer_first_name,
      last_name: typed.customer_last_name,
      email: typed.customer_email,
      phone: typed.customer_phone ?? null,
      company_name: typed.customer_company_name ?? null,
      vat_number: typed.customer_vat_number ?? null,
      delivery_address: address,
      billing_address: address,
    },
    author,
  )
  return { id, buyer: (await buyerOf(tx, id))! }
}

const addressOf = (typed: NewCustomer): BuyerAddress => ({
  address_1: typed.customer_address1,
  address_2: typed.customer_address2 ?? null,
  city: typed.customer_city,
  state: typed.customer_state ?? null,
  postal_code: typed.customer_postal_code,
  // `checkCustomer` has put the company's where none was typed, or refused.
  country_code: typed.customer_country_code!,
})

type SaleFacts = {
  options: Options
  customerId: number
  buyer: Buyer
  lines: Line[]
  totals: SaleTotals
  margins: readonly Hundredths[]
  route: TreatmentRoute
  author: Author
}

async function insertSale(tx: Tx, sale: SaleFacts): Promise<number> {
  const { options, customerId, buyer, lines, totals, margins, route, author } = sale
  const { id } = await tx
    .insertInto('sale')
    .values({
      customer_id: customerId,
      partner_id: author.partnerId ?? null,
      created_by: author.userId ?? null,
      batch_id: options.batch_id ?? null,
      reference_number: options.reference_number ?? null,
      buyer: JSON.stringify(buyer),
      prices_include_vat: options.includeVat,
      total_items: lines.length,
      total_purchase_price: lines.reduce((sum, line) => sum + line.item.cost, 0),
      total_sales_price: totals.total_sales_price,
      total_sales_price_vat: totals.total_sales_price_vat,
      total_margin_vat: margins.reduce((sum, vat) => sum + vat, 0),
      treatment_route: JSON.stringify(route),
      courier: null,
      outbound_tracking_number: null,
      invoice_number: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes the lines. The sale keeps what each product is called now. */
async function insertLines(
  tx: Tx,
  saleId: number,
  lines: Line[],
  { totals, margins, marginRate }: Pick<SaleFacts, 'totals' | 'margins'> & Pick<Checked, 'marginRate'>,
): Promise<void> {
  const rows = lines.map(({ item, vatName, decision: { rate, treatment, why } }, n) => ({
    position: n + 1,
    stock_id: item.id,
    product_id: item.actual_product_id,
    imei: item.imei,
    serial_number: item.serial_number,
    vat_id: item.vat_id,
    vat_name: vatName,
    vat_rate: rate,
    vat_treatment: treatment,
    vat_why: why,
    purchase_treatment: item.purchase_treatment,
    margin_rate: treatment === 'margin' ? marginRate : null,
    margin_vat: margins[n]!,
    sales_price: totals.lines[n]!.sales_price,
    sales_price_vat: totals.lines[n]!.sales_price_vat,
    cost: item.cost,
  }))
  await sql`
    insert into sale_item (sale_id, position, stock_id, product_name, make, model, capacity, colour, imei, serial_number,
      vat_id, vat_name, vat_rate, vat_treatment, vat_why, purchase_treatment, margin_rate, margin_vat, sales_price,
      sales_price_vat, cost)
    select ${saleId}, line.position, line.stock_id, p.display_name, make.name, p.model,
      p.capacity || ' ' || p.capacity_unit, colour.name, line.imei, line.serial_number, line.vat_id, line.vat_name,
      line.vat_rate, line.vat_treatment, line.vat_why, line.purchase_treatment, line.margin_rate, line.margin_vat,
      line.sales_price, line.sales_price_vat, line.cost
    from json_to_recordset(${JSON.stringify(rows)}) as line (position int, stock_id int, product_id int, imei text,
      serial_number text, vat_id int, vat_name text, vat_rate int, vat_treatment text, vat_why text,
      purchase_treatment purchase_treatment, margin_rate int, margin_vat int, sales_price int, sales_price_vat int,
      cost int)
    join product p on p.id = line.product_id
    join make on make.id = p.make_id
    left join colour on colour.id = p.colour_id`.execute(tx)
  await insertVatTotals(tx, saleId, totals)
}

/** Writes the VAT of a sale for each rate. */
export async function insertVatTotals(tx: Tx, saleId: number, { vat }: SaleTotals): Promise<void> {
  await tx
    .insertInto('sale_vat')
    .values(vat.map((total) => ({ sale_id: saleId, ...total })))
    .execute()
}

async function markSold(tx: Tx, saleId: number, items: Item[], author: Author): Promise<void> {
  await sql`
    update stock set status = 'Sold', sale_id = ${saleId} where id = any(${items.map((item) => item.id)}::int[])`.execute(
    tx,
  )
  await record(tx, author, soldEntries(saleId, items))
}

/** What the log of each item says once it is sold. */
export function soldEntries(saleId: number, items: readonly { id: number; status: Item['status'] }[]): Entry[] {
  return items.flatMap(({ id, status }): Entry[] => [
    { type: 'Stock', id, content: { type: 'item_sold', data: { sale_id: saleId } } },
    {
      type: 'Stock',
      id,
      content: { type: 'model_update', data: [{ attributeName: 'status', from: status, to: 'Sold' }] },
    },
  ])
}

/** Deletes the batch, or takes sold items out of theirs. Returns a warning for each locked batch, which keeps them. */
async function tidyBatches(tx: Tx, items: Item[], locked: Locked, options: Options, author: Author): Promise<string[]> {
  const deleted = options.delete_batch && options.batch_id ? locked.batches.get(options.batch_id)! : undefined
  if (deleted) await emptyAndDelete(tx, author, deleted, itemsOf(deleted.id, items, locked))
  if (!options.remove_from_batch) return []
  const warnings: string[] = []
  const others = items.filter((item) => item.batch_id !== null && item.batch_id !== deleted?.id)
  for (const [batchId, sold] of Map.groupBy(others, (item) => item.batch_id!)) {
    const batch = locked.batches.get(batchId)!
    if (batch.is_locked)
      warnings.push(
        `${sold.length} item${sold.length === 1 ? '' : 's'} stayed in batch #${batchId} (${batch.name}), which is locked.`,
      )
    else await leaveBatch(tx, author, batch, sold.map(nowSold))
  }
  return warnings
}

const nowSold = (item: Item): Item => ({ ...item, status: 'Sold' })

/** All items of a batch, the sold ones with their new status. */
function itemsOf(batchId: number, sold: Item[], { stock }: Locked): Item[] {
  const isSold = new Set(sold)
  return [...stock.values()]
    .filter((item) => item.batch_id === batchId)
    .map((item) => (isSold.has(item) ? nowSold(item) : item))
}

async function lackingWarnings(tx: Tx, buyer: Buyer, options: Options): Promise<string[]> {
  const lacking = options.create_invoice ? await missingInvoiceData(tx, buyer) : []
  return lacking.length ? [`The invoice lacks: ${lacking.join(', ')}.`] : []
}
