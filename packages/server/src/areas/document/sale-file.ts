import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import { storeFile } from '../../records/file.ts'

export type SaleSlot = 'invoice' | 'label' | 'excel'
type SlotFile = { id: number; name: string }
export type SaleFiles = Partial<Record<SaleSlot, SlotFile>>

/** The present files of a sale (an uploaded invoice, the label, the spreadsheet), as a column of the sale's own query. */
export const filesColumn = (saleId: RawBuilder<unknown>) => sql<SaleFiles>`(
  select coalesce(json_object_agg(s.slot, json_build_object('id', f.id, 'name', f.name)), '{}')
  from sale_file s join file f on f.id = s.file_id where s.sale_id = ${saleId} and s.removed_at is null)`

/** The present files of a sale. */
export async function filesOf(db: Db, saleId: number): Promise<SaleFiles> {
  const { rows } = await sql<{ files: SaleFiles }>`select ${filesColumn(sql`${saleId}`)} as files`.execute(db)
  return single(rows).files
}

/** Puts a file into a slot of a locked sale. The file that was there is kept, but no longer shown. */
export async function putSaleFile(
  tx: Tx,
  saleId: number,
  slot: SaleSlot,
  file: Parameters<typeof storeFile>[1],
): Promise<number> {
  const fileId = await storeFile(tx, file)
  await removeSaleFile(tx, saleId, slot)
  await tx.insertInto('sale_file').values({ sale_id: saleId, slot, file_id: fileId, removed_at: null }).execute()
  return fileId
}

/** Empties a slot; the file is kept. Returns whether the slot had a file. */
export async function removeSaleFile(tx: Tx, saleId: number, slot: SaleSlot): Promise<boolean> {
  const removed = await tx
    .updateTable('sale_file')
    .set({ removed_at: sql<string>`now()` })
    .where('sale_id', '=', saleId)
    .where('slot', '=', slot)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return removed.numUpdatedRows > 0n
}
