import { OPEN_SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'
import type { CurrentItem } from './current-items.ts'

/**
 * Items on a sale that were just Deleted come off it as lost, and a sale that is still open requires attention; the logs
 * of both say why. The caller has locked items and sales.
 */
export async function loseSoldItems(tx: Tx, items: readonly CurrentItem[], author: Author): Promise<void> {
  if (items.length === 0) return
  const saleOf = new Map(items.map(({ row }) => [row.id, row.sale_id!]))
  const sales = [...new Set(saleOf.values())].sort((a, b) => a - b)
  await sql`
    update sale_item set released = 'lost'
    where stock_id = any(${[...saleOf.keys()]}::int[]) and released is null`.execute(tx)
  const { rows: before } = await sql<{ id: number; status: SaleStatus }>`
    select id, status from sale where id = any(${sales}::int[]) and status = any(${OPEN_SALE_STATUSES}::text[])`.execute(
    tx,
  )
  await sql`update sale set status = 'Requires Attention' where id = any(${before.map((sale) => sale.id)}::int[])`.execute(
    tx,
  )
  const by = author.importId == null ? '' : ` by import #${author.importId}`
  const message = (text: string) => ({ type: 'message' as const, data: { message: text } })
  await record(tx, author, [
    ...before.map(({ id, status }): Entry => {
      const data = [{ attributeName: 'status', from: status, to: 'Requires Attention' }]
      return { type: 'Sale', id, content: { type: 'model_update', data } }
    }),
    ...items.flatMap(({ row, product }): Entry[] => [
      {
        type: 'Sale',
        id: row.sale_id!,
        content: message(
          `Item #${row.id} (${product.display_name}) was deleted${by} and is no longer available for this sale.`,
        ),
      },
      {
        type: 'Stock',
        id: row.id,
        content: message(`Deleted${by} while on sale #${row.sale_id}, which now requires attention.`),
      },
    ]),
  ])
}
