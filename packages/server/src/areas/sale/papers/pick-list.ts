import type { StockRow } from '@backstock/contract/stock.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { conflict, missing } from '../../../http/refusal.ts'
import type { PickList } from '../../../render/paper/paper.ts'
import { basketItems } from '../../basket.ts'
import { senderOf } from '../../company.ts'
import { stockRows } from '../../stock/queries.ts'

type PickListLine = PickList['lines'][number]
const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Sorts items by location, in the order in which a person walks along the shelves. Items without a location come last.
 */
export const byLocation = (a: PickListLine, b: PickListLine): number =>
  Number(a.location === null) - Number(b.location === null) ||
  order.compare(a.location ?? '', b.location ?? '') ||
  order.compare(a.product, b.product) ||
  order.compare(a.grade ?? '', b.grade ?? '') ||
  a.id - b.id

const lineOf = (row: StockRow): PickListLine => ({
  id: row.id,
  location: row.location,
  product: row.product_display_name,
  grade: row.grade_name,
  imei: row.imei,
  serial_number: row.serial_number,
  backstock_id: row.backstock_id,
})

async function listOf(db: Db, title: string, note: string | null, rows: readonly StockRow[]): Promise<PickList> {
  if (rows.length === 0) throw conflict('There is nothing to pick.')
  const { sender, today } = await senderOf(db)
  return { kind: 'pick list', sender, title, note, date: today, lines: rows.map(lineOf).toSorted(byLocation) }
}

/**
 * The items to fetch for a sale: those that are still on it, each with its present location. Throws 404; 409 if there
 * are none.
 */
export async function pickListOfSale(db: Db, saleId: number): Promise<PickList> {
  const sale = await db
    .selectFrom('sale')
    .select(sql<string>`coalesce(buyer ->> 'company_name', buyer ->> 'full_name')`.as('buyer'))
    .where('id', '=', saleId)
    .executeTakeFirst()
  if (!sale) throw missing(`Sale #${saleId}`)
  const held = await db
    .selectFrom('sale_item')
    .select('stock_id')
    .where('sale_id', '=', saleId)
    .where('released', 'is', null)
    .execute()
  const rows = await stockRows(
    db,
    held.map(({ stock_id }) => stock_id),
  )
  return listOf(db, `Sale #${saleId}`, sale.buyer, rows)
}

export async function pickListOfBasket(db: Db, userId: number): Promise<PickList> {
  return listOf(db, 'Basket', null, await basketItems(db, userId))
}

/** The pick list of a sale that is not made yet. */
export async function pickListOfDraft(db: Db, items: readonly number[]): Promise<PickList> {
  return listOf(db, 'New sale', null, await stockRows(db, items))
}
