import type { Hundredths } from '@backstock/contract/money.ts'
import { EXCEL_FROM_ITEMS } from '@backstock/contract/sale-status.ts'
import { marginVat, type SaleTotals, saleTotals } from '@backstock/contract/sale-total.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Buyer, TreatmentRoute } from '../../../db/tables.ts'
import { found } from '../../../http/crud.ts'
import { getFrom, zip } from '../../../lists.ts'
import { lock, lockItems } from '../../../records/lock.ts'
import { type Attribute, type Author, changes, type Entry, recording } from '../../../records/log/write.ts'
import { leavingBaskets } from '../../basket.ts'
import { emptyAndDelete, lockWholeBatch } from '../../batch/delete.ts'
import { leaveBatch } from '../../batch/items.ts'
import { buyerOf, createCustomer, customerLanguage } from '../../customer.ts'
import { type Numbering, orderInvoice } from '../../document/invoice.ts'
import { invoicingSeller, missingInvoiceData } from '../../document/invoice-contents.ts'
import { queueSaleMail } from '../../document/mail/outbox.ts'
import { newestCheckId } from '../../vat-check/checks.ts'
import { orderSheet } from '../files/sheet.ts'
import { type ItemToSell, SELLING } from '../locked-sale.ts'
import type { TaxedItem } from '../tax.ts'
import { taxNotes } from '../tax-notes.ts'
import {
  addressOf,
  type Customer,
  checkSale,
  type LockedItems,
  type Options,
  refuseSold,
  type TypedCustomer,
} from './check-new-sale.ts'
import type { NewSale } from './new-sale.ts'

export type CreateOptions = {
  /** The sender of mails from the environment; if it is left out, the company's. */
  mailFrom?: string | undefined
  /** The number series of the invoice. Sample data have one of their own. */
  series?: Numbering
}
/** `news` are sentences about more than the sale itself, `warnings` those that the person should know. */
export type CreatedSale = { id: number; news: string[]; warnings: string[] }

/**
 * Sells items to a customer and does everything that the options ask for, in the caller's transaction. It computes all
 * totals. Throws all errors at once: 422 under the field names of `readNewSale`; 409 under `stock_items` if items
 * cannot be sold and nothing else is wrong; 409 if the batch that is to be deleted is locked.
 */
export async function createSale(
  tx: Tx,
  sale: NewSale,
  author: Author,
  { mailFrom, series = 'invoice' }: CreateOptions = {},
): Promise<CreatedSale> {
  const { options } = sale
  await refuseSold(tx, sale)
  const locked = await lockAll(tx, options)
  const { lines, customer, route, marginRate, lastDay, paymentDays } = await checkSale(tx, sale, locked)
  const items = lines.map((line) => line.item)
  const { id: customerId, buyer } = 'buyer' in customer ? customer : await addCustomer(tx, customer, author)

  const totals = saleTotals(
    lines.map(({ price, decision: { rate, treatment } }) => ({ price, rate, treatment })),
    options.includeVat,
  )
  const sold = zip(lines, totals.lines).map(([line, prices]): SoldItem => {
    const margin_rate = line.decision.treatment === 'margin' ? marginRate : null
    const margin_vat = margin_rate === null ? 0 : marginVat(prices.sales_price, line.item.cost, margin_rate)
    return { ...line, ...prices, margin_rate, margin_vat }
  })
  const id = await insertSale(tx, { options, customerId, buyer, sold, totals, route, paymentDays, author })
  const made: Record<string, Attribute> = {
    status: 'New',
    customer: { id: customerId, name: buyer.full_name },
    reference_number: options.reference_number ?? null,
    total_items: lines.length,
    total_sales_price: totals.total_sales_price,
    total_sales_price_vat: totals.total_sales_price_vat,
  }
  const entries: Entry[] = [
    ...soldEntries(id, items),
    { type: 'Sale', id, content: { type: 'model_update', data: changes(null, made) } },
  ]
  const ids = items.map((item) => item.id)
  const baskets = options.remove_from_basket && author.userId ? [author.userId] : []
  // One statement for all of these, because each further one would cost as much as the rows of a dozen items.
  await sql`
    with lines as (${insertingLines(id, sold)}), vat as (${insertingVatTotals(id, totals)}),
      sold as (update stock set status = 'Sold', sale_id = ${id} where id = any(${ids}::int[])),
      emptied as (${leavingBaskets(baskets, ids)})
    ${recording(author, entries)}`.execute(tx)
  const batches = await tidyBatches(tx, items, locked, options, author)

  if (options.create_excel ?? lines.length > EXCEL_FROM_ITEMS) await orderSheet(tx, id, author)
  if (options.create_invoice) {
    const lang = options.invoice_lang ?? (await customerLanguage(tx, customerId))
    await orderInvoice(tx, id, author, { lang, series })
  }
  if (options.send_email) await queueSaleMail(tx, id, { author, mailFrom })

  const decisions = lines.map((line) => line.decision)
  const taxed = await taxNotes(tx, customerId, route, decisions, lastDay)
  const lacking = await lackingWarnings(tx, buyer, options)
  return { id, news: batches.news, warnings: [...batches.warnings, ...taxed, ...lacking] }
}

