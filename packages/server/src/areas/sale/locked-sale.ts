import { isSellable, type StockStatus } from '@backstock/contract/stock-status.ts'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { missing } from '../../http/refusal.ts'
import { type Locked, lock } from '../../records/lock.ts'
import { type Author, record } from '../../records/log/write.ts'

export type SaleRecord = Selectable<Tables['sale']>
export type SaleLine = Selectable<Tables['sale_item']>
export type StockItem = Selectable<Tables['stock']>

/** The columns of an item that a new sale needs. The further columns of 5,000 items may have many megabytes. */
export const SELLING = [
  ...(['id', 'status', 'batch_id', 'imei', 'serial_number', 'actual_product_id', 'grade_id', 'vat_id'] as const),
  ...(['purchase_treatment', 'sales_price', 'cost'] as const),
]
export type ItemToSell = Pick<StockItem, (typeof SELLING)[number]>

export type LockedSale = { sale: SaleRecord; lines: SaleLine[]; stock: Map<number, StockItem> }

/** Locks a sale with its items, the items first, and then reads its lines. Throws 404 if there is no such sale. */
export async function lockSale(tx: Tx, id: number): Promise<LockedSale> {
  const ids = await tx.selectFrom('sale_item').select('stock_id').where('sale_id', '=', id).execute()
  if (ids.length === 0) throw missing(`Sale #${id}`)
  const { stock, sales } = await lock(tx, { stock: ids.map((row) => row.stock_id), sales: [id] })
  const sale = sales.get(id)
  if (!sale) throw missing(`Sale #${id}`)
  const lines = await tx.selectFrom('sale_item').selectAll().where('sale_id', '=', id).orderBy('position').execute()
  return { sale, lines, stock }
}

/** Lines of sales, with their locked items, batches and sales. */
export type LockedLines = Pick<Locked, 'stock' | 'batches' | 'sales'> & { lines: SaleLine[] }

/**
 * Locks items of sales: first the items, then their batches, then the sales. Afterwards it reads the lines. Rows that
 * do not exist are left out. For several sales, call it once: separate calls could block each other.
 */
export async function lockLines(
  tx: Tx,
  wanted: readonly { sale_id: number; stock_id: number }[],
): Promise<LockedLines> {
  const { stock } = await lock(tx, { stock: wanted.map((line) => line.stock_id) })
  const { batches } = await lock(tx, { batches: [...stock.values()].flatMap((item) => item.batch_id ?? []) })
  const { sales } = await lock(tx, { sales: wanted.map((line) => line.sale_id) })
  const { rows: lines } = await sql<SaleLine>`
    select i.* from unnest(${wanted.map((line) => line.sale_id)}::int[], ${wanted.map((line) => line.stock_id)}::int[])
      as wanted (sale_id, stock_id) join sale_item i using (sale_id, stock_id)`.execute(tx)
  return { stock, batches, sales, lines }
}

/** Whether the line's item is still on this sale. */
export const isStillSold = (line: SaleLine, stock: Map<number, StockItem>) =>
  line.released === null && stock.get(line.stock_id)?.sale_id === line.sale_id

/** Whether the sale has lost the line's item and the item can be sold again. */
export const isSellableAgain = (line: SaleLine, stock: Map<number, StockItem>) => {
  const item = stock.get(line.stock_id)
  return line.released === 'lost' && item !== undefined && isSellable(item.status)
}

/**
 * Puts items of a sale back in stock: In Batch if they have a batch, else In Stock. Each gets a log entry. The caller
 * has locked the items. If the constraint `stock_identifier` is violated, another item with the same IMEI or serial
 * number has come into stock meanwhile.
 */
export async function putBackInStock(tx: Tx, ids: readonly number[], author: Author): Promise<void> {
  const { rows } = await sql<{ id: number; status: StockStatus }>`
    update stock set status = case when batch_id is null then 'In Stock' else 'In Batch' end::stock_status,
      sale_id = null, in_hand = true
    where id = any(${[...ids]}::int[]) returning id, status`.execute(tx)
  await record(
    tx,
    author,
    rows.map(({ id, status }) => ({
      type: 'Stock',
      id,
      content: { type: 'model_update', data: [{ attributeName: 'status', from: 'Sold', to: status }] },
    })),
  )
}

/** Stores the reason why lines no longer belong to a sale; null means that they belong to it again. */
export async function release(
  tx: Tx,
  saleId: number,
  ids: readonly number[],
  released: NonNullable<SaleLine['released']> | null,
): Promise<void> {
  await sql`
    update sale_item set released = ${released} where sale_id = ${saleId} and stock_id = any(${[...ids]}::int[])`.execute(
    tx,
  )
}
