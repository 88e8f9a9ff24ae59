import { writeAnswer } from '@backstock/contract/answer.ts'
import {
  ClaimItemsInput,
  ClaimItemsOutInput,
  SendClaimInput,
  SettleClaimInput,
  SupplierClaim,
} from '@backstock/contract/supplier-claim.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { crud, found, IdParams } from '../../http/crud.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { supplierClaim } from './claim.ts'
import { claimCsv } from './csv.ts'
import { addItems, removeItems } from './items.ts'
import { claimRecord } from './queries.ts'
import { sendClaim } from './send.ts'
import { settleClaim } from './settle.ts'

const response = { 200: writeAnswer(SupplierClaim) }

/** The routes under `/api/supplier-claim`. */
export function supplierClaimRoutes(app: App, db: Database): void {
  crud(app, db, supplierClaim)

  async function change(id: number, message: string, work: (tx: Tx) => Promise<void>) {
    const record = await db.write(async (tx) => {
      await work(tx)
      return found(await claimRecord(tx, id), `Supplier claim #${id}`)
    })
    return done(message, record)
  }

  const url = '/api/supplier-claim/:id'
  app.post(
    `${url}/add-items`,
    { schema: { params: IdParams, body: ClaimItemsInput, response }, bodyLimit: BODY.list },
    async (request) => {
      const { id } = request.params
      const { items, reason } = request.body
      const author = { userId: actorOf(request).id }
      const claimed = items.map((stock_id) => ({ stock_id, reason }))
      return change(id, `Supplier claim #${id} saved.`, (tx) => addItems(tx, author, id, claimed))
    },
  )
  app.post(
    `${url}/remove-items`,
    { schema: { params: IdParams, body: ClaimItemsOutInput, response }, bodyLimit: BODY.list },
    async (request) => {
      const { id } = request.params
      const { items } = request.body
      const author = { userId: actorOf(request).id }
      return change(id, `Supplier claim #${id} saved.`, (tx) => removeItems(tx, author, id, items))
    },
  )
  app.post(`${url}/send`, { schema: { params: IdParams, body: SendClaimInput, response } }, async (request) => {
    const { id } = request.params
    const author = { userId: actorOf(request).id }
    return change(id, `Supplier claim #${id} sent.`, (tx) => sendClaim(tx, author, id, request.body.updated_at))
  })
  app.post(
    `${url}/settle`,
    { schema: { params: IdParams, body: SettleClaimInput, response }, bodyLimit: BODY.list },
    async (request) => {
      const { id } = request.params
      const author = { userId: actorOf(request).id }
      const input = request.body
      return change(id, `Supplier claim #${id} ${input.state}.`, (tx) => settleClaim(tx, author, id, input))
    },
  )
  app.get(
    `${url}/csv`,
    { schema: { params: IdParams, ...fileAnswer('The items of a claim as CSV.', 'text/csv') } },
    async (request, reply) => {
      const { id } = request.params
      const claim = found(await claimRecord(db.read, id), `Supplier claim #${id}`)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="supplier-claim-${id}.csv"`)
        .send(claimCsv(claim))
    },
  )
}
