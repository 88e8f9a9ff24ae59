import { type OnReceipt, stillSaid } from '@backstock/contract/receipt-differences.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { getFrom } from '../../lists.ts'
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

type Receipted = Parameters<typeof stillSaid>[0] & { id: number; receipt: ItemsReceipt }

/** Those of the items that are on receipts, each as it is now and as its receipt describes it. */
async function receiptedAmong(db: Db, ids: readonly number[]): Promise<Receipted[]> {
  const { rows } = await sql<Omit<Receipted, 'receipt'> & { receipt: ItemsReceipt | null }>`
    select s.id, s.purchase_price, s.purchase_currency, s.purchase_treatment, p.display_name as product_display_name,
      g.name as grade_name, s.imei, s.serial_number, s.supplier_id, ${RECEIPT} as receipt
    from stock s join product p on p.id = s.actual_product_id left join grade g on g.id = s.grade_id
    where s.id = any(${[...ids]}::int[])`.execute(db)
  return rows.flatMap(({ receipt, ...item }) => (receipt ? { ...item, receipt } : []))
}

/** A note for the person if the receipt of an item says something else than the item is by now. */
export async function receiptNote(db: Db, id: number): Promise<string | undefined> {
  const [item] = await receiptedAmong(db, [id])
  const said = item ? stillSaid(item, item.receipt) : []
  return item && said.length > 0 ? `${item.receipt.number} still says ${said.join(', ')}.` : undefined
}

/**
 * The numbers of the receipts that say what items are now, and would no longer do so if the items got these earlier
 * values, which never include another product. The key is the id of the item.
 */
export async function receiptsContradicted(
  db: Db,
  items: readonly { id: number; before: Partial<StockColumns> }[],
): Promise<Map<number, string>> {
  const rewritten = new Map(
    items.filter(({ before }) => RECEIPT_COLUMNS.some((column) => column in before)).map((one) => [one.id, one.before]),
  )
  if (rewritten.size === 0) return new Map()
  const now = await receiptedAmong(db, [...rewritten.keys()])
  const grades = await namesOfGrades(db, [...rewritten.values()])
  const gradeOf = (item: Receipted, { grade_id }: Partial<StockColumns>) =>
    grade_id === undefined ? item.grade_name : grade_id === null ? null : (grades.get(grade_id) ?? null)
  const contradicted = now.filter((item) => {
    const before = getFrom(rewritten, item.id)
    const saidNow = stillSaid(item, item.receipt)
    const saidThen = stillSaid({ ...item, ...before, grade_name: gradeOf(item, before) }, item.receipt)
    return saidThen.some((words) => !saidNow.includes(words))
  })
  return new Map(contradicted.map(({ id, receipt }) => [id, receipt.number]))
}

async function namesOfGrades(db: Db, items: readonly Partial<StockColumns>[]): Promise<Map<number, string>> {
  const ids = [...new Set(items.flatMap(({ grade_id }) => grade_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('grade').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The most receipts that a sentence names. */
const NAMED = 5

/** A note about those of the items that are on receipts; null if none is. */
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
  const stay = rows.length === 1 ? 'This receipt stays as it is.' : 'These receipts stay as they are.'
  return `${items.toLocaleString('en')} ${items === 1 ? 'item is' : 'items are'} on ${which}. ${stay}`
}
