import type { Document } from '@backstock/contract/document.ts'
import { type CreditReason, DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict, missing, Refusal } from '../../http/refusal.ts'
import { lock } from '../../records/lock.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import { keepVatCheck } from '../vat-check/checks.ts'
import { type CreditNote, creditItems } from './credit.ts'
import type { DocumentFacts } from './facts.ts'
import { isFinal, isOfEarlierMonth, makeFinal, standingInvoice } from './final.ts'
import { invoiceFacts } from './invoice-contents.ts'
import { DELETED, renewMails, stopMails } from './mail/outbox.ts'
import { newestFirst } from './newest-first.ts'
import type { Series } from './number.ts'
import { currentInvoiceFile, paidOf } from './queries.ts'
import { refuseVoided } from './refuse-voided.ts'
import { filesOf, removeSaleFile } from './sale-file.ts'
import { type NewVersion, orderFiles, orderVersions, rewriteDocument, sumUpOnSales, writeDocument } from './write.ts'

/** The number series: the shop's own, or that of the sample data. */
export type Numbering = 'invoice' | 'sample'
type Options = { lang: InvoiceLanguage; series?: Numbering }

/**
 * Orders a sale's invoice. The sale must be locked, or made in this transaction. The first order takes the number. The
 * data to print are fixed now, and a job makes the files from them. As long as the invoice is not final, another order
 * prints the present state of the sale under the same number, and the sale keeps the newest check of its buyer's VAT
 * number; afterwards it prints the same content again. The invoice replaces an uploaded one. The function locks the
 * number series, so any other lock must be taken before. Returns the number. Throws 409 if every item has come back.
 */
export async function orderInvoice(
  tx: Tx,
  saleId: number,
  author: Author,
  { lang, series = 'invoice' }: Options,
): Promise<string> {
  await removeSaleFile(tx, saleId, 'invoice')
  const standing = await standingInvoice(tx, saleId)
  if (standing && (await isFinal(tx, standing))) {
    await printAgain(tx, saleId, standing, lang, author)
    return standing.printed
  }
  await keepVatCheck(tx, saleId)
  const facts = await factsOf(tx, saleId)
  if (standing) return remake(tx, { saleId, id: standing.id, lang }, facts, author)
  const document = await writeDocument(tx, { saleId, series: seriesOf(facts, series) }, facts)
  await orderVersions(tx, [await versionOf(tx, { saleId, document, lang }, facts)], author)
  await sumUpOnSales(tx, [saleId])
  return document.printed
}

type Remade = { saleId: number; id: number; lang: InvoiceLanguage }

/** Makes a new version of an invoice that is not final. The invoice keeps its number, which is returned. */
async function remake(tx: Tx, { saleId, id, lang }: Remade, facts: DocumentFacts, author: Author): Promise<string> {
  const document = await rewriteDocument(tx, id, facts)
  await orderVersions(tx, [await versionOf(tx, { saleId, document, lang }, facts)], author)
  await sumUpOnSales(tx, [saleId])
  await renewMails(tx, saleId, id)
  return document.printed
}

/** The data of an invoice's next version: the facts, the date of supply, and the paid sum. */
async function versionOf(
  tx: Tx,
  which: Omit<NewVersion, 'data'>,
  { data, is_supplied_when_issued }: DocumentFacts,
): Promise<NewVersion> {
  const { id, issued_on } = which.document
  const paid = await paidOf(tx, id)
  const supplied_on = data.supplied_on ?? (is_supplied_when_issued ? issued_on : null)
  return { ...which, data: { ...data, supplied_on, ...(paid > 0 && { paid }) } }
}

/**
 * Makes a new version of the standing invoice from the present state of the sale, in the invoice's language, unless the
 * invoice is final. An invoice that was taken off the sale stays off. The sale must be locked.
 */
export async function renewDraft(tx: Tx, saleId: number, author: Author): Promise<void> {
  const standing = await standingInvoice(tx, saleId)
  if (!standing || (await isFinal(tx, standing))) return
  const facts = await invoiceFacts(tx, saleId)
  if (!facts) return
  const { lang } = await newestVersion(tx, standing.id)
  await remake(tx, { saleId, id: standing.id, lang }, facts, author)
  if (standing.status === 'none')
    await tx.updateTable('document').set({ status: 'none' }).where('id', '=', standing.id).execute()
}

async function factsOf(tx: Tx, saleId: number): Promise<DocumentFacts> {
  const facts = await invoiceFacts(tx, saleId)
  if (!facts) throw conflict('Every item of this sale was returned: there is nothing to invoice.')
  return facts
}

/**
 * The number series of an invoice. Sample data have a series of their own. An invoice that has nothing but the reverse
 * charge of a rule takes that rule's series, if the rule has one.
 */
const seriesOf = ({ own_series }: DocumentFacts, numbering: string): Series =>
  numbering === 'sample' ? 'sample' : (own_series ?? 'invoice')

/**
 * The most copies of a document. One in each language is enough; only somebody who changes the language again and again
 * makes more.
 */
