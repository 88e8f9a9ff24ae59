import { createHash } from 'node:crypto'
import { DOCUMENT_NAMES, type DocumentKind } from '@backstock/contract/document-kind.ts'
import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import type { Jobs } from '../../jobs.ts'
import { getFrom, zip } from '../../lists.ts'
import { storeFile } from '../../records/file.ts'
import { lock } from '../../records/lock.ts'
import { record, recordMessage } from '../../records/log/write.ts'
import { eInvoiceLacks } from '../../render/e-invoice/e-invoice.ts'
import { type MadeXml, madeXml, XML_FILES, type XmlFile } from '../../render/e-invoice/e-invoice-xml.ts'
import { type KeptInvoice, type Rendered, renderInvoice } from '../../render/invoice/pdf.ts'
import { inTurns } from '../../render/workers/turns.ts'
import { logoOf } from './invoice-contents.ts'
import { sendSoon } from './mail/outbox.ts'
import { newestFirst } from './newest-first.ts'
import { documentsOf, mailedFiles } from './queries.ts'
import { orderFiles } from './write.ts'

/**
 * Renders the pending documents of a sale, and sends the mails that wait for them. If a document cannot be printed, it
 * is tried once more and then marked as failed, with an entry in the sale's log. An error of the database is thrown, so
 * that the queue tries again.
 */
export async function renderDocuments(db: Database, saleId: number, userId: number | null): Promise<void> {
  for (const { id } of await waitingDocuments(db.read, saleId)) await renderNewest(db, saleId, id, userId)
  await db.write(async (tx) => {
    if ((await lock(tx, { sales: [saleId] })).sales.has(saleId)) await sendWaitingMails(tx, saleId)
  })
}

function waitingDocuments(db: Db, saleId: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('document')
    .select('id')
    .where('sale_id', '=', saleId)
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute()
}

async function renderNewest(db: Database, saleId: number, documentId: number, userId: number | null): Promise<void> {
  const version = await newestVersion(db.read, documentId)
  if (version.file_id !== null) return
  const rendered = await render(db.read, version)
  await db.write(async (tx) => {
    await lock(tx, { sales: [saleId] })
    const now = await newestVersion(tx, documentId)
    if (now.version !== version.version || now.file_id !== null) return // the later version has its own job
    const isWaiting = now.status === 'pending'
    if ('pdf' in rendered) {
      if (rendered.xml) await keepXml(tx, now, rendered.xml)
      await keepPdf(tx, now, rendered.pdf)
      if (isWaiting) await setStatus(tx, documentId, 'ready', null)
    } else if (isWaiting) {
      await fail(tx, saleId, now, rendered.error, userId)
      return
    }
    // A mail does not wait for other documents of its sale.
    await sendWaitingMails(tx, saleId)
  })
}

const GIVEN_UP = 'The server stopped twice while making this PDF and will not try again.'

/** Marks the document as failed whose rendering has killed processes. The sale's other documents are tried. */
export async function giveUpDocument(tx: Tx, { sale_id, user_id = null }: Jobs['invoice_render']): Promise<void> {
  if (!(await lock(tx, { sales: [sale_id] })).sales.has(sale_id)) return
  const waiting: Version[] = []
  for (const { id } of await waitingDocuments(tx, sale_id)) waiting.push(await newestVersion(tx, id))
  const [deadly, ...others] = waiting.filter(({ file_id }) => file_id === null)
  if (!deadly) return
  await fail(tx, sale_id, deadly, GIVEN_UP, user_id)
  if (others.length) await orderFiles(tx, [sale_id], { userId: user_id })
}

/**
 * Notes that a version could not be made, and ends the mails that wait for it. If the version is a copy, the document
 * stays ready with the file that it has.
 */