/** Locks the items and their batches. If a batch is to be deleted, all its items are locked too. */
async function lockAll(tx: Tx, options: Options): Promise<LockedItems> {
  const ids = options.stock_items.map((line) => line.id)
  const batchId = options.batch_id ?? null
  if (options.delete_batch && batchId) return lockWholeBatch(tx, batchId, ids)
  const stock = await lockItems(tx, ids, SELLING)
  const batchIds = [...stock.values()].flatMap((item) => item.batch_id ?? [])
  const { batches } = await lock(tx, { batches: batchId ? [...batchIds, batchId] : batchIds })
  return { stock, batches }
}

/** Creates the customer that a person typed on the sale. The typed address serves for delivery and for billing. */
async function addCustomer(tx: Tx, typed: TypedCustomer, author: Author): Promise<Customer> {
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
  return { id, buyer: found(await buyerOf(tx, id), `Customer #${id}`) }
}

/** A line as it is stored: its net price, the typed price if that includes VAT, and the VAT in its margin. */
type SoldItem = TaxedItem & SaleTotals['lines'][number] & { margin_rate: RateHundredths | null; margin_vat: Hundredths }

type SaleFacts = {
  options: Options
  customerId: number
  buyer: Buyer
  sold: readonly SoldItem[]
  totals: SaleTotals
  route: TreatmentRoute
  paymentDays: number
  author: Author
}

