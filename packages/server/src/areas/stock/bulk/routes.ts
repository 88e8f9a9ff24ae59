import { writeAnswer } from '@backstock/contract/answer.ts'
import { BulkDone, BulkEditInput, BulkPreviewAnswer, BulkPreviewInput } from '@backstock/contract/bulk-change.ts'
import {
  BulkEdit,
  BulkEditQuery,
  Receivable,
  ReceivableQuery,
  Received,
  ReceiveInput,
  Undone,
} from '@backstock/contract/bulk-edit.ts'
import { pageOf } from '@backstock/contract/page.ts'
import type { Database } from '../../../db/connect.ts'
import { done, SUCCESS, warned } from '../../../http/answer.ts'
import { IdParams } from '../../../http/crud.ts'
import { onceByActor } from '../../../http/idempotency.ts'
import { pageAnswer } from '../../../http/list.ts'
import { BODY } from '../../../http/read-bodies.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { editMany, previewEdit } from './edit.ts'
import { findBulkEdits, undoableOf } from './queries.ts'
import { countReceivable, endedImport, receivedAnswer, receiveImport } from './receive.ts'
import { undoBulk } from './undo.ts'

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/** The routes of bulk edits: preview, edit, `receive` for an import, list and undo. */
export function bulkRoutes(app: App, db: Database): void {
  const base = '/api/stock/bulk'
  app.get(
    `${base}/find`,
    { schema: { querystring: BulkEditQuery, response: { 200: pageOf(BulkEdit) } } },
    async (request) => pageAnswer(request, request.query, await findBulkEdits(db.read, request.query)),
  )

  app.get(
    `${base}/receivable`,
    { schema: { querystring: ReceivableQuery, response: { 200: Receivable } } },
    async (request) => {
      const { import_id } = request.query
      await endedImport(db.read, import_id)
      const [inbound, undoable] = await Promise.all([
        countReceivable(db.read, import_id),
        undoableOf(db.read, { importId: import_id }),
      ])
      return { ...SUCCESS, data: { inbound, undoable } }
    },
  )

  app.post(
    `${base}/receive`,
    { schema: { body: ReceiveInput, response: { 200: writeAnswer(Received) } } },
    async (request) => {
      const { id } = actorOf(request)
      const { import_id } = request.body
      const { answer } = await onceByActor(db, request, `receive import ${import_id}`, async (tx) => {
        const received = await receiveImport(tx, id, import_id)
        return { status: 200, answer: receivedAnswer(received) }
      })
      return answer
    },
  )

  app.post(
    `${base}/preview`,
    { schema: { body: BulkPreviewInput, response: { 200: BulkPreviewAnswer } }, bodyLimit: BODY.list },
    async (request) => ({ ...SUCCESS, data: await previewEdit(db.read, request.body) }),
  )

  app.post(
    base,
    { schema: { body: BulkEditInput, response: { 200: writeAnswer(BulkDone) } }, bodyLimit: BODY.list },
    async (request) => {
      const { id } = actorOf(request)
      const input = request.body
      const { answer } = await onceByActor(db, request, JSON.stringify(input), async (tx) => {
        const { receipts, ...edited } = await editMany(tx, id, input)
        const left = edited.left_out ? ` Left unchanged for the reasons in the preview: ${items(edited.left_out)}.` : ''
        const message = `Changed ${items(edited.changed)}.${left}`
        return { status: 200, answer: receipts ? warned(`${message} ${receipts}`, edited) : done(message, edited) }
      })
      return answer
    },
  )

  app.post(
    `${base}/:id/undo`,
    { schema: { params: IdParams, response: { 200: writeAnswer(Undone) } } },
    async (request) => {
      const { id } = request.params
      const undone = await db.write((tx) => undoBulk(tx, actorOf(request).id, id))
      const { restored, kept } = undone
      if (kept.length === 0) return done(`${items(restored)} restored.`, undone, 'Undone')
      return warned(`${items(restored)} restored. Left as they are now: ${items(kept.length)}.`, undone, 'Undone')
    },
  )
}
