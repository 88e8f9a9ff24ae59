import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { marginVat } from '@backstock/contract/sale-total.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict, invalid, missing } from '../../http/refusal.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'
import { type CreditNote, creditItems } from '../document/credit.ts'
import { takenBy } from '../stock/identifiers.ts'
import { isStillSold, type LockedSale, lockSale, putBackInStock, type SaleLine } from './locked-sale.ts'
import { rewriteReturned } from './totals.ts'

/** Takes back one item of a dispatched sale, in stock again, at its whole price. Refuses as `takeBack` does. */
export async function returnItem(tx: Tx, saleId: number, stockId: number, author: Author): Promise<void> {
  const locked = await lockSale(tx, saleId)
  await takeBack(tx, locked, [{ stock_id: stockId }], author, async (ids) => {
    await refuseTwins(tx, locked, ids)
    try {
      await putBackInStock(tx, ids, author)
    } catch (error) {
      if (isTaken(error)) throw conflict('Another item with this IMEI or serial number is in hand already.')
      throw error
    }
  })
}

/** `price`: what is given back of it, as typed on the sale; all of it where left out. */
export type TakenBack = { stock_id: number; price?: Hundredths | undefined }

/**
 * Takes items of a dispatched sale back: the sale's profit leaves them out, and what the invoice says of them is credited.
 * `moveItems` says what becomes of the items themselves. Returns the credit note, where there is an invoice. 404 where the
 * sale never had an item; 409 where the sale is not dispatched or an item is back already; 422 under `items` where more is
 * given back than it has cost.
 */
export async function takeBack(
  tx: Tx,
  { sale, lines, stock }: LockedSale,
  items: readonly TakenBack[],
  author: Author,
  moveItems: (ids: number[]) => Promise<void>,
): Promise<CreditNote | undefined> {
  const byItem = new Map(lines.map((line) => [line.stock_id, line]))
  const taken = items.map(({ stock_id, price }) => {
    const line = byItem.get(stock_id)
    if (!line) throw missing(`Item #${stock_id} on sale #${sale.id}`)
    if (sale.status !== 'Dispatched') throw conflict('Only items of a dispatched sale can be returned.')
    if (line.released === 'returned') throw conflict('This item has been returned')
    if (!isStillSold(line, stock)) throw conflict(`Item #${stock_id} is not on this sale any more.`)
    const whole = line.sales_price_vat ?? line.sales_price
    if (price !== undefined && price > whole)
      throw invalid({ items: `Item #${stock_id}: at most ${formatMoney(whole)} ${CURRENCY} can be given back.` })
    // Of a price that includes VAT, the part that is the sale's.
    const net = price === undefined ? line.sales_price : whole && Math.round((line.sales_price * price) / whole)
    return { line, net, price: price ?? whole, margin: line.margin_vat - marginLeft(line, net) }
  })
  const ids = taken.map(({ line }) => line.stock_id)
  await sql`
    update sale_item set released = 'returned', returned_sales = back.net, returned_price = back.price
    from unnest(${ids}::int[], ${taken.map(({ net }) => net)}::int[], ${taken.map(({ price }) => price)}::int[])
      as back (stock_id, net, price)
    where sale_item.sale_id = ${sale.id} and sale_item.stock_id = back.stock_id`.execute(tx)
  await moveItems(ids)
  const sum = (of: (one: (typeof taken)[number]) => number) => taken.reduce((total, one) => total + of(one), 0)
  await tx
    .updateTable('sale')
    .set({
      returned_cost: sale.returned_cost + sum(({ line }) => line.cost),
      returned_sales: sale.returned_sales + sum(({ net }) => net),
      returned_margin_vat: sale.returned_margin_vat + sum(({ margin }) => margin),
    })
    .where('id', '=', sale.id)
    .execute()
  await rewriteReturned(tx, sale.id, sale.prices_include_vat)
  const message = (text: string) => ({ type: 'message' as const, data: { message: text } })
  await record(tx, author, [
    ...taken.map(({ line }): Entry => {
      const text = `Item #${line.stock_id} (${line.product_name}) was returned.`
      return { type: 'Sale', id: sale.id, content: message(text) }
    }),
    ...ids.map((id): Entry => ({ type: 'Stock', id, content: message(`Returned from sale #${sale.id}.`) })),
  ])
  return creditItems(tx, sale.id, { items, reason: 'return' }, author)
}

/** The VAT in what is left of a margin once so much of the price is given back. */
const marginLeft = ({ sales_price, cost, margin_rate }: SaleLine, back: Hundredths) =>
  margin_rate === null ? 0 : marginVat(sales_price - back, cost, margin_rate)

/** 409 where a phone has been bought back and is in hand already as another item. */
async function refuseTwins(tx: Tx, { stock }: LockedSale, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const taken = await takenBy(tx, stock.get(id)!, id)
    const messages = Object.values(taken)
    if (messages.length) throw conflict(messages.join(' '), taken)
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505'