const MAX_COPIES = 20

/**
 * Writes the paid sums into the standing invoices of these sales, except into final ones. Nothing else in the invoices
 * changes. The caller has locked the sales.
 */
export async function notePaid(tx: Tx, saleIds: readonly number[], author: Author): Promise<void> {
  const { rows } = await sql<{ sale_id: number }>`
    select sale_id from document where sale_id = any(${[...saleIds]}::int[]) and kind = 'invoice' and replaced_by_id is null
      and left_at is null order by sale_id`.execute(tx)
  for (const { sale_id } of rows) await notePaidOnDraft(tx, sale_id, author)
}

async function notePaidOnDraft(tx: Tx, saleId: number, author: Author): Promise<void> {
  const standing = await standingInvoice(tx, saleId)
  if (!standing || (await isFinal(tx, standing))) return
  const paid = await paidOf(tx, standing.id)
  await sql`
    insert into document_version (document_id, version, lang, data)
    select document_id, version + 1, lang, data - 'paid' || ${JSON.stringify(paid > 0 ? { paid } : {})}::jsonb
    from document_version where document_id = ${standing.id} order by version desc limit 1`.execute(tx)
  if (standing.status === 'none') return
  await tx.updateTable('document').set({ status: 'pending', error: null }).where('id', '=', standing.id).execute()
  await orderFiles(tx, [saleId], author)
  await renewMails(tx, saleId, standing.id)
}

/**
 * Prints the same content once more. If there was a file in this language, it is used again: a copy, or the file that
 * was taken off the sale. If the file is being made already, it is not ordered twice. Throws 409 if there are too many
 * copies, because each is kept for good.
 */
async function printAgain(
  tx: Tx,
  saleId: number,
  { id, status }: { id: number; status: string },
  lang: InvoiceLanguage,
  author: Author,
): Promise<void> {
  const newest = await newestVersion(tx, id)
  const isThere = newest.file_id !== null
  // Somebody may have the XML already, even if the PDF is not made yet.
  const isCopy = isThere || newest.has_xml || newest.is_copy
  const isWanted = newest.lang === lang
  const comesBack = isWanted && isThere && (newest.is_copy || status === 'none' || status === 'failed')
  await tx
    .updateTable('document')
    .set({ status: comesBack ? 'ready' : 'pending', error: null })
    .where('id', '=', id)
    .execute()
  if (comesBack) return
  if (!isWanted || isThere) {
    if (newest.copies >= MAX_COPIES) {
      const what = `This document has ${MAX_COPIES} copies already, and cannot have more.`
      throw conflict(`${what} The newest one is in ${LANGUAGE_NAMES[newest.lang]}.`)
    }
    await sql`
      insert into document_version (document_id, version, lang, data, is_copy)
      select document_id, ${newest.last} + 1, ${lang}, data, ${isCopy} from document_version
      where document_id = ${id} and version = ${newest.version}`.execute(tx)
  }
  await orderFiles(tx, [saleId], author)
}

