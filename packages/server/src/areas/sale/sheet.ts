import type { Tx } from '../../db/connect.ts'
import { missing } from '../../http/refusal.ts'
import { queue } from '../../jobs.ts'
import { lock } from '../lock.ts'
import { type Author, recordMessage } from '../log.ts'

/** Orders the sheet of a sale that is locked or new in this transaction. */
export async function orderSheet(tx: Tx, saleId: number, author: Author): Promise<void> {
  await tx.updateTable('sale').set({ excel_status: 'pending' }).where('id', '=', saleId).execute()
  await queue(tx, 'sheet_render', { sale_id: saleId, user_id: author.userId ?? null })
}

/** Makes or remakes the sheet as a person asks for it. */
export async function generateSheet(tx: Tx, saleId: number, author: Author): Promise<void> {
  if (!(await lock(tx, { sales: [saleId] })).sales.has(saleId)) throw missing(`Sale #${saleId}`)
  await orderSheet(tx, saleId, author)
  await recordMessage(tx, author, 'Sale', saleId, 'The Excel sheet was ordered.')
}
