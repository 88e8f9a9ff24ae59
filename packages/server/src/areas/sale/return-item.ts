import type { Tx } from '../../db/connect.ts'
import { conflict, missing } from '../../http/refusal.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import { takenBy } from '../stock/identifiers.ts'
import { isStillSold, lockSale, putBackInStock, release, type StockItem } from './locked-sale.ts'

/**
 * Takes back one item of a dispatched sale: it is in hand again, and the sale's profit leaves it out. 404 where the
 * sale never had it; 409 where the sale is not dispatched, the item is back already, or another item with its IMEI or
 * serial number is in hand.
 */
export async function returnItem(tx: Tx, saleId: number, stockId: number, author: Author): Promise<void> {
  const { sale, lines, stock } = await lockSale(tx, saleId)
  const line = lines.find((one) => one.stock_id === stockId)
  if (!line) throw missing(`Item #${stockId} on sale #${saleId}`)
  if (sale.status !== 'Dispatched') throw conflict('Only items of a dispatched sale can be returned.')
  if (line.released === 'returned') throw conflict('This item has been returned')
  if (!isStillSold(line, stock)) throw conflict(`Item #${stockId} is not on this sale any more.`)
  await refuseTwin(tx, stock.get(stockId)!)

  await release(tx, saleId, [stockId], 'returned')
  try {
    await putBackInStock(tx, [stockId], author)
  } catch (error) {
    if (isTaken(error)) throw conflict('Another item with this IMEI or serial number is in hand already.')
    throw error
  }
  await tx
    .updateTable('sale')
    .set({
      returned_cost: sale.returned_cost + line.cost,
      returned_sales: sale.returned_sales + line.sales_price,
      returned_margin_vat: sale.returned_margin_vat + line.margin_vat,
    })
    .where('id', '=', saleId)
    .execute()
  await recordMessage(tx, author, 'Sale', saleId, `Item #${stockId} (${line.product_name}) was returned.`)
  await recordMessage(tx, author, 'Stock', stockId, `Returned from sale #${saleId}.`)
}

/** 409 where the phone has been bought back and is in hand already as another item. */
async function refuseTwin(tx: Tx, item: StockItem): Promise<void> {
  const taken = await takenBy(tx, item, item.id)
  const messages = Object.values(taken)
  if (messages.length) throw conflict(messages.join(' '), taken)
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505'
