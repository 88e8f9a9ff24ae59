import { type OnReceipt, stillSaid } from '@backstock/contract/receipt-differences.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import type { StockColumns } from './columns.ts'

/** The columns of an item that its purchase receipt prints or depends on. */
const RECEIPT_COLUMNS = [
  ...['purchase_price', 'purchase_currency', 'purchase_treatment', 'supplier_id', 'actual_product_id', 'grade_id'],
  ...['imei', 'serial_number'],
] as const satisfies readonly (keyof StockColumns)[]

export const changesReceipt = (before: StockColumns, after: StockColumns): boolean =>
  RECEIPT_COLUMNS.some((column) => before[column] !== after[column])

/** SQL for the receipt of the item `s`, as `OnReceipt` with its id and number; null if the item is on none. */
export const RECEIPT = sql`(select json_build_object('id', r.id, 'number', r.printed, 'price', l.price, 'currency', r.currency,
    'description', l.description, 'imei', l.imei, 'serial_number', l.serial_number, 'supplier_id', r.supplier_id,
    'seller_name', r.seller_name)
  from purchase_receipt_line l join purchase_receipt r on r.id = l.receipt_id where l.stock_id = s.id and l.is_live)`
export type ItemsReceipt = OnReceipt & { id: number; number: string }

/** A note for the person if the receipt of an item says something else than the item is by now. */
export async function receiptNote(db: Db, id: number): Promise<string | undefined> {
  const { rows } = await sql<Parameters<typeof stillSaid>[0] & { receipt: ItemsReceipt | null }>`
    select s.purchase_price, s.purchase_currency, s.purchase_treatment, p.display_name as product_display_name,
      g.name as grade_name, s.imei, s.serial_number, s.supplier_id, ${RECEIPT} as receipt
    from stock s join product p on p.id = s.actual_product_id left join grade g on g.id = s.grade_id
    where s.id = ${id}`.execute(db)
  const { receipt, ...item } = single(rows)
  const said = receipt ? stillSaid(item, receipt) : []
  return receipt && said.length > 0 ? `${receipt.number} still says ${said.join(', ')}.` : undefined
}

/** The most receipts that a sentence names. */
const NAMED = 5

/** A sentence about those of the items that are on receipts; null if none is. */
export async function receiptsSentence(db: Db, ids: readonly number[]): Promise<string | null> {
  if (ids.length === 0) return null
  const { rows } = await sql<{ number: string; items: number }>`
    select r.printed as number, count(*) as items
    from purchase_receipt_line l join purchase_receipt r on r.id = l.receipt_id
    where l.stock_id = any(${[...ids]}::int[]) and l.is_live group by r.id order by r.id`.execute(db)
  if (rows.length === 0) return null
  const items = rows.reduce((sum, row) => sum + row.items, 0)
  const names = rows.slice(0, NAMED).map(({ number }) => number)
  const which = `${names.join(', ')}${rows.length > NAMED ? ' and others' : ''}`
  const stay = rows.length === 1 ? 'which stays as it is' : 'which stay as they are'
  return `${items.toLocaleString('en')} ${items === 1 ? 'item is' : 'items are'} on ${which}, ${stay}.`
}
