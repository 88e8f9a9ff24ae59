import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import type { GiveUpRules, JobHandlers, Jobs } from '../../jobs.ts'
import { storeFile } from '../../records/file.ts'
import { renderKeptPaper } from '../../render/paper/paper.ts'
import { logoOf } from '../document/invoice-contents.ts'
import { receiptData } from './queries.ts'

/** The job that makes the PDFs of receipts. If it was interrupted, it can run again. */
export const receiptJobs = ({ db }: { db: Database }): Pick<JobHandlers, 'receipt_render'> => ({
  receipt_render: (ordered) => renderReceipt(db, ordered),
})

const GIVEN_UP = 'The server stopped twice while making this PDF and will not try again.'

export const receiptGiveUps: Pick<GiveUpRules, 'receipt_render'> = {
  async receipt_render(tx: Tx, ordered: Jobs['receipt_render']) {
    for (const lang of await pending(tx, ordered)) await fail(tx, ordered.receipt_id, lang, GIVEN_UP)
  },
}

/**
 * Makes the PDF that was ordered. Each language has a job of its own, so that invoices wait for one paper at most. If it
 * cannot be printed, it is tried once more and then marked as failed. An error of the database is thrown, so that the
 * queue tries again.
 */
async function renderReceipt(db: Database, ordered: Jobs['receipt_render']): Promise<void> {
  const id = ordered.receipt_id
  for (const lang of await pending(db.read, ordered)) {
    const made = await render(db.read, id, lang)
    await db.write(async (tx) => {
      if (!(await lockPending(tx, id, lang))) return
      if ('error' in made) await fail(tx, id, lang, made.error)
      else await keep(tx, id, lang, made)
    })
  }
}

/** The ordered languages that are not made yet. */
async function pending(db: Db, { receipt_id, lang }: Jobs['receipt_render']): Promise<InvoiceLanguage[]> {
  const { rows } = await sql<{ lang: InvoiceLanguage }>`
    select lang from purchase_receipt_file
    where receipt_id = ${receipt_id} and status = 'pending' and lang = coalesce(${lang ?? null}::text, lang)
    order by created_at, lang`.execute(db)
  return rows.map(({ lang }) => lang)
}

/** Whether the file is still to be made. The lock makes a second run of the job wait, so that only one file is kept. */
async function lockPending(tx: Tx, id: number, lang: InvoiceLanguage): Promise<boolean> {
  const { rows } = await sql`
    select from purchase_receipt_file where receipt_id = ${id} and lang = ${lang} and status = 'pending'
    for no key update`.execute(tx)
  return rows.length > 0
}

type Made = { number: string; pdf: Buffer } | { error: string }

async function render(db: Db, id: number, lang: InvoiceLanguage): Promise<Made> {
  const kept = await receiptData(db, id)
  if (!kept) return { error: 'The receipt no longer exists.' }
  const { data, logo_file_id } = kept
  const logo = logo_file_id === null ? null : await logoOf(db, logo_file_id)
  const print = () =>
    renderKeptPaper({
      kind: 'purchase receipt',
      sender: { ...data.buyer, logo },
      lang,
      isCopy: lang !== kept.lang,
      data,
    })
  try {
    return { number: data.number, pdf: await print().catch(print) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

async function keep(
  tx: Tx,
  id: number,
  lang: InvoiceLanguage,
  { number, pdf }: { number: string; pdf: Buffer },
): Promise<void> {
  const fileId = await storeFile(tx, { name: `${number}.pdf`, mediaType: 'application/pdf', content: pdf })
  await sql`
    update purchase_receipt_file set status = 'ready', error = null, file_id = ${fileId}
    where receipt_id = ${id} and lang = ${lang}`.execute(tx)
}

async function fail(tx: Tx, id: number, lang: InvoiceLanguage, why: string): Promise<void> {
  const error = `The PDF in ${LANGUAGE_NAMES[lang]} could not be made: ${why}`
  await sql`
    update purchase_receipt_file set status = 'failed', error = ${error}
    where receipt_id = ${id} and lang = ${lang} and status = 'pending'`.execute(tx)
}
