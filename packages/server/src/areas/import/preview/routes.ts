import { Done } from '@backstock/contract/answer.ts'
import { MAX_ID } from '@backstock/contract/fields.ts'
import {
  ImportPreviewAnswer,
  PreviewAccepted,
  PreviewChanges,
  PreviewCommit,
  PreviewRows,
  PreviewRowsQuery,
} from '@backstock/contract/import-preview.ts'
import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { done, SUCCESS } from '../../../http/answer.ts'
import { crud, IdParams } from '../../../http/crud.ts'
import { onceByActor } from '../../../http/idempotency.ts'
import { pageAnswer } from '../../../http/list.ts'
import { FORM, ownBody } from '../../../http/openapi.ts'
import { BODY } from '../../../http/read-bodies.ts'
import { invalid, missing, NO_SUCH_RECORD } from '../../../http/refusal.ts'
import { actorOf } from '../../../http/session.ts'
import type { App } from '../../../http/typed-routes.ts'
import { openTable, type Table } from '../read/open-table.ts'
import { readPreviewUpload } from '../read/preview-upload.ts'
import { flagOf } from '../read/upload.ts'
import { changePreview, lockPreview } from './change-preview.ts'
import { importMemory } from './memory-list.ts'
import { previewOf, previewRows } from './preview-queries.ts'
import { stagePreview } from './stage-preview.ts'
import { startPreview } from './start-preview.ts'

const PreviewForm = z.object({
  csv: z.file(),
  supplier_id: z.int().optional(),
  update_existing: z.boolean().optional(),
  sheet: z.string().optional(),
  delimeter: z.string().optional(),
  encoding: z.string().optional(),
  header_row: z.string().optional(),
  leaves_out_hidden: z.boolean().optional(),
})

/** The routes of previews. A preview belongs to the person who uploaded the file; for others it does not exist. */
export function previewRoutes(app: App, db: Database): void {
  const base = '/api/stock/import/preview'
  const answer = { response: { 200: ImportPreviewAnswer } }
  crud(app, db, importMemory)

  app.post(
    base,
    { schema: { ...ownBody(PreviewForm, FORM), response: { 202: PreviewAccepted } } },
    async (request, reply) => {
      const actor = actorOf(request)
      const { file, format, fileName, fields } = await readPreviewUpload(request)
      try {
        const supplierId = supplierOf(fields)
        const updateExisting = flagOf(fields, 'update_existing')
        const leavesOutHidden = flagOf(fields, 'leaves_out_hidden')
        const options = {
          format,
          person: actor.id,
          sheet: fields.get('sheet'),
          delimiter: fields.get('delimeter'),
          encoding: fields.get('encoding'),
          headerRow: fields.get('header_row'),
          leavesOutHidden,
        }
        // The file is opened before the transaction, because opening a large workbook takes longer than a transaction
        // may wait. If the transaction runs again, it opens the file again.
        let opened: Table | undefined = await openTable(file, options)
        const import_id = await db.write(async (tx) => {
          const table = opened ?? (await openTable(file, options))
          opened = undefined
          const preview = { table, fileName, userId: actor.id, supplierId, updateExisting, leavesOutHidden }
          return stagePreview(tx, preview, app.pace).finally(() => table.rows.return(undefined))
        })
        reply.code(202)
        return done('The file is being read.', { import_id })
      } finally {
        await file.handle.close()
      }
    },
  )

  app.get(base, { schema: answer }, async (request) => ({
    ...SUCCESS,
    data: (await previewOf(db.read, actorOf(request).id)) ?? null,
  }))

  app.get(`${base}/:id`, { schema: { params: IdParams, ...answer } }, async (request) => {
    const { id } = request.params
    const data = await previewOf(db.read, actorOf(request).id, id)
    if (!data) throw missing(`Preview #${id}`)
    return { ...SUCCESS, data }
  })

  app.get(
    `${base}/:id/rows`,
    { schema: { params: IdParams, querystring: PreviewRowsQuery, response: { 200: PreviewRows } } },
    async (request) => {
      const { id } = request.params
      const found = await previewRows(db.read, actorOf(request).id, id, request.query)
      if (!found) throw missing(`Preview #${id}`)
      return pageAnswer(request, request.query, found)
    },
  )

  app.patch(
    `${base}/:id`,
    { bodyLimit: BODY.list, schema: { params: IdParams, body: PreviewChanges, ...answer } },
    async (request) => {
      const { id } = request.params
      const userId = actorOf(request).id
      const data = await db.write(async (tx) => {
        await changePreview(tx, userId, id, request.body)
        return previewOf(tx, userId, id)
      })
      return { ...SUCCESS, data: data ?? null }
    },
  )

  app.post(
    `${base}/:id/commit`,
    { schema: { params: IdParams, body: PreviewCommit, response: { 202: PreviewAccepted } } },
    async (request, reply) => {
      const { id } = request.params
      const { plan_no } = request.body
      const userId = actorOf(request).id
      // A preview is imported only once, so its id is enough to recognise the request. Earlier releases know no more of it.
      const { answer } = await onceByActor(db, request, `commit preview ${id}`, async (tx) => {
        await startPreview(tx, userId, id, plan_no)
        return { status: 202, answer: done(`Import #${id} has started.`, { import_id: id }) }
      })
      reply.code(202)
      return answer
    },
  )

  app.delete(`${base}/:id`, { schema: { params: IdParams, response: { 200: Done } } }, async (request) => {
    const { id } = request.params
    const userId = actorOf(request).id
    await db.write(async (tx) => {
      await lockPreview(tx, userId, id)
      await tx.deleteFrom('import').where('id', '=', id).execute()
    })
    return done('The preview was discarded. Nothing was imported.', null)
  })
}

/** The number of the supplier in the form; null if it is empty. Throws 422 for text that cannot be a number. */
function supplierOf(fields: ReadonlyMap<string, string>): number | null {
  const given = fields.get('supplier_id') ?? ''
  if (given === '') return null
  const id = /^\d{1,10}$/.test(given) ? Number(given) : 0
  if (id < 1 || id > MAX_ID) throw invalid({ supplier_id: NO_SUCH_RECORD })
  return id
}
