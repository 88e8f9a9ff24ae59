import { writeAnswer } from '@backstock/contract/answer.ts'
import { AddItemsInput, Batch } from '@backstock/contract/batch.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Database, Tx } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { crud, IdParams, PathId } from '../../http/crud.ts'
import { present } from '../../http/list.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import { batch } from './batch.ts'
import { addItems, removeItem } from './items.ts'
import { batchRecord } from './queries.ts'

const Changed = writeAnswer(Batch)
const ItemParams = IdParams.extend({ stockId: PathId })

/** Everything under `/api/batch`. */
export function batchRoutes(app: FastifyInstance, db: Database): void {
  crud(app, db, batch)

  async function changeItems(reply: FastifyReply, id: number, message: string, work: (tx: Tx) => Promise<void>) {
    const record = await db.write(async (tx) => {
      await work(tx)
      return batchRecord(tx, id)
    })
    return present(reply, Changed, done(message, record as never))
  }

  app.post(
    '/api/batch/add-items',
    { schema: { body: AddItemsInput, response: { 200: Changed } }, bodyLimit: BODY.list },
    async (request, reply) => {
      const { batch_id: batchId, id: from, items } = request.body as z.output<typeof AddItemsInput>
      const author = { userId: actorOf(request).id }
      return changeItems(reply, batchId, `Items added to batch #${batchId}.`, (tx) =>
        addItems(tx, author, { batchId, items, from }),
      )
    },
  )
  app.post(
    '/api/batch/:id/remove-item/:stockId',
    { schema: { params: ItemParams, response: { 200: Changed } } },
    async (request, reply) => {
      const { id, stockId } = request.params as z.output<typeof ItemParams>
      const author = { userId: actorOf(request).id }
      return changeItems(reply, id, `Item #${stockId} removed from batch #${id}.`, (tx) =>
        removeItem(tx, author, id, stockId),
      )
    },
  )
}
