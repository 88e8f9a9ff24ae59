import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../../db/connect.ts'
import type { Jobs } from '../../../jobs.ts'
import { lock } from '../../../records/lock.ts'
import { recordMessage } from '../../../records/log/write.ts'
import { renderSaleSheet, type SheetData } from '../../../render/sheet/sheet.ts'
import { putSaleFile } from '../../document/sale-file.ts'

const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Makes the spreadsheet of a sale if it is pending. If the sale changes meanwhile, the function makes the spreadsheet
 * once more. If the spreadsheet cannot be made, it is marked as failed, and the log says why.
 */
export async function renderSheet(db: Database, saleId: number, userId: number | null): Promise<void> {
  const data = await sheetData(db.read, saleId)
  if (!data) return
  const made = await renderSaleSheet(data).then(
    (content) => ({ content }),
    (error: Error) => ({ error }),
  )
  const outdated = await db.write(async (tx) => {
    const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
    if (sale?.excel_status !== 'pending') return false
    if (sale.updated_at !== data.updated_at) return true
    if ('error' in made) {
      await fail(tx, saleId, made.error.message, userId)
      return false
    }
    await putSaleFile(tx, saleId, 'excel', {
      name: `Sale ${saleId}.xlsx`,
      mediaType: MEDIA_TYPE,
      content: made.content,
    })
    await tx.updateTable('sale').set({ excel_status: 'ready' }).where('id', '=', saleId).execute()
    return false
  })
  if (outdated) await renderSheet(db, saleId, userId)
}

/** Marks a sale's pending spreadsheet as failed, because its job has killed the processes that ran it. */
export async function giveUpSheet(tx: Tx, { sale_id, user_id = null }: Jobs['sheet_render']): Promise<void> {
  const sale = (await lock(tx, { sales: [sale_id] })).sales.get(sale_id)
  if (sale?.excel_status !== 'pending') return
  const why = 'the server stopped twice while making it and will not try again.'
  await fail(tx, sale_id, why, user_id)
}

async function fail(tx: Tx, saleId: number, why: string, userId: number | null): Promise<void> {
  await recordMessage(tx, { userId }, 'Sale', saleId, `The Excel sheet could not be made: ${why}`)
  await tx.updateTable('sale').set({ excel_status: 'failed' }).where('id', '=', saleId).execute()
}

async function sheetData(db: Db, saleId: number): Promise<(SheetData & { updated_at: string }) | undefined> {
  const sale = await db
    .selectFrom('sale')
    .select(['prices_include_vat', 'total_sales_price', 'total_sales_price_vat', 'updated_at'])
    .where('id', '=', saleId)
    .executeTakeFirst()
  if (!sale) return undefined
  const lines = await db
    .selectFrom('sale_item as i')
    .select([
      'i.product_name as product',
      'i.make',
      'i.model',
      'i.capacity',
      'i.colour',
      'i.imei',
      'i.serial_number',
      'i.grade',
      'i.sales_price as net',
      sql<number>`coalesce(i.sales_price_vat, i.sales_price)`.as('price'),
      'i.vat_rate',
    ])
    .where('i.sale_id', '=', saleId)
    .where(sql<boolean>`i.released is distinct from 'removed'`)
    .orderBy('i.position')
    .execute()
  return {
    sale_id: saleId,
    prices_include_vat: sale.prices_include_vat,
    lines: lines.map((line, index) => ({ ...line, position: index + 1 })),
    total_net: sale.total_sales_price,
    total_gross: sale.total_sales_price_vat,
    updated_at: sale.updated_at,
  }
}
