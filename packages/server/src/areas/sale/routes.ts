import { writeAnswer } from '@backstock/contract/answer.ts'
import { AllowInput, CorrectInput, Document } from '@backstock/contract/document.ts'
import {
  CancelSaleInput,
  GenerateInvoiceInput,
  NewCustomer,
  Sale,
  SaleCreateInput,
  SaleHit,
  SaleInput,
  SaleQuery,
  SaleRow,
} from '@backstock/contract/sale.ts'
import { TaxFacts, TaxFactsInput } from '@backstock/contract/tax-facts.ts'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/connect.ts'
import { done, doneOrWarned, SUCCESS } from '../../http/answer.ts'
import { type Crud, crud, found, IdParams } from '../../http/crud.ts'
import { withUploads } from '../../http/file-on-disk.ts'
import { passOver } from '../../http/form-parts.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { FORM, fileAnswer, ownBody, URLENCODED } from '../../http/openapi.ts'
import { BODY, readJson } from '../../http/read-bodies.ts'
import { invalid, Refusal } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { sendFile } from '../../records/file.ts'
import { lock } from '../../records/lock.ts'
import { inspectPdf } from '../../render/uploads/inspect-pdf.ts'
import { makeInvoiceFinal } from '../document/final.ts'
import { deleteInvoice, generateInvoice } from '../document/invoice.ts'
import { resendMail } from '../document/mail/outbox.ts'
import { currentInvoiceFile, documentOf } from '../document/queries.ts'
import { filesOf } from '../document/sale-file.ts'
import { presented, SaleAnswer } from './answer.ts'
import { allowOnSale } from './change/allow.ts'
import { cancelSale } from './change/cancel.ts'
import { correctSale } from './change/correct.ts'
import { editSale } from './change/edit.ts'
import { removeSale } from './change/remove.ts'
import { beingMade } from './change/told.ts'
import { saleFigures } from './figures.ts'
import { generateSheet } from './files/sheet.ts'
import { keepUploads, UPLOADS, type UploadField } from './files/upload.ts'
import { invoiceLacksRoute } from './invoice-lacks.ts'
import { createSale } from './new/create.ts'
import { readNewSale } from './new/new-sale.ts'
import { payRoutes } from './pay-routes.ts'
import { findSales, saleOf } from './queries.ts'
import { saleSumsRoute } from './sums.ts'
import { taxFacts } from './tax.ts'

const PDF_FORM = {
  fields: Object.keys(UPLOADS) as UploadField[],
  maxBytes: 20 * 1024 * 1024,
  tooLarge: 'A PDF may have at most 20 MB.',
}
const NOT_A_PDF = 'Only PDF files are allowed'

const PdfForm = z.object(Object.fromEntries(PDF_FORM.fields.map((field) => [field, z.file().optional()])))
/** The form of a new sale, with the id of a customer or the fields of a new one. */
const NewSaleForm = SaleCreateInput.extend({
  ...NewCustomer.partial().shape,
  stock_items: SaleCreateInput.shape.stock_items.describe('In a form: this list as JSON text.'),
})

const answers = { response: { 200: SaleAnswer } }

const sale: Crud<typeof SaleQuery, typeof SaleInput, typeof SaleRow, typeof Sale> = {
  area: 'sale',
  title: 'Sale',
  query: SaleQuery,
  input: SaleInput,
  row: SaleRow,
  record: Sale,
  hit: SaleHit,
  find: findSales,
  one: saleOf,
  async edit(tx, id, input, actor) {
    const told = await editSale(tx, id, input, { userId: actor.id })
    const { message, warnings = [] } = told ?? {}
    return { id, message, warning: warnings.length ? [message, ...warnings].join(' ') : undefined }
  },
  remove: (tx, id, actor) => removeSale(tx, id, { userId: actor.id }),
}

/** The routes under `/api/sale`. */
export function saleRoutes(app: App, db: Database, config: Config): void {
  app.showFigures(saleFigures)
  crud(app, db, sale)
  createRoute(app, db, config)
  uploadRoute(app, db)
  downloadRoutes(app, db)
  documentRoutes(app, db)
  resendRoute(app, db, config)
  correctRoute(app, db, config)
  cancelRoute(app, db)
  allowRoute(app, db, config)
  payRoutes(app, db)
  taxRoute(app, db)
  invoiceLacksRoute(app, db)
  saleSumsRoute(app, db)
}

/** The route `POST sale/tax-facts`: the facts that decide the VAT of a sale of these items. It changes nothing. */
function taxRoute(app: App, db: Database): void {
  app.post(
    '/api/sale/tax-facts',
    {
      schema: { body: TaxFactsInput, response: { 200: z.object({ success: z.literal(true), data: TaxFacts }) } },
      bodyLimit: BODY.list,
    },
    async (request) => ({ ...SUCCESS, data: await taxFacts(db.read, request.body) }),
  )
}

