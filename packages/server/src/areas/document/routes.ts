import { writeAnswer } from '@backstock/contract/answer.ts'
import { Document, DocumentQuery, GenerateDocumentInput } from '@backstock/contract/document.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { type Crud, crud, found, IdParams } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { conflict, missing } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { getFrom } from '../../lists.ts'
import { contentDisposition, sendFile } from '../../records/file.ts'
import { lock } from '../../records/lock.ts'
import { XML_FILES, type XmlFile } from '../../render/e-invoice/e-invoice-xml.ts'
import { readFinal } from './final.ts'
import { hasFile, LACKS_DATA, orderHandover, xmlName } from './handover.ts'
import { printDocument } from './invoice.ts'
import { queueDocumentMails } from './mail/outbox.ts'
import { documentFile, documentOf, findDocuments } from './queries.ts'
import { refuseVoided } from './refuse-voided.ts'
import { keptXml, renderDraft, xmlToSend } from './render.ts'

const NoInput = z.object({})

/**
 * The reading routes of documents. Nobody creates, edits or deletes a document by itself: changes of sales make them.
 */
const document: Crud<typeof DocumentQuery, typeof NoInput, typeof Document> = {
  area: 'document',
  title: 'Document',
  query: DocumentQuery,
  input: NoInput,
  row: Document,
  record: Document,
  find: findDocuments,
  one: documentOf,
}

/** The routes under `/api/document`. */
export function documentRoutes(app: App, db: Database, config: Config): void {
  crud(app, db, document)
  pdfRoute(app, db)
  for (const file of XML_FILES) xmlRoute(app, db, file)
  sendRoute(app, db, config)
  generateRoute(app, db)
  handOverRoute(app, db, config)
}

const ViewQuery = z.object({
  view: z.string().optional().describe('For the screen: a document that is not final yet is marked as a draft.'),
})

/** The route of the PDF. A download makes the document final; a look at it with `?view` does not. */
function pdfRoute(app: App, db: Database): void {
  const schema = {
    params: IdParams,
    querystring: ViewQuery,
    ...fileAnswer('The PDF as an attachment; with `view`, to be shown.', 'application/pdf'),
  }
  app.get('/api/document/:id/pdf', { schema }, async (request, reply) => {
    const { id } = request.params
    const { left_at } = found(await documentOf(db.read, id), `Document #${id}`)
    const isLookedAt = request.query.view !== undefined
    const file = await documentFile(db.read, id)
    if (!file) throw missing(`The PDF of document #${id}`)
    if (isLookedAt && left_at === null) {
      const draft = await renderDraft(db.read, id, actorOf(request).id)
      return reply.header('content-disposition', 'inline').type('application/pdf').send(draft)
    }
    const leaving =
      left_at === null
        ? await db.write((tx) => readFinal(tx, id, () => documentFile(tx, id), actorOf(request).id))
        : file
    if (!leaving) throw missing(`The PDF of document #${id}`)
    return sendFile(reply, db.read, leaving, { isShown: isLookedAt })
  })
}

/**
 * The route of one XML file of the document: plain EN 16931 in a syntax, or a profile that the buyer asked for. The XML
 * is stored. Throws 409 if data are missing.
 */
function xmlRoute(app: App, db: Database, file: XmlFile): void {
  const schema = { params: IdParams, ...fileAnswer('The XML, as an attachment.', 'application/xml') }
  app.get(`/api/document/:id/${file}`, { schema }, async (request, reply) => {
    const { id } = request.params
    const { number, status, left_at, profile } = found(await documentOf(db.read, id), `Document #${id}`)
    if (status === 'none' || !hasFile(file, profile)) throw missing(`The XML of document #${id}`)
    const sealed = left_at === null ? undefined : await keptXml(db.read, id, file)
    const xml =
      sealed ?? (await db.write((tx) => readFinal(tx, id, () => xmlToSend(tx, id, file), actorOf(request).id)))?.content
    if (xml === undefined) throw conflict(LACKS_DATA)
    return reply
      .header('content-disposition', contentDisposition(xmlName(number, file)))
      .header('x-content-type-options', 'nosniff')
      .type('application/xml')
      .send(xml)
  })
}

/** The route `POST document/{id}/generate`, which prints a document again, in another language or after a failure. */
function generateRoute(app: App, db: Database): void {
  const schema = { params: IdParams, body: GenerateDocumentInput, response: { 200: writeAnswer(Document) } }
  app.post('/api/document/:id/generate', { schema }, async (request) => {
    const { id } = request.params
    const data = await db.write(async (tx) => {
      const before = found(await documentOf(tx, id), `Document #${id}`)
      await printDocument(tx, before, request.body.lang ?? before.lang, { userId: actorOf(request).id })
      return found(await documentOf(tx, id), `Document #${id}`)
    })
    const now = data.status === 'pending' ? 'is being made' : 'is ready'
    return done(`${DOCUMENT_NAMES[data.kind]} ${data.number} ${now}.`, data)
  })
}

/** The route `POST document/{id}/send`, which mails a document to the buyer as soon as its PDF is made. */
function sendRoute(app: App, db: Database, { mailFrom }: Config): void {
  const schema = { params: IdParams, response: { 200: z.object({ success: z.literal(true), message: z.string() }) } }
  app.post('/api/document/:id/send', { schema }, async (request) => {
    const actor = actorOf(request)
    const { id } = request.params
    const { answer } = await onceByActor(db, request, `document/${id}/send`, async (tx) => {
      const { sale_id } = found(await documentOf(tx, id), `Document #${id}`)
      const sale = getFrom((await lock(tx, { sales: [sale_id] })).sales, sale_id)
      const { status, kind, replaced_by_id } = found(await documentOf(tx, id), `Document #${id}`)
      if (kind === 'invoice' && replaced_by_id === null) refuseVoided(sale)
      if (status === 'none' || status === 'failed') throw conflict('There is no PDF to send. Please generate it first.')
      await queueDocumentMails(tx, [{ saleId: sale_id, documentIds: [id] }], {
        author: { userId: actor.id },
        mailFrom,
      })
      return { status: 200, answer: { success: true as const, message: 'The email is waiting to be sent.' } }
    })
    return answer
  })
}

/** The route `POST document/{id}/hand-over`, which puts the XML of the buyer's profile into the connector's folder. */
function handOverRoute(app: App, db: Database, { eInvoiceFolder }: Config): void {
  const schema = { params: IdParams, response: { 200: writeAnswer(Document) } }
  app.post('/api/document/:id/hand-over', { schema }, async (request) => {
    const { id } = request.params
    if (eInvoiceFolder === undefined) throw conflict('No folder for a connector is set up (E_INVOICE_FOLDER).')
    const data = await db.write(async (tx) => {
      await orderHandover(tx, id, actorOf(request).id)
      return found(await documentOf(tx, id), `Document #${id}`)
    })
    return done(`${DOCUMENT_NAMES[data.kind]} ${data.number} is being handed over.`, data)
  })
}