async function fail(
  tx: Tx,
  saleId: number,
  { document_id, kind, number, is_copy, lang }: Version,
  why: string,
  userId: number | null,
) {
  const name = `${DOCUMENT_NAMES[kind]} ${number}`
  const stands = is_copy && (await hasFile(tx, document_id))
  const message = `${is_copy ? `The copy of ${name} in ${LANGUAGE_NAMES[lang]}` : name} could not be made: ${why}`
  await setStatus(tx, document_id, stands ? 'ready' : 'failed', is_copy ? message : why)
  await recordMessage(tx, { userId }, 'Sale', saleId, message)
  await sendWaitingMails(tx, saleId, is_copy ? document_id : undefined)
}

type Version = {
  document_id: number
  kind: DocumentKind
  version: number
  lang: InvoiceLanguage
  number: string
  logo_file_id: number | null
  file_id: number | null
  is_copy: boolean
  status: string
}

function newestVersion(db: Db, documentId: number): Promise<Version> {
  return db
    .selectFrom('document as d')
    .innerJoin('document_version as v', 'v.document_id', 'd.id')
    .select(['v.document_id', 'd.kind', 'v.version', 'v.file_id', 'v.is_copy', 'd.status', 'd.printed as number'])
    .select([
      sql<InvoiceLanguage>`v.lang`.as('lang'),
      sql<number | null>`(v.data ->> 'logo_file_id')::int`.as('logo_file_id'),
    ])
    .where('d.id', '=', documentId)
    .orderBy(newestFirst())
    .limit(1)
    .executeTakeFirstOrThrow()
}