function createRoute(app: App, db: Database, { mailFrom }: Config): void {
  app.route({
    method: ['POST', 'PUT'],
    url: '/api/sale/create',
    schema: { ...ownBody(NewSaleForm, 'application/json', URLENCODED, FORM), response: { 201: SaleAnswer } },
    bodyLimit: BODY.list,
    handler: async (request, reply) => {
      const actor = actorOf(request)
      const body = await formOrBody(request)
      const { answer } = await onceByActor(db, request, `sale/create ${JSON.stringify(body)}`, async (tx) => {
        const { id, news, warnings } = await createSale(tx, readNewSale(body), { userId: actor.id }, { mailFrom })
        const data = await presented(tx, id)
        return { status: 201, answer: doneOrWarned([`Sale #${id} created.`, ...news].join(' '), warnings, data) }
      })
      reply.code(201)
      return answer
    },
  })
}

/** The fields of a multipart form, or the body. In a form, `stock_items` is JSON text. */
async function formOrBody(request: FastifyRequest): Promise<unknown> {
  const body = request.isMultipart() ? await formFields(request) : request.body
  const items = (body as { stock_items?: unknown } | null)?.stock_items
  return typeof items === 'string' ? { ...(body as object), stock_items: readJson(items) } : body
}

/**
 * The fields of a multipart form. Together they may be as large as any other body. Throws 413, and 415 if a part is no
 * text.
 */
async function formFields(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  let size = 0
  for await (const part of request.parts({ limits: { fieldSize: BODY.list, fileSize: BODY.record } })) {
    if (part.type === 'file') {
      passOver(part)
      continue
    }
    const text = String(part.value)
    size += text.length
    if (part.valueTruncated || size > BODY.list) throw new Refusal(413, 'The form is too large.')
    fields[part.fieldname] = text
  }
  return fields
}

function uploadRoute(app: App, db: Database): void {
  app.post(
    '/api/sale/:id/pdf',
    { schema: { params: IdParams, ...ownBody(PdfForm, FORM), ...answers } },
    async (request) => {
      const author = { userId: actorOf(request).id }
      const id = request.params.id
      const data = await withUploads(request, PDF_FORM, async (uploads) => {
        if (uploads.length === 0) throw invalid({ invoice: 'Choose a PDF file.' })
        for (const { field, content } of uploads)
          if (!(await inspectPdf(author.userId, content)).ok)
            throw new Refusal(415, NOT_A_PDF, { errors: { [field]: NOT_A_PDF } })
        return db.write(async (tx) => {
          await keepUploads(tx, id, uploads, author)
          return presented(tx, id)
        })
      })
      return done('PDF uploaded.', data)
    },
  )
}

function downloadRoutes(app: App, db: Database): void {
  const download = (path: string, what: string, fileOf: (id: number, userId: number) => Promise<number | undefined>) =>
    app.get(
      `/api/sale/:id/${path}`,
      { schema: { params: IdParams, ...fileAnswer('The file, as an attachment.') } },
      async (request, reply) => {
        const id = request.params.id
        const file = await fileOf(id, actorOf(request).id)
        if (!file) throw new Refusal(404, `Sale #${id} has no ${what}.`)
        return sendFile(reply, db.read, file)
      },
    )
  download('invoice', 'invoice', (id, userId) =>
    db.write(async (tx) => {
      // A person may pass the downloaded invoice on, so it becomes final. The lock keeps others from making it anew
      // meanwhile.
      await lock(tx, { sales: [id] })
      const file = await currentInvoiceFile(tx, id)
      if (file) await makeInvoiceFinal(tx, id, userId)
      return file
    }),
  )
  download('label', 'shipping label', async (id) => (await filesOf(db.read, id)).label?.id)
  download('excel', 'Excel sheet', async (id) => (await filesOf(db.read, id)).excel?.id)
}

