import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, invalid } from '../../../http/refusal.ts'
import { getFrom } from '../../../lists.ts'
import { listed } from '../../../records/log/listed.ts'
import { type Author, type Entry, record } from '../../../records/log/write.ts'
import { type CreditNote, creditSales } from '../../document/credit.ts'
import { bookPurchases } from '../../supplier-claim/credits.ts'
import { isStillSold, type LockedLines, type SaleLine, type SaleRecord } from '../locked-sale.ts'
import { rewriteReturned } from '../totals.ts'

/** An item to take back. `price` is the sum to credit, as typed on the sale; if it is left out, the whole price. */
export type TakenBack = { sale_id: number; stock_id: number; price?: Hundredths | undefined }

/** The agreed price of an item, as typed, less its allowance. */
export const agreedPrice = (line: Pick<SaleLine, 'sales_price' | 'sales_price_vat' | 'allowed_price'>): Hundredths =>
  (line.sales_price_vat ?? line.sales_price) - line.allowed_price

/** Why an item cannot come back from its sale; undefined if it can. */
export function whyNotBack(
  sale: Pick<SaleRecord, 'status'>,
  line: Pick<SaleLine, 'stock_id' | 'released'>,
  isHeld: boolean,
): string | undefined {
  if (sale.status !== 'Dispatched') return 'Only items of a dispatched sale can be returned.'
  if (line.released === 'returned') return 'This item has been returned'
  return isHeld ? undefined : `Item #${line.stock_id} is not on this sale any more.`
}

/**
 * Takes back items of dispatched sales. They leave the profit of the sale, and their part of the invoice is credited.
 * The callback `moveItems` changes the items themselves, such as their status. Returns the credit notes by sale, for
 * sales with an invoice. Throws 409 if a sale is not dispatched or an item is back already; 422 under `items` for a sum
 * above an item's price. It names the first such item alone: a return of several has been checked before. The number
 * series are locked at the end, so `moveItems` must take any other lock.
 */
export async function takeBack(
  tx: Tx,
  locked: LockedLines,
  items: readonly TakenBack[],
  author: Author,
  moveItems: () => Promise<void>,
): Promise<Map<number, CreditNote>> {
  const taken = checked(locked, items)
  await sql`
    update sale_item set released = 'returned', returned_price = back.price
    from unnest(${taken.map(({ line }) => line.sale_id)}::int[], ${taken.map(({ line }) => line.stock_id)}::int[],
      ${taken.map(({ line, price }) => price ?? agreedPrice(line))}::int[]) as back (sale_id, stock_id, price)
    where sale_item.sale_id = back.sale_id and sale_item.stock_id = back.stock_id`.execute(tx)
  await moveItems()
  const bySale = [...Map.groupBy(taken, ({ line }) => line.sale_id)].toSorted(([a], [b]) => a - b)
  await record(
    tx,
    author,
    bySale.flatMap(([saleId, of]) => entries(saleId, of)),
  )
  await rewriteReturned(
    tx,
    bySale.map(([id]) => getFrom(locked.sales, id)),
  )
  const credited = bySale.map(([sale_id, of]) => ({
    sale_id,
    items: of.map(({ line, price }) => ({ stock_id: line.stock_id, price })),
  }))
  const notes = await creditSales(tx, credited, 'return', author)
  // For sales with a credit note, the note has booked the purchases already.
  const without = bySale.flatMap(([id]) => (notes.has(id) ? [] : [id]))
  await bookPurchases(tx, without)
  return notes
}

type ReturnedLine = { line: SaleLine; price: Hundredths | undefined }

/** The lines of these items, with the sums to credit. Throws the errors of `takeBack`. */
function checked({ lines, sales, stock }: LockedLines, items: readonly TakenBack[]): ReturnedLine[] {
  const key = ({ sale_id, stock_id }: { sale_id: number; stock_id: number }) => `${sale_id} ${stock_id}`
  const byKey = new Map(lines.map((line) => [key(line), line]))
  return items.map((item) => {
    const line = getFrom(byKey, key(item))
    const why = whyNotBack(getFrom(sales, item.sale_id), line, isStillSold(line, stock))
    if (why) throw conflict(why)
    const whole = agreedPrice(line)
    if (item.price !== undefined && item.price > whole) throw invalid({ items: tooMuch(line.stock_id, whole) })
    return { line, price: item.price }
  })
}

/** The message if a sum is above the price of the item. */
export const tooMuch = (id: number, whole: Hundredths) =>
  `Item #${id}: at most ${formatMoney(whole)} ${CURRENCY} can be credited.`

function entries(saleId: number, taken: readonly ReturnedLine[]): Entry[] {
  const message = (text: string) => ({ type: 'message' as const, data: { message: text } })
  const [one, ...more] = taken.map(({ line }) => line)
  const what = one && more.length === 0 ? `Item #${one.stock_id} (${one.product_name}) was returned.` : returned(taken)
  return [
    { type: 'Sale', id: saleId, content: message(what) },
    ...taken.map(
      ({ line }): Entry => ({ type: 'Stock', id: line.stock_id, content: message(`Returned from sale #${saleId}.`) }),
    ),
  ]
}
const returned = (taken: readonly ReturnedLine[]) => `Returned: ${listed(taken.map(({ line }) => line.stock_id))}.`
