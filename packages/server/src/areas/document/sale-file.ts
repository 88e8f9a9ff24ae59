import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { storeFile } from '../../records/file.ts'

export type SaleSlot = 'invoice' | 'label' | 'excel'
type SlotFile = { id: number; name: string }

/** The present files of a sale: an uploaded invoice, the label, the spreadsheet. */
export async function filesOf(db: Db, saleId: number): Promise<Partial<Record<SaleSlot, SlotFile>>> {
  const files = await db
    .selectFrom('sale_file as s')
    .innerJoin('file as f', 'f.id', 's.file_id')
    .select(['s.slot', 'f.id', 'f.name'])
    .where('s.sale_id', '=', saleId)
    .where('s.removed_at', 'is', null)
    .execute()
  return Object.fromEntries(files.map(({ slot, id, name }) => [slot, { id, name }]))
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
