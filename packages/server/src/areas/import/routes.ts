import { writeAnswer } from '@backstock/contract/answer.ts'
import {
  CSV_COLUMNS,
  ImportDetail,
  ImportDetailsQuery,
  ImportEntry,
  ImportHistoryQuery,
  ImportStatusAnswer,
} from '@backstock/contract/import.ts'
import { pageOf } from '@backstock/contract/page.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { IdParams, idOf } from '../../http/crud.ts'
import { idempotencyKey, once } from '../../http/idempotency.ts'
import { pageAnswer, present } from '../../http/list.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { missing } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import { contentDisposition } from '../../records/file.ts'
import { importDetails, importHistory, importStatus } from './queries.ts'
import { importResult } from './result-csv.ts'
import { stageCsv } from './stage.ts'
import { readUpload } from './upload.ts'

const Accepted = writeAnswer(z.object({ import_id: z.int() }))
const CSV = 'text/csv; charset=utf-8'

/** CSV import of stock: upload, progress, template, history. */
export function importRoutes(app: FastifyInstance, db: Database): void {
  const base = '/api/stock/import'

  app.post(`${base}/csv`, { schema: { response: { 202: Accepted } } }, async (request, reply) => {
    const actor = actorOf(request)
    const key = idempotencyKey(request)
    const upload = await readUpload(request)
    try {
      const body = JSON.stringify([upload.file.sha256, upload.delimiter, upload.updateExisting])
      const { answer } = await once(db, `user:${actor.id}`, key, body, async (tx) => {
        const import_id = await stageCsv(tx, { ...upload, userId: actor.id })
        return { status: 202, answer: done(`Import #${import_id} has started.`, { import_id }) }
      })
      return present(reply.code(202), Accepted, answer)
    } finally {
      await upload.file.handle.close()
    }
  })

  app.get(`${base}/csv/status`, { schema: { response: { 200: ImportStatusAnswer } } }, async (request, reply) =>
    present(reply, ImportStatusAnswer, { success: true, data: await importStatus(db.read, actorOf(request).id) }),
  )

  app.get(
    `${base}/csv_template`,
    { schema: fileAnswer('A CSV file with the header.', 'text/csv') },
    async (_request, reply) =>
      reply
        .type(CSV)
        .header('content-disposition', contentDisposition('stock-import-template.csv'))
        .send(`${CSV_COLUMNS.join(',')}\r\n`),
  )

  const history = pageOf(ImportEntry)
  app.get(
    `${base}/history`,
    { schema: { querystring: ImportHistoryQuery, response: { 200: history } } },
    async (request, reply) => {
      const query = request.query as z.output<typeof ImportHistoryQuery>
      return present(reply, history, pageAnswer(request, query, await importHistory(db.read, query)))
    },
  )

  const details = pageOf(ImportDetail)
  app.get(
    `${base}/history/:id/details`,
    { schema: { params: IdParams, querystring: ImportDetailsQuery, response: { 200: details } } },
    async (request, reply) => {
      const query = request.query as z.output<typeof ImportDetailsQuery>
      const found = await importDetails(db.read, idOf(request), query)
      if (!found) throw missing(`Import #${idOf(request)}`)
      return present(reply, details, pageAnswer(request, query, found))
    },
  )

  app.get(
    `${base}/history/:id/csv`,
    { schema: { params: IdParams, ...fileAnswer('Every row and what became of it.', 'text/csv') } },
    async (request, reply) => {
      const id = idOf(request)
      const result = await importResult(db.read, id)
      if (!result) throw missing(`Import #${id}`)
      return reply
        .type(CSV)
        .header('content-disposition', contentDisposition(`import-${id}.csv`))
        .send(result)
    },
  )
}
