import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Db } from '../../db/connect.ts'
import { filesOf } from './sale-file.ts'

/** The invoice that a person gets today: the uploaded one, else the newest version once it is ready. */
export async function currentInvoiceFile(db: Db, saleId: number): Promise<number | undefined> {
  const uploaded = (await filesOf(db, saleId)).invoice
  if (uploaded) return uploaded.id
  const version = await db
    .selectFrom('invoice as i')
    .innerJoin('invoice_version as v', 'v.invoice_id', 'i.id')
    .select('v.file_id')
    .where('i.sale_id', '=', saleId)
    .where('i.status', '=', 'ready')
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return version?.file_id ?? undefined
}

/** Whether an invoice was ordered and not deleted, made or not. */
export async function isInvoiceOrdered(db: Db, saleId: number): Promise<boolean> {
  const invoice = await db
    .selectFrom('invoice')
    .select('id')
    .where('sale_id', '=', saleId)
    .where('status', '<>', 'none')
    .executeTakeFirst()
  return invoice !== undefined
}

/** The language of a sale's newest invoice; undefined where there is none, or where it was deleted. */
export async function invoiceLanguage(db: Db, saleId: number): Promise<InvoiceLanguage | undefined> {
  const version = await db
    .selectFrom('invoice as i')
    .innerJoin('invoice_version as v', 'v.invoice_id', 'i.id')
    .select('v.lang')
    .where('i.sale_id', '=', saleId)
    .where('i.status', '<>', 'none')
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return version?.lang as InvoiceLanguage | undefined
}