/** The newest version of a document (`newestFirst`), the document's highest version number, and how many copies it has. */
function newestVersion(tx: Tx, documentId: number) {
  return tx
    .selectFrom('document_version as v')
    .innerJoin('document as d', 'd.id', 'v.document_id')
    .select(['v.version', 'v.file_id', 'v.is_copy', sql<InvoiceLanguage>`v.lang`.as('lang')])
    .select(sql<number>`max(v.version) over ()`.as('last'))
    .select(
      sql<boolean>`exists (select from document_xml x where (x.document_id, x.version) = (v.document_id, v.version))`.as(
        'has_xml',
      ),
    )
    .select(sql<number>`count(*) filter (where v.is_copy) over ()`.as('copies'))
    .where('v.document_id', '=', documentId)
    .orderBy(newestFirst())
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** The documents of a sale that a change has made. */
export type Reissued = { credit_note: CreditNote | null; invoice: { id: number; printed: string } | null }

/**
 * Brings the documents of a changed sale up to date, in the language of its invoice. A final invoice is credited, and a
 * new one made; an invoice that is not final is made again under its number. But if it is of an earlier month, it is
 * credited too, because the books of that month must not change. The same holds if it now belongs in another number
 * series. An invoice whose file was taken off the sale counts like any other, because it is in the books. A sale
 * without an invoice gets none. The sale must be locked.
 */
export async function reissueInvoice(
  tx: Tx,
  saleId: number,
  reason: Extract<CreditReason, 'correction' | 'resubmission'>,
  author: Author,
): Promise<Reissued> {
  const standing = await standingInvoice(tx, saleId)
  if (!standing) return { credit_note: null, invoice: null }
  const { lang } = await newestVersion(tx, standing.id)
  const isClosed = (await isFinal(tx, standing)) || (await isBooked(tx, standing.id))
  // The invoice is marked before the facts are read: one in place of a final invoice has the costs of today, while a
  // draft keeps the costs of its day.
  if (isClosed) await makeFinal(tx, [standing.id])
  const facts = await factsOf(tx, saleId)
  const series = seriesOf(facts, standing.series)
  if (!isClosed && series === standing.series) {
    await orderInvoice(tx, saleId, author, { lang })
    return { credit_note: null, invoice: { id: standing.id, printed: standing.printed } }
  }
  await removeSaleFile(tx, saleId, 'invoice')
  await makeFinal(tx, [standing.id])
  const credit_note = (await creditItems(tx, saleId, { reason }, author)) ?? null
  const invoice = await writeDocument(tx, { saleId, series, replaces: standing.id }, facts)
  await orderVersions(tx, [await versionOf(tx, { saleId, document: invoice, lang }, facts)], author)
  await sumUpOnSales(tx, [saleId])
  await recordMessage(
    tx,
    author,
    'Sale',
    saleId,
    `Invoice ${invoice.printed} was requested in place of ${standing.printed}, in ${LANGUAGE_NAMES[lang]}.`,
  )
  return { credit_note, invoice }
}

/** Whether the document is in the books of an earlier month. */
async function isBooked(tx: Tx, documentId: number): Promise<boolean> {
  const { is_booked } = await tx
    .selectFrom('document')
    .select(isOfEarlierMonth(sql`issued_on`).as('is_booked'))
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow()
  return is_booked
}

/**
 * Makes a sale's invoice, or makes it again under its number, as a person asks for it. If `wanted` names no language,
 * it is the usual one of the customer's invoices. Throws 409 for a voided sale, unless its invoice has a number and no
 * PDF, because the books need the PDF of each number.
 */
export async function generateInvoice(
  tx: Tx,
  saleId: number,
  wanted: InvoiceLanguage | undefined,
  author: Author,
): Promise<Generated> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  if (sale.status === 'Voided' && sale.invoice_number === null)
    throw conflict('A voided sale cannot get an invoice number.')
  const isThere = await hasInvoice(tx, saleId)
  if (isThere) refuseVoided(sale)
  const { lang: set } = await tx
    .selectFrom('customer')
    .select('lang')
    .where('id', '=', sale.customer_id)
    .executeTakeFirstOrThrow()
  const lang = wanted ?? set ?? 'en'
  const uploaded = (await filesOf(tx, saleId)).invoice?.name
  const number = await orderInvoice(tx, saleId, author, { lang })
  const what = uploaded ? 'requested' : isThere ? 'requested again' : 'requested'
  const instead = uploaded ? `, in place of the uploaded ${uploaded}` : ''
  await recordMessage(
    tx,
    author,
    'Sale',
    saleId,
    `Invoice ${number} was ${what}, in ${LANGUAGE_NAMES[lang]}${instead}.`,
  )
  return { number, uploaded }
}

/** The number of the invoice, and the name of the uploaded invoice that it replaces. */
type Generated = { number: string; uploaded: string | undefined }

/**
 * Prints a document again, in any language. The standing invoice is made by `generateInvoice`; any other document is
 * printed with the same content.
 */
export async function printDocument(
  tx: Tx,
  { id, sale_id, kind, replaced_by_id }: Pick<Document, 'id' | 'sale_id' | 'kind' | 'replaced_by_id'>,
  lang: InvoiceLanguage,
  author: Author,
): Promise<void> {
  if (kind === 'invoice' && replaced_by_id === null) {
    await generateInvoice(tx, sale_id, lang, author)
    return
  }
  await lock(tx, { sales: [sale_id] })
  const { printed, status } = await tx
    .selectFrom('document')
    .select(['printed', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await printAgain(tx, sale_id, { id, status }, lang, author)
  const message = `${DOCUMENT_NAMES[kind]} ${printed} was requested again, in ${LANGUAGE_NAMES[lang]}.`
  await recordMessage(tx, author, 'Sale', sale_id, message)
}

/** Whether a sale has an invoice, or one is being made. */
async function hasInvoice(tx: Tx, saleId: number): Promise<boolean> {
  const made = await standingInvoice(tx, saleId)
  return made?.status === 'pending' || (await currentInvoiceFile(tx, saleId)) !== undefined
}

/**
 * Takes the invoice, uploaded or generated, off the sale. The number and final versions stay. Returns what happened, as
 * sentences. Throws 404 if there is no invoice.
 */
export async function deleteInvoice(tx: Tx, saleId: number, author: Author): Promise<string> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  const uploaded = await removeSaleFile(tx, saleId, 'invoice')
  const standing = await standingInvoice(tx, saleId)
  const isGenerated = standing !== undefined && standing.status !== 'none'
  if (!uploaded && !isGenerated) throw new Refusal(404, `Sale #${saleId} has no invoice.`)
  if (isGenerated)
    await tx.updateTable('document').set({ status: 'none', error: null }).where('id', '=', standing.id).execute()
  await stopMails(tx, saleId, DELETED)
  await recordMessage(tx, author, 'Sale', saleId, DELETED)
  const number = standing?.printed
  return number ? `The file of invoice ${number} was taken off the sale. The invoice still counts.` : DELETED
}
