import { PayInput } from '@backstock/contract/payment.ts'
import type { Database } from '../../db/connect.ts'
import { done, warned } from '../../http/answer.ts'
import { IdParams, PathId } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { presented, SaleAnswer } from './answer.ts'
import { pay, undoPayment } from './payment/pay.ts'

const answers = { response: { 200: SaleAnswer } }
const PaymentParams = IdParams.extend({ paymentId: PathId })

/** The routes for payments of a sale, and for reversing a wrong payment. */
export function payRoutes(app: App, db: Database): void {
  app.post('/api/sale/:id/pay', { schema: { params: IdParams, body: PayInput, ...answers } }, async (request) => {
    const { id } = request.params
    const actor = actorOf(request)
    const input = request.body
    const { answer } = await onceByActor(db, request, `sale/${id}/pay ${JSON.stringify(input)}`, async (tx) => {
      const { message, warning } = await pay(tx, id, input, { userId: actor.id })
      const data = await presented(tx, id)
      return { status: 200, answer: warning ? warned(`${message} ${warning}`, data) : done(message, data) }
    })
    return answer
  })
  app.post(
    '/api/sale/:id/payment/:paymentId/undo',
    { schema: { params: PaymentParams, ...answers } },
    async (request) => {
      const { id, paymentId } = request.params
      const author = { userId: actorOf(request).id }
      return db.write(async (tx) => {
        const { message, warning } = await undoPayment(tx, id, paymentId, author)
        const data = await presented(tx, id)
        return warning ? warned(`${message} ${warning}`, data) : done(message, data)
      })
    },
  )
}
