import { writeAnswer } from '@backstock/contract/answer.ts'
import { OptionalLanguage } from '@backstock/contract/invoice-language-field.ts'
import {
  CancelReceiptInput,
  PrintReceiptInput,
  PurchaseReceipt,
  PurchaseReceiptInput,
  PurchaseReceiptQuery,
  PurchaseReceiptRow,
  ReceiptProposal,
  ReceiptProposalQuery,
} from '@backstock/contract/purchase-receipt.ts'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done, SUCCESS } from '../../http/answer.ts'
import { type Crud, crud, found, IdParams } from '../../http/crud.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import { missing, Refusal } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { sendFile } from '../../records/file.ts'
import { cancelReceipt } from './cancel.ts'
import { createReceipt } from './create.ts'
import { proposeReceipt } from './propose.ts'
import { findReceipts, receiptFile, receiptOf } from './queries.ts'
import { orderFile } from './write.ts'

/** Nobody edits or deletes a receipt: a cancellation takes it back. */
const purchaseReceipt: Crud<
  typeof PurchaseReceiptQuery,
  typeof PurchaseReceiptInput,
  typeof PurchaseReceiptRow,
  typeof PurchaseReceipt
> = {
  area: 'purchase-receipt',
  title: 'Purchase receipt',
  query: PurchaseReceiptQuery,
  input: PurchaseReceiptInput,
  createBytes: BODY.list,
  unique: {
    purchase_receipt_item_once: { field: 'items', message: 'One of the items is on another receipt now.' },
    purchase_receipt_cancelled: { field: 'reason', message: 'The receipt was cancelled meanwhile.' },
  },
  row: PurchaseReceiptRow,
  record: PurchaseReceipt,
  find: findReceipts,
  one: receiptOf,
  create: (tx, input, actor) => createReceipt(tx, input, { userId: actor.id }),
}

const PdfQuery = z.object({
  lang: OptionalLanguage.optional().describe('The language of the copy; without it, the receipt as it was made.'),
  view: z.string().optional().describe('For the screen: the PDF is shown instead of saved.'),
})

/** A 404 for a PDF that is not there, or not yet. */
function noFile({ number, files }: PurchaseReceipt, lang: string): Refusal {
  const isPending = files.some((file) => file.lang === lang && file.state === 'pending')
  return isPending ? new Refusal(404, `The PDF of ${number} is still being made.`) : missing(`The PDF of ${number}`)
}

/** The routes under `/api/purchase-receipt`. */
export function purchaseReceiptRoutes(app: App, db: Database): void {
  crud(app, db, purchaseReceipt)
  const proposal = z.object({ success: z.literal(true), data: ReceiptProposal })
  app.get(
    '/api/purchase-receipt/proposal',
    { schema: { querystring: ReceiptProposalQuery, response: { 200: proposal } } },
    async (request) => ({ ...SUCCESS, data: await proposeReceipt(db.read, request.query, actorOf(request).id) }),
  )
  const answer = { 200: writeAnswer(PurchaseReceipt) }
  app.post(
    '/api/purchase-receipt/:id/cancel',
    { schema: { params: IdParams, body: CancelReceiptInput, response: answer } },
    async (request) => {
      const { id } = request.params
      const author = { userId: actorOf(request).id }
      const { record, number } = await db.write(async (tx) => {
        const made = await cancelReceipt(tx, id, request.body.reason, author)
        return { record: found(await receiptOf(tx, id), `Purchase receipt #${id}`), number: made.number }
      })
      return done(`${record.number} was cancelled by ${number}.`, record)
    },
  )
  app.post(
    '/api/purchase-receipt/:id/print',
    { schema: { params: IdParams, body: PrintReceiptInput, response: answer } },
    async (request) => {
      const { id } = request.params
      const { lang } = request.body
      const record = await db.write(async (tx) => {
        const { items_count } = found(await receiptOf(tx, id), `Purchase receipt #${id}`)
        await orderFile(tx, { id, lang, lines: items_count })
        return found(await receiptOf(tx, id), `Purchase receipt #${id}`)
      })
      return done(`${record.number} is being made.`, record)
    },
  )
  app.get(
    '/api/purchase-receipt/:id/pdf',
    {
      schema: {
        params: IdParams,
        querystring: PdfQuery,
        ...fileAnswer('The PDF as an attachment; with `view`, to be shown.', 'application/pdf'),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const receipt = found(await receiptOf(db.read, id), `Purchase receipt #${id}`)
      const file = await receiptFile(db.read, id, request.query.lang ?? receipt.lang)
      if (!file) throw noFile(receipt, request.query.lang ?? receipt.lang)
      return sendFile(reply, db.read, file, { isShown: request.query.view !== undefined })
    },
  )
}
