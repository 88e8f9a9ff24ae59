import type { Tx } from '../../../db/connect.ts'
import { missing } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordMessage } from '../../../records/log/write.ts'
import { paperPriority } from '../../document/paper-priority.ts'
import { refuseVoided } from '../../document/refuse-voided.ts'

/** Orders the spreadsheet of a sale. The sale is locked, or new in this transaction. */
export async function orderSheet(tx: Tx, saleId: number, author: Author): Promise<void> {
  const { total_items: lines } = await tx
    .updateTable('sale')
    .set({ excel_status: 'pending' })
    .where('id', '=', saleId)
    .returning('total_items')
    .executeTakeFirstOrThrow()
  const priority = paperPriority({ lines, isOneOfMany: false })
  await queue(tx, 'sheet_render', { sale_id: saleId, user_id: author.userId ?? null }, { priority })
}

/** Makes the spreadsheet of a sale again at a person's request. Throws 409 for a voided sale. */
export async function generateSheet(tx: Tx, saleId: number, author: Author): Promise<void> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  refuseVoided(sale)
  await orderSheet(tx, saleId, author)
  await recordMessage(tx, author, 'Sale', saleId, 'An Excel sheet was requested.')
}