function documentRoutes(app: App, db: Database): void {
  const schema = { params: IdParams, ...answers }
  /** The sale is read after the order is committed, so that it may show the finished document. */
  const ordered = async (id: number) => found(await saleOf(db.read, id), `Sale #${id}`)
  app.post('/api/sale/:id/invoice/generate', { schema: { ...schema, body: GenerateInvoiceInput } }, async (request) => {
    const { lang } = request.body
    const id = request.params.id
    const author = { userId: actorOf(request).id }
    const { number, uploaded } = await db.write((tx) => generateInvoice(tx, id, lang, author))
    const data = await ordered(id)
    const { invoice_differs: differs } = data
    const instead = uploaded ? ` It takes the place of the uploaded ${uploaded}.` : ''
    const message = `Invoice ${number} is being made.${instead}`
    const warnings = [
      ...lackingIn(data),
      // If a final invoice is printed again, it keeps its old facts; the message names those that have changed.
      ...(differs.length
        ? [`Changed since the sale was made: ${differs.join(', ')}. To put that on an invoice, correct the sale.`]
        : []),
    ]
    return doneOrWarned(message, warnings, data)
  })
  app.post('/api/sale/:id/invoice/excel/generate', { schema }, async (request) => {
    const id = request.params.id
    const author = { userId: actorOf(request).id }
    await db.write((tx) => generateSheet(tx, id, author))
    return done('The Excel sheet is being made.', await ordered(id))
  })
  app.delete('/api/sale/:id/invoice/delete', { schema }, async (request) => {
    const id = request.params.id
    const author = { userId: actorOf(request).id }
    return db.write(async (tx) => done(await deleteInvoice(tx, id, author), await presented(tx, id)))
  })
}

/** A warning about the data that the invoice of a sale lacks. */
const lackingIn = ({ missing_invoice_data: lacking }: Sale) =>
  lacking.length ? [`Missing from it: ${lacking.join(', ')}.`] : []

function resendRoute(app: App, db: Database, { mailFrom }: Config): void {
  app.post('/api/sale/:id/invoice/resend', { schema: { params: IdParams, ...answers } }, async (request) => {
    const actor = actorOf(request)
    const id = request.params.id
    const { answer } = await onceByActor(db, request, `sale/${id}/invoice/resend`, async (tx) => {
      await resendMail(tx, id, { author: { userId: actor.id }, mailFrom })
      return { status: 200, answer: done('The email is waiting to be sent.', await presented(tx, id)) }
    })
    return answer
  })
}

/** The route `POST sale/{id}/cancel`, which cancels a sale that awaits its dispatch. */
function cancelRoute(app: App, db: Database): void {
  app.post(
    '/api/sale/:id/cancel',
    { schema: { params: IdParams, body: CancelSaleInput, ...answers } },
    async (request) => {
      const { id } = request.params
      const author = { userId: actorOf(request).id }
      return db.write(async (tx) => {
        const { message, warnings } = await cancelSale(tx, id, request.body, author)
        return doneOrWarned(message, warnings, await presented(tx, id))
      })
    },
  )
}

/** The route `POST sale/{id}/allow`, which gives back a part of the price for items that their buyer keeps. */
function allowRoute(app: App, db: Database, { mailFrom }: Config): void {
  const schema = { params: IdParams, body: AllowInput, ...answers }
  app.post('/api/sale/:id/allow', { schema, bodyLimit: BODY.list }, async (request) => {
    const { id } = request.params
    const actor = actorOf(request)
    const input = request.body
    const { answer } = await onceByActor(db, request, `sale/${id}/allow ${JSON.stringify(input)}`, async (tx) => {
      const note = await allowOnSale(tx, id, input, { userId: actor.id }, mailFrom)
      const message = `Allowance recorded.${note ? ` Credit note ${note.printed} is being made.` : ''}`
      const unsent = input.send_email && !note ? ['No email goes out, because there is no credit note to send.'] : []
      return { status: 200, answer: doneOrWarned(message, unsent, await presented(tx, id)) }
    })
    return answer
  })
}

const Corrected = writeAnswer(z.object({ credit_note: Document.nullable(), invoice: Document.nullable(), sale: Sale }))

function correctRoute(app: App, db: Database, { mailFrom }: Config): void {
  const schema = { params: IdParams, body: CorrectInput, response: { 200: Corrected } }
  app.post('/api/sale/:id/correct', { schema, bodyLimit: BODY.list }, async (request) => {
    const { id } = request.params
    const actor = actorOf(request)
    const input = request.body
    const { answer } = await onceByActor(db, request, `sale/${id}/correct ${JSON.stringify(input)}`, async (tx) => {
      const papers = await correctSale(tx, id, input, { userId: actor.id }, mailFrom)
      const document = async (made: { id: number } | null) => (made && (await documentOf(tx, made.id))) ?? null
      const credit_note = await document(papers.credit_note)
      const invoice = await document(papers.invoice)
      const sale = await presented(tx, id)
      const message = [`Sale #${id} corrected.`, ...beingMade(papers)].join(' ')
      const warnings = [...(invoice ? lackingIn(sale) : []), ...papers.warnings]
      return { status: 200, answer: doneOrWarned(message, warnings, { credit_note, invoice, sale }) }
    })
    return answer
  })
}
