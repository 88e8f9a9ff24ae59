import { OPEN_SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { type Author, type Entry, record } from '../../../records/log/write.ts'

export type LostItem = { id: number; saleId: number; productName: string }

/**
 * Takes deleted items off their sales. If a sale is still open, it requires attention from then on. The logs of item
 * and sale say why. The caller has locked items and sales.
 */
export async function loseItems(tx: Tx, items: readonly LostItem[], author: Author): Promise<void> {
  if (items.length === 0) return
  const sales = [...new Set(items.map(({ saleId }) => saleId))].sort((a, b) => a - b)
  await sql`
    update sale_item set released = 'lost'
    where stock_id = any(${items.map(({ id }) => id)}::int[]) and released is null`.execute(tx)
  const { rows: before } = await sql<{ id: number; status: SaleStatus }>`
    select id, status from sale where id = any(${sales}::int[]) and status = any(${OPEN_SALE_STATUSES}::text[])`.execute(
    tx,
  )
  await sql`update sale set status = 'Requires Attention' where id = any(${before.map((sale) => sale.id)}::int[])`.execute(
    tx,
  )
  const isOpen = new Set(before.map(({ id }) => id))
  const by = author.importId == null ? '' : ` by import #${author.importId}`
  const message = (text: string) => ({ type: 'message' as const, data: { message: text } })
  await record(tx, author, [
    ...before.map(({ id, status }): Entry => {
      const data = [{ attributeName: 'status', from: status, to: 'Requires Attention' }]
      return { type: 'Sale', id, content: { type: 'model_update', data } }
    }),
    ...items.flatMap(({ id, saleId, productName }): Entry[] => [
      {
        type: 'Sale',
        id: saleId,
        content: message(`Item #${id} (${productName}) was deleted${by} and is no longer available for this sale.`),
      },
      {
        type: 'Stock',
        id,
        content: message(
          `Deleted${by} while on sale #${saleId}${isOpen.has(saleId) ? ', which now requires attention' : ''}.`,
        ),
      },
    ]),
  ])
}
