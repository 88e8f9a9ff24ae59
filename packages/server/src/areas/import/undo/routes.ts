import { writeAnswer } from '@backstock/contract/answer.ts'
import { ImportUndoAnswer, ImportUndoQuery } from '@backstock/contract/import-undo.ts'
import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { done, SUCCESS } from '../../../http/answer.ts'
import { IdParams } from '../../../http/crud.ts'
import { onceByActor } from '../../../http/idempotency.ts'
import { missing } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { askForUndo } from './ask.ts'
import { undoOf } from './queries.ts'

const Accepted = writeAnswer(z.object({ import_id: z.int() }))

/** The routes for the undo of an import: its forecast, its order, and its progress. */
export function undoRoutes(app: App, db: Database): void {
  const url = '/api/stock/import/history/:id/undo'
  app.get(
    url,
    { schema: { params: IdParams, querystring: ImportUndoQuery, response: { 200: ImportUndoAnswer } } },
    async (request) => {
      const found = await undoOf(db, request.params.id, request.query)
      if (!found) throw missing(`Import #${request.params.id}`)
      return { ...SUCCESS, data: found }
    },
  )

  app.post(url, { schema: { params: IdParams, response: { 202: Accepted } } }, async (request, reply) => {
    const actor = actorOf(request)
    const import_id = request.params.id
    const { answer } = await onceByActor(db, request, `undo of import ${import_id}`, async (tx) => {
      await askForUndo(tx, import_id, actor.id)
      return { status: 202, answer: done(`Import #${import_id} is being undone.`, { import_id }) }
    })
    reply.code(202)
    return answer
  })
}