async function insertSale(tx: Tx, sale: SaleFacts): Promise<number> {
  const { options, customerId, buyer, sold, totals, route, paymentDays, author } = sale
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
      total_items: sold.length,
      total_purchase_price: sold.reduce((sum, line) => sum + line.item.cost, 0),
      total_sales_price: totals.total_sales_price,
      total_sales_price_vat: totals.total_sales_price_vat,
      total_margin_vat: sold.reduce((sum, { margin_vat }) => sum + margin_vat, 0),
      treatment_route: JSON.stringify(route),
      payment_days: paymentDays,
      vat_check_id: newestCheckId(sql`${customerId}`, sql`${buyer.vat_number}`),
      courier: null,
      outbound_tracking_number: null,
      invoice_number: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The statement that stores the lines, with the present name of each product. */
function insertingLines(saleId: number, sold: readonly SoldItem[]): RawBuilder<unknown> {
  const rows = sold.map(({ item, vat, tax, decision: { rate, treatment, why }, ...line }, n) => ({
    position: n + 1,
    stock_id: item.id,
    product_id: item.actual_product_id,
    imei: item.imei,
    serial_number: item.serial_number,
    grade_id: item.grade_id,
    vat_id: item.vat_id,
    vat_name: vat?.name ?? null,
    type_rate: vat?.rate ?? null,
    type_treatment: vat?.treatment ?? null,
    is_reverse_charge_good: tax.isReverseChargeGood,
    exemption_text: treatment === 'exempt' ? (vat?.exemption_text ?? null) : null,
    exemption_code: treatment === 'exempt' ? (vat?.exemption_code ?? null) : null,
    vat_rate: rate,
    vat_treatment: treatment,
    vat_why: why,
    purchase_treatment: item.purchase_treatment,
    margin_rate: line.margin_rate,
    margin_vat: line.margin_vat,
    sales_price: line.sales_price,
    sales_price_vat: line.sales_price_vat,
    cost: item.cost,
  }))
  return sql`
    insert into sale_item (sale_id, position, stock_id, product_id, product_name, make, model, capacity, colour, imei, serial_number,
      grade, vat_id, vat_name, vat_rate, vat_treatment, vat_why, purchase_treatment, margin_rate, margin_vat, sales_price,
      sales_price_vat, cost, type_rate, type_treatment, is_reverse_charge_good, exemption_text, exemption_code)
    select ${saleId}, line.position, line.stock_id, p.id, p.display_name, make.name, p.model,
      p.capacity || ' ' || p.capacity_unit, colour.name, line.imei, line.serial_number, grade.name, line.vat_id, line.vat_name,
      line.vat_rate, line.vat_treatment, line.vat_why, line.purchase_treatment, line.margin_rate, line.margin_vat,
      line.sales_price, line.sales_price_vat, line.cost, line.type_rate, line.type_treatment, line.is_reverse_charge_good,
      line.exemption_text, line.exemption_code
    from json_to_recordset(${JSON.stringify(rows)}) as line (position int, stock_id int, product_id int, imei text,
      serial_number text, grade_id int, vat_id int, vat_name text, vat_rate int, vat_treatment text, vat_why text,
      purchase_treatment purchase_treatment, margin_rate int, margin_vat int, sales_price int, sales_price_vat int,
      cost int, type_rate int, type_treatment text, is_reverse_charge_good boolean, exemption_text text, exemption_code text)
    join product p on p.id = line.product_id
    join make on make.id = p.make_id
    left join colour on colour.id = p.colour_id
    left join grade on grade.id = line.grade_id`
}

/** The statement that stores the VAT of a sale, one row for each treatment and rate. */
export const insertingVatTotals = (saleId: number, { vat }: SaleTotals): RawBuilder<unknown> => sql`
  insert into sale_vat (sale_id, treatment, rate, net, vat)
  select ${saleId}, total.* from json_to_recordset(${JSON.stringify(vat)})
    as total (treatment text, rate int, net bigint, vat bigint)`

/** The log entries of items that were sold. */
export function soldEntries(saleId: number, items: readonly { id: number; status: ItemToSell['status'] }[]): Entry[] {
  return items.flatMap(({ id, status }): Entry[] => [
    { type: 'Stock', id, content: { type: 'item_sold', data: { sale_id: saleId } } },
    {
      type: 'Stock',
      id,
      content: { type: 'model_update', data: [{ attributeName: 'status', from: status, to: 'Sold' }] },
    },
  ])
}

/**
 * Deletes the batch, or takes the sold items out of their batches. Returns a sentence about the deleted batch, and a
 * warning for each locked batch, which keeps its items.
 */
async function tidyBatches(
  tx: Tx,
  items: ItemToSell[],
  locked: LockedItems,
  options: Options,
  author: Author,
): Promise<Omit<CreatedSale, 'id'>> {
  const deleted = options.delete_batch && options.batch_id ? getFrom(locked.batches, options.batch_id) : undefined
  const left = deleted ? itemsOf(deleted.id, items, locked) : []
  if (deleted) await emptyAndDelete(tx, author, deleted, left)
  const back = left.filter(({ status }) => status === 'In Batch').length
  const news = deleted ? [`Batch #${deleted.id} (${deleted.name}) was deleted.${wentBack(back)}`] : []
  const warnings =
    options.delete_batch && !deleted ? ['No batch was deleted, because the sale was not made from one.'] : []
  if (!options.remove_from_batch) return { news, warnings }
  const others = items.filter((item) => item.batch_id !== deleted?.id)
  for (const [batchId, sold] of Map.groupBy(others, (item) => item.batch_id)) {
    if (batchId === null) continue
    const batch = getFrom(locked.batches, batchId)
    if (batch.is_locked)
      warnings.push(
        `${sold.length} item${sold.length === 1 ? '' : 's'} stayed in batch #${batchId} (${batch.name}), which is locked.`,
      )
    else await leaveBatch(tx, author, batch, sold.map(nowSold))
  }
  return { news, warnings }
}

const wentBack = (items: number) =>
  items === 0 ? '' : ` ${items === 1 ? '1 unsold item' : `${items} unsold items`} of it went back to In Stock.`

const nowSold = (item: ItemToSell): ItemToSell => ({ ...item, status: 'Sold' })

/** All items of a batch; the sold ones have their new status. */
function itemsOf(batchId: number, sold: ItemToSell[], { stock }: LockedItems): ItemToSell[] {
  const isSold = new Set(sold)
  return [...stock.values()]
    .filter((item) => item.batch_id === batchId)
    .map((item) => (isSold.has(item) ? nowSold(item) : item))
}

async function lackingWarnings(tx: Tx, buyer: Buyer, options: Options): Promise<string[]> {
  const lacking = options.create_invoice ? missingInvoiceData(await invoicingSeller(tx), buyer) : []
  return lacking.length ? [`Missing from the invoice: ${lacking.join(', ')}.`] : []
}
