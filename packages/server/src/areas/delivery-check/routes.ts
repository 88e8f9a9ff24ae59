import { type WriteAnswer, writeAnswer } from '@backstock/contract/answer.ts'
import { Received } from '@backstock/contract/bulk-edit.ts'
import {
  DeliveryCheck,
  DeliveryCheckAnswer,
  DeliveryCheckInput,
  DeliveryCheckQuery,
  DeliveryCheckRow,
  DeliveryLinesQuery,
  ScanInput,
  Scanned,
} from '@backstock/contract/delivery-check.ts'
import { pageOf } from '@backstock/contract/page.ts'
import type { Database } from '../../db/connect.ts'
import { done, SUCCESS, warned } from '../../http/answer.ts'
import { found, IdParams } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { pageAnswer } from '../../http/list.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { single } from '../../lists.ts'
import { receivedAnswer } from '../stock/bulk/receive.ts'
import { moveCheck } from './close.ts'
import { createCheck } from './create.ts'
import { claimListCsv } from './csv.ts'
import { checkRecord, claimedLines, countsOf, findChecks, linesOf } from './queries.ts'
import { receiveCheck } from './receive.ts'
import { readCodes, scan } from './scan.ts'

const Written = writeAnswer(DeliveryCheck)

/** The answer to a scan: a warning unless each code is an expected item that has now come. */
function scannedAnswer(data: Scanned): WriteAnswer<Scanned> {
  const { lines } = data
  const others = lines.filter(({ result }) => result !== 'matched').length
  const scanned = `${lines.length.toLocaleString('en')} codes scanned.`
  const message = lines.length === 1 ? single(lines).message : scanned
  if (others === 0) return done(message, data)
  return warned(lines.length === 1 ? message : `${scanned} Not matched: ${others.toLocaleString('en')}.`, data)
}

/** The routes under `/api/stock/check`. */
export function deliveryCheckRoutes(app: App, db: Database): void {
  const base = '/api/stock/check'
  const url = `${base}/:id`
  const named = (id: number) => `Delivery check #${id}`

  app.get(
    `${base}/find`,
    { schema: { querystring: DeliveryCheckQuery, response: { 200: pageOf(DeliveryCheckRow) } } },
    async (request) => pageAnswer(request, request.query, await findChecks(db.read, request.query)),
  )

  app.post(
    base,
    { schema: { body: DeliveryCheckInput, response: { 200: Written, 201: Written } } },
    async (request, reply) => {
      const { id: userId } = actorOf(request)
      const body = JSON.stringify(request.body)
      const { status, answer } = await onceByActor(db, request, body, async (tx) => {
        const { id, isNew } = await createCheck(tx, userId, request.body)
        const record = found(await checkRecord(tx, id), named(id))
        if (isNew) return { status: 201, answer: done(`${named(id)} created.`, record) }
        return { status: 200, answer: done(`${named(id)} of this import is already open.`, record) }
      })
      reply.code(status === 201 ? 201 : 200)
      return answer
    },
  )

  app.get(
    url,
    { schema: { params: IdParams, querystring: DeliveryLinesQuery, response: { 200: DeliveryCheckAnswer } } },
    async (request) => {
      const { id } = request.params
      const { show, page, per_page } = request.query
      const [record, rows] = await Promise.all([checkRecord(db.read, id), linesOf(db.read, id, show, request.query)])
      const check = found(record, named(id))
      const total = check.counts[show]
      const lines = { rows, total, page, last_page: Math.max(1, Math.ceil(total / per_page)) }
      return { ...SUCCESS, data: { ...check, lines } }
    },
  )

  app.post(
    `${url}/scan`,
    { schema: { params: IdParams, body: ScanInput, response: { 200: writeAnswer(Scanned) } }, bodyLimit: BODY.list },
    async (request) => {
      const { id } = request.params
      const { id: userId } = actorOf(request)
      const { codes } = request.body
      const reads = await readCodes(db, codes)
      const body = JSON.stringify([id, codes])
      const { answer } = await onceByActor(db, request, body, async (tx) => {
        const lines = await scan(tx, userId, id, reads)
        const data = { lines, counts: await countsOf(tx, id) }
        return { status: 200, answer: scannedAnswer(data) }
      })
      return answer
    },
  )

  app.post(
    `${url}/receive`,
    { schema: { params: IdParams, response: { 200: writeAnswer(Received) } } },
    async (request) => {
      const { id } = request.params
      const { id: userId } = actorOf(request)
      const { answer } = await onceByActor(db, request, `receive check ${id}`, async (tx) => {
        const received = await receiveCheck(tx, userId, id)
        return { status: 200, answer: receivedAnswer(received) }
      })
      return answer
    },
  )

  for (const [verb, state] of [
    ['close', 'closed'],
    ['reopen', 'open'],
  ] as const)
    app.post(`${url}/${verb}`, { schema: { params: IdParams, response: { 200: Written } } }, async (request) => {
      const { id } = request.params
      const record = await db.write(async (tx) => {
        await moveCheck(tx, actorOf(request).id, id, state)
        return found(await checkRecord(tx, id), named(id))
      })
      return done(`${named(id)} is ${state}.`, record)
    })

  app.get(
    `${url}/csv`,
    { schema: { params: IdParams, ...fileAnswer('What is missing and what was not expected.', 'text/csv') } },
    async (request, reply) => {
      const { id } = request.params
      found(await checkRecord(db.read, id), named(id))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="delivery-check-${id}.csv"`)
        .send(claimListCsv(await claimedLines(db.read, id)))
    },
  )
}