async function kept(db: Db, { document_id, version, number, logo_file_id }: Version): Promise<KeptInvoice> {
  const { data } = await db
    .selectFrom('document_version')
    .select(sql<string>`data::text`.as('data'))
    .where('document_id', '=', document_id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return { number, data, logo: logo_file_id === null ? null : await logoOf(db, logo_file_id) }
}

async function render(db: Db, version: Version): Promise<Rendered | { error: string }> {
  const invoice = { ...(await kept(db, version)), cii: (await xmlOf(db, version, 'cii'))?.toString() }
  try {
    const again = () => renderInvoice(invoice, version.lang, version.is_copy ? 'copy' : undefined)
    return await again().catch(again)
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Drafts are rendered one at a time, so that a document to be sent waits for one draft at most. */
const draftsInTurns = inTurns(1)
const draftsUnderWay = new Map<string, Promise<Buffer>>()

/**
 * The document as it would be sent, marked as a draft. Nothing is stored. If the same draft is being made already, both
 * requests get that draft.
 */
export async function renderDraft(db: Db, documentId: number, person: number): Promise<Buffer> {
  const version = await newestVersion(db, documentId)
  const key = `${documentId} ${version.version}`
  const underWay = draftsUnderWay.get(key)
  if (underWay) return underWay
  const draft = draftsInTurns(person, 1, async () => {
    const { pdf } = await renderInvoice(await kept(db, version), version.lang, 'draft')
    return pdf
  })
  draftsUnderWay.set(key, draft)
  return draft.finally(() => draftsUnderWay.delete(key))
}

/** The stored XML of a document's newest version; undefined if there is none yet. */
export const keptXml = async (db: Db, documentId: number, file: XmlFile): Promise<Buffer | undefined> =>
  xmlOf(db, await newestVersion(db, documentId), file)

/**
 * The XML of a document's newest version. If it is missing, it is made and stored: the PDF may not be ready yet, and
 * older versions of Backstock stored no XML. The document must be final, or its sale locked. Undefined if the document
 * lacks data for it.
 */
export async function xmlToSend(
  tx: Tx,
  documentId: number,
  file: XmlFile,
): Promise<{ version: number; content: Buffer } | undefined> {
  const newest = await newestVersion(tx, documentId)
  const { version } = newest
  const already = await xmlOf(tx, newest, file)
  if (already) return { version, content: already }
  const { data } = await kept(tx, newest)
  const xml = madeXml(JSON.parse(data), newest.lang)
  if (!xml) return undefined
  await keepXml(tx, newest, xml)
  // Another request may have stored it first.
  const content = await xmlOf(tx, newest, file)
  return content && { version, content }
}

/** The facts that a document's newest version lacks for XML, in words. */
export async function xmlLacks(db: Db, documentId: number): Promise<string[]> {
  const { data } = await kept(db, await newestVersion(db, documentId))
  return eInvoiceLacks(JSON.parse(data))
}

type VersionKey = Pick<Version, 'document_id' | 'version'>

/** The stored XML of a version; undefined if there is none yet. */
export async function xmlOf(db: Db, { document_id, version }: VersionKey, file: XmlFile): Promise<Buffer | undefined> {
  const kept = await db
    .selectFrom('document_xml')
    .select('content')
    .where('document_id', '=', document_id)
    .where('version', '=', version)
    .where('syntax', '=', file)
    .executeTakeFirst()
  return kept?.content
}

/** Stores the XML files of a version for good. XML that is stored already is not replaced. */
async function keepXml(tx: Tx, { document_id, version }: VersionKey, xml: MadeXml): Promise<void> {
  const rows = XML_FILES.flatMap((syntax) => {
    const text = xml[syntax]
    if (text === undefined) return []
    const content = Buffer.from(text)
    return { document_id, version, syntax, content, sha256: createHash('sha256').update(content).digest() }
  })
  await tx
    .insertInto('document_xml')
    .values(rows)
    .onConflict((there) => there.doNothing())
    .execute()
}

async function keepPdf(tx: Tx, { document_id, kind, version, number }: Version, pdf: Buffer): Promise<void> {
  const fileId = await storeFile(tx, {
    name: `${DOCUMENT_NAMES[kind]} ${number}.pdf`,
    mediaType: 'application/pdf',
    content: pdf,
  })
  await tx
    .updateTable('document_version')
    .set({ file_id: fileId })
    .where('document_id', '=', document_id)
    .where('version', '=', version)
    .execute()
}

async function hasFile(db: Db, documentId: number): Promise<boolean> {
  const made = await db
    .selectFrom('document_version')
    .select('version')
    .where('document_id', '=', documentId)
    .where('file_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return made !== undefined
}

async function setStatus(tx: Tx, documentId: number, status: 'ready' | 'failed', error: string | null): Promise<void> {
  await tx.updateTable('document').set({ status, error }).where('id', '=', documentId).execute()
}

/**
 * Sends the mails of a sale that have been waiting for the files of their documents. `withoutCopy` is a document of
 * which a copy could not be made. A mail with it is not sent, because the mail has the language of the copy and the
 * file has another.
 */
async function sendWaitingMails(tx: Tx, saleId: number, withoutCopy?: number): Promise<void> {
  const waiting = await tx
    .selectFrom('mail')
    .select(['id', 'user_id', 'document_ids'])
    .where('sale_id', '=', saleId)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`file_ids = '{}' and document_ids <> '{}'`)
    .orderBy('id')
    .execute()
  if (waiting.length === 0) return
  const documents = new Map((await documentsOf(tx, saleId)).map((document) => [document.id, document]))
  for (const { id, user_id, document_ids } of waiting) {
    const carried = document_ids.map((one) => getFrom(documents, one))
    const made = await mailedFiles(tx, carried)
    const files = zip(carried, made).map(([{ id }, file]) => (id === withoutCopy ? undefined : file))
    if (files.every((file) => file !== undefined)) {
      await tx.updateTable('mail').set({ file_ids: files }).where('id', '=', id).execute()
      await sendSoon(tx, id)
    } else if (carried.every((document, n) => files[n] !== undefined || document.status !== 'pending')) {
      const gone = carried.filter((_, n) => files[n] === undefined)
      const names = gone.map(
        ({ id, kind, number }) => `${id === withoutCopy ? 'the copy of ' : ''}${DOCUMENT_NAMES[kind]} ${number}`,
      )
      const error = `Could not be made, or was deleted: ${names.join(', ')}.`
      await tx.updateTable('mail').set({ state: 'failed', error }).where('id', '=', id).execute()
      const data = { message: `The email was not sent. ${error}`, mail: 'failed' as const }
      await record(tx, { userId: user_id }, [{ type: 'Sale', id: saleId, content: { type: 'message', data } }])
    }
  }
}
