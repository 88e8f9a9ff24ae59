import { writeAnswer } from '@backstock/contract/answer.ts'
import {
  CustomerReturn,
  ReceiveInput,
  ReturnLookUpAnswer,
  ReturnLookUpInput,
} from '@backstock/contract/customer-return.ts'
import { Sale } from '@backstock/contract/sale.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { crud, IdParams, PathId } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { presented as presentedSale } from '../sale/answer.ts'
import { lookUp } from './look-up.ts'
import { receive, receivedWords, returnItem } from './receive.ts'
import { customerReturn, presented } from './return.ts'

/** The routes under `/api/return`, and the route of a sale that takes one item back. */
export function returnRoutes(app: App, db: Database, { mailFrom }: Config): void {
  crud(app, db, customerReturn(mailFrom))
  app.post(
    '/api/return/look-up',
    { schema: { body: ReturnLookUpInput, response: { 200: ReturnLookUpAnswer } }, bodyLimit: BODY.list },
    async (request) => {
      const { lines } = request.body
      return lookUp(db, lines)
    },
  )
  receiveRoute(app, db, mailFrom)
  returnItemRoute(app, db)
}

function receiveRoute(app: App, db: Database, mailFrom: string | undefined): void {
  const schema = { params: IdParams, body: ReceiveInput, response: { 200: writeAnswer(CustomerReturn) } }
  app.post('/api/return/:id/receive', { schema, bodyLimit: BODY.list }, async (request) => {
    const actor = actorOf(request)
    const { id } = request.params
    const input = request.body
    const { answer } = await onceByActor(db, request, `return/${id}/receive ${JSON.stringify(input)}`, async (tx) => {
      const notes = await receive(tx, id, input, { author: { userId: actor.id }, mailFrom })
      return { status: 200, answer: done(receivedWords(id, notes), await presented(tx, id)) }
    })
    return answer
  })
}

const ReturnParams = IdParams.extend({ stockId: PathId })

function returnItemRoute(app: App, db: Database): void {
  const schema = { params: ReturnParams, response: { 200: writeAnswer(Sale) } }
  app.post('/api/sale/:id/return-item/:stockId', { schema }, async (request) => {
    const { id, stockId } = request.params
    const author = { userId: actorOf(request).id }
    const data = await db.write(async (tx) => {
      await returnItem(tx, id, stockId, author)
      return presentedSale(tx, id)
    })
    return done(`Item #${stockId} returned.`, data)
  })
}
