import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { storeFile } from '../../records/file.ts'
import { lock } from '../../records/lock.ts'
import { record, recordMessage } from '../../records/log/write.ts'
import { renderInvoice } from '../../render/invoice/pdf.ts'
import { logoOf } from './invoice-print.ts'
import { sendSoon } from './mail/outbox.ts'
import { currentInvoiceFile } from './queries.ts'

/**
 * Renders the newest version of a sale's invoice, unless that was done before, and sends the mails on their way that
 * wait for it. What cannot be printed is tried once more and then marked failed, with an entry on the sale; trouble
 * with the database is thrown, for the queue to try again.
 */
export async function renderNewestInvoice(db: Database, saleId: number, userId: number | null): Promise<void> {
  const version = await newestVersion(db.read, saleId)
  if (!version) return
  const rendered = version.status === 'pending' && version.file_id === null ? await render(db.read, version) : undefined
  await db.write(async (tx) => {
    const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
    const now = await newestVersion(tx, saleId)
    if (!sale || now?.version !== version.version) return // a later version has a job of its own
    if (rendered && 'error' in rendered && now.status === 'pending') {
      await setStatus(tx, now.invoice_id, 'failed', rendered.error)
      await recordMessage(tx, { userId }, 'Sale', saleId, `The invoice could not be made: ${rendered.error}`)
    }
    if (rendered && 'pdf' in rendered && now.file_id === null) {
      await keepPdf(tx, now, rendered.pdf)
      if (now.status === 'pending') await setStatus(tx, now.invoice_id, 'ready', null)
    }
    await sendWaitingMails(tx, saleId)
  })
}

type Version = {
  invoice_id: number
  version: number
  lang: string
  number: string
  logo_file_id: number | null
  file_id: number | null
  status: string
}

function newestVersion(db: Db, saleId: number): Promise<Version | undefined> {
  return db
    .selectFrom('invoice as i')
    .innerJoin('invoice_version as v', 'v.invoice_id', 'i.id')
    .select(['v.invoice_id', 'v.version', 'v.lang', 'v.file_id', 'i.status'])
    .select([
      sql<string>`v.data ->> 'number'`.as('number'),
      sql<number | null>`(v.data ->> 'logo_file_id')::int`.as('logo_file_id'),
    ])
    .where('i.sale_id', '=', saleId)
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function render(db: Db, version: Version): Promise<{ pdf: Buffer } | { error: string }> {
  const { invoice_id, number, logo_file_id, lang } = version
  const { data } = await db
    .selectFrom('invoice_version')
    .select(sql<string>`data::text`.as('data'))
    .where('invoice_id', '=', invoice_id)
    .where('version', '=', version.version)
    .executeTakeFirstOrThrow()
  const kept = { number, data, logo: logo_file_id === null ? null : await logoOf(db, logo_file_id) }
  try {
    const again = () => renderInvoice(kept, lang as InvoiceLanguage)
    return { pdf: await again().catch(again) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

async function keepPdf(tx: Tx, { invoice_id, version, number }: Version, pdf: Buffer): Promise<void> {
  const fileId = await storeFile(tx, { name: `Invoice ${number}.pdf`, mediaType: 'application/pdf', content: pdf })
  await tx
    .updateTable('invoice_version')
    .set({ file_id: fileId })
    .where('invoice_id', '=', invoice_id)
    .where('version', '=', version)
    .execute()
}

async function setStatus(tx: Tx, invoiceId: number, status: 'ready' | 'failed', error: string | null): Promise<void> {
  await tx.updateTable('invoice').set({ status, error }).where('id', '=', invoiceId).execute()
}

/** Mails of the sale that were never tried and carry nothing yet have waited for the invoice. */
async function sendWaitingMails(tx: Tx, saleId: number): Promise<void> {
  const fileId = await currentInvoiceFile(tx, saleId)
  const waiting = await tx
    .updateTable('mail')
    .set(
      fileId
        ? { file_ids: [fileId] }
        : { state: 'failed', error: 'There is no invoice to send: it could not be made, or was deleted.' },
    )
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where(sql<boolean>`file_ids = '{}'`)
    .returning(['id', 'user_id'])
    .execute()
  for (const { id, user_id } of waiting)
    if (fileId) await sendSoon(tx, id)
    else {
      const data = { message: 'The email was not sent: there is no invoice.', mail: 'failed' as const }
      await record(tx, { userId: user_id }, [{ type: 'Sale', id: saleId, content: { type: 'message', data } }])
    }
}
