import type { PartnerOrder, PartnerOrderInput, PartnerOrderRow } from '@backstock/contract/partner-api.ts'
import { SaleCreateInput } from '@backstock/contract/sale.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { invalid, Refusal } from '../../http/refusal.ts'
import { getFrom } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { recordMessage } from '../../records/log/write.ts'
import { createSale } from '../sale/new/create.ts'
import { type Slice, slice } from './stock.ts'

/**
 * Sells items to the partner's customer at the items' own sales prices. The sale is like any other, with invoice and
 * mail. Its log has the warnings that a person would see. Throws 422 if the partner has no customer or an item has no
 * price. Throws 409 if an item is not for sale, or if its price is not the one that the partner saw; `data.items` then
 * names the items, and tells nothing else about them.
 */
export async function placeOrder(
  tx: Tx,
  partnerId: number,
  { items, reference_number }: PartnerOrderInput,
  mailFrom: string | undefined,
): Promise<number> {
  const partner = await tx
    .selectFrom('partner')
    .select('customer_id')
    .where('id', '=', partnerId)
    .executeTakeFirstOrThrow()
  if (partner.customer_id === null)
    throw invalid({
      customer: 'No customer is set for your orders. Please ask the trader to choose one.',
    })

  const ids = items.map((item) => item.id)
  const twice = [...Map.groupBy(ids, (id) => id)].flatMap(([id, same]) => (same.length > 1 ? id : []))
  if (twice.length) throw refusal(422, 'Named twice', twice)
  const { stock } = await lock(tx, { stock: ids })
  const gone = ids.filter((id) => stock.get(id)?.status !== 'In Stock')
  if (gone.length) throw refusal(409, 'Not available', gone)
  const unpriced = ids.filter((id) => getFrom(stock, id).sales_price === null)
  if (unpriced.length) throw refusal(422, 'Without a price yet', unpriced)
  const repriced = items.filter(
    (item) => (item.sales_price ?? getFrom(stock, item.id).sales_price) !== getFrom(stock, item.id).sales_price,
  )
  if (repriced.length)
    throw refusal(
      409,
      'The price has changed',
      repriced.map((item) => item.id),
    )

  const options = SaleCreateInput.parse({ stock_items: ids.map((id) => ({ id })), reference_number })
  const order = { options, customer: partner.customer_id }
  const { id, warnings } = await createSale(tx, order, { partnerId }, { mailFrom })
  if (warnings.length) await recordMessage(tx, { partnerId }, 'Sale', id, `Please note: ${warnings.join(' ')}`)
  return id
}

function refusal(status: 409 | 422, what: string, ids: number[]): Refusal {
  const message = `${what}: ${someOf(ids.map((id) => `#${id}`))}.`
  return new Refusal(status, message, { errors: { items: message }, data: { items: ids } })
}

const orders = (db: Db, partnerId: number) =>
  db
    .selectFrom('sale')
    .select(['id', 'status', 'reference_number', 'invoice_number', 'courier', 'outbound_tracking_number'])
    .select(['total_items', 'total_sales_price', 'total_sales_price_vat', 'created_at', 'updated_at'])
    .where('partner_id', '=', partnerId)

/** A partner's own orders with a lower id than `after`, newest first. */
export async function findOrders(
  db: Db,
  partnerId: number,
  { after, limit }: { after?: number | undefined; limit: number },
): Promise<Slice<PartnerOrderRow>> {
  const rows = await orders(db, partnerId)
    .$call((query) => (after === undefined ? query : query.where('id', '<', after)))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return slice(rows, limit, (row) => row.id)
}

/** One of the partner's own orders; undefined if the partner has none with this id. */
export async function orderOf(db: Db, partnerId: number, id: number): Promise<PartnerOrder | undefined> {
  const order = await orders(db, partnerId).where('id', '=', id).executeTakeFirst()
  if (!order) return undefined
  const vat_totals = await db
    .selectFrom('sale_vat')
    .select(['treatment', sql<number>`rate / 100.0`.as('rate'), 'net', 'vat'])
    .where('sale_id', '=', id)
    .orderBy('rate', 'desc')
    .execute()
  const items = await db
    .selectFrom('sale_item')
    .select(['stock_id as id', 'product_name', 'imei', 'serial_number', 'sales_price'])
    .select(sql<number>`vat_rate / 100.0`.as('vat_rate'))
    .select(sql<boolean>`released is null or released = 'returned'`.as('available'))
    .select(sql<boolean>`released is not distinct from 'returned'`.as('returned'))
    .where('sale_id', '=', id)
    .orderBy('position')
    .orderBy('stock_id')
    .execute()
  return { ...order, vat_totals, items }
}
