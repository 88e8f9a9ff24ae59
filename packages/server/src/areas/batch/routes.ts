import { writeAnswer } from '@backstock/contract/answer.ts'
import { AddItemsInput, Batch } from '@backstock/contract/batch.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { crud, found, IdParams, PathId } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { batch } from './batch.ts'
import { addItems, removeItem } from './items.ts'
import { batchRecord } from './queries.ts'

const Changed = writeAnswer(Batch)
const ItemParams = IdParams.extend({ stockId: PathId })

/** The routes under `/api/batch`. */
export function batchRoutes(app: App, db: Database): void {
  crud(app, db, batch)

  async function changeItems(id: number, message: string, work: (tx: Tx) => Promise<void>) {
    const record = await db.write(async (tx) => {
      await work(tx)
      return found(await batchRecord(tx, id), `Batch #${id}`)
    })
    return done(message, record)
  }

  app.post(
    '/api/batch/add-items',
    { schema: { body: AddItemsInput, response: { 200: Changed } }, bodyLimit: BODY.list },
    async (request) => {
      const { batch_id: batchId, id: from, items } = request.body
      const author = { userId: actorOf(request).id }
      const added = new Set(items).size === 1 ? 'Item' : 'Items'
      return changeItems(batchId, `${added} added to batch #${batchId}.`, (tx) =>
        addItems(tx, author, { batchId, items, from }),
      )
    },
  )
  app.post(
    '/api/batch/:id/remove-item/:stockId',
    { schema: { params: ItemParams, response: { 200: Changed } } },
    async (request) => {
      const { id, stockId } = request.params
      const author = { userId: actorOf(request).id }
      return changeItems(id, `Item #${stockId} removed from batch #${id}.`, (tx) => removeItem(tx, author, id, stockId))
    },
  )
}
