import { writeAnswer } from '@backstock/contract/answer.ts'
import { CSV_COLUMNS } from '@backstock/contract/csv-columns.ts'
import {
  DELIMITERS,
  ImportDetail,
  ImportDetailsQuery,
  ImportEntry,
  ImportHistoryQuery,
  ImportStatusAnswer,
} from '@backstock/contract/import.ts'
import { pageOf } from '@backstock/contract/page.ts'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done, SUCCESS } from '../../http/answer.ts'
import { IdParams } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { pageAnswer } from '../../http/list.ts'
import { FORM, fileAnswer, ownBody } from '../../http/openapi.ts'
import { missing } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { contentDisposition } from '../../records/file.ts'
import { importFigures } from './figures.ts'
import { previewRoutes } from './preview/routes.ts'
import { importDetails, importHistory, importStatus } from './queries.ts'
import { readUpload } from './read/upload.ts'
import { importResult } from './result-csv.ts'
import { undoRoutes } from './undo/routes.ts'
import { stageCsv } from './write/stage.ts'

const Accepted = writeAnswer(z.object({ import_id: z.int() }))
const UploadForm = z.object({
  csv: z.file(),
  delimeter: z.enum(DELIMITERS).optional(),
  update_existing: z.boolean().optional(),
})
const CSV = 'text/csv; charset=utf-8'
const ResultQuery = z.object({ only: z.literal('failed', { error: "must be 'failed'" }).optional() })
const RESULT = 'Every row and what became of it, or only those that failed.'

/** The routes for imports of stock: upload, progress, template, history, previews and undos. */
export function importRoutes(app: App, db: Database): void {
  app.showFigures(importFigures)
  previewRoutes(app, db)
  undoRoutes(app, db)
  const base = '/api/stock/import'

  app.post(
    `${base}/csv`,
    { schema: { ...ownBody(UploadForm, FORM), response: { 202: Accepted } } },
    async (request, reply) => {
      const actor = actorOf(request)
      const upload = await readUpload(request)
      try {
        const body = JSON.stringify([upload.file.sha256.toString('hex'), upload.delimiter, upload.updateExisting])
        const { answer } = await onceByActor(db, request, body, async (tx) => {
          const import_id = await stageCsv(tx, { ...upload, userId: actor.id }, app.pace)
          return { status: 202, answer: done(`Import #${import_id} has started.`, { import_id }) }
        })
        reply.code(202)
        return answer
      } finally {
        await upload.file.handle.close()
      }
    },
  )

  app.get(`${base}/csv/status`, { schema: { response: { 200: ImportStatusAnswer } } }, async (request) => ({
    ...SUCCESS,
    data: await importStatus(db.read, actorOf(request).id),
  }))

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
    async (request) => {
      const query = request.query
      return pageAnswer(request, query, await importHistory(db.read, query))
    },
  )

  const details = pageOf(ImportDetail)
  app.get(
    `${base}/history/:id/details`,
    { schema: { params: IdParams, querystring: ImportDetailsQuery, response: { 200: details } } },
    async (request) => {
      const query = request.query
      const found = await importDetails(db.read, request.params.id, query)
      if (!found) throw missing(`Import #${request.params.id}`)
      return pageAnswer(request, query, found)
    },
  )

  app.get(
    `${base}/history/:id/csv`,
    { schema: { params: IdParams, querystring: ResultQuery, ...fileAnswer(RESULT, 'text/csv') } },
    async (request, reply) => {
      const id = request.params.id
      const { only } = request.query
      const result = await importResult(db.read, id, only)
      if (!result) throw missing(`Import #${id}`)
      return reply
        .type(CSV)
        .header('content-disposition', contentDisposition(only ? `import-${id}-${only}.csv` : `import-${id}.csv`))
        .send(result)
    },
  )
}
