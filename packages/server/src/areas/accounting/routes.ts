import {
  Accounting,
  AccountingQuery,
  AccountingSettings,
  AccountingSettingsInput,
  BookedDocument,
  BookedDocumentsQuery,
} from '@backstock/contract/accounting.ts'
import { writeAnswer } from '@backstock/contract/answer.ts'
import { pageOf } from '@backstock/contract/page.ts'
import type {} from '@fastify/compress'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done, SUCCESS } from '../../http/answer.ts'
import { pageAnswer } from '../../http/list.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { conflict } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { zipped } from '../../render/zipped.ts'
import { archiveOf } from '../document/archive.ts'
import { creditsCsv, documentsCsv } from './csv.ts'
import { datevFile, datevLacks, refuseLacks } from './datev.ts'
import { countDocuments, documentIds, documentsOnPage } from './documents.ts'
import { documentExports, exportLimit } from './export.ts'
import { countPayments, paymentsOf } from './payments.ts'
import { type Period, periodName, periodOf } from './period.ts'
import { countCredits } from './purchases.ts'
import { editSettings, settingsOf } from './settings.ts'
import { summaryOf, vatTotals } from './summary.ts'
import { accountingWorkbook, refuseTooMany } from './workbook.ts'

const admin = { config: { access: 'admin' as const } }
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** The most exports that run at once. Each takes a connection and reads the data as of one moment. */
const EXPORTS_AT_ONCE = 4
/** The most ZIPs that run at once, beside the exports: a large one takes minutes, and people need their CSV meanwhile. */
const ZIPS_AT_ONCE = 2
/** The most documents in one ZIP. The directory of the ZIP, and its index, stay in memory until the end. */
const MAX_IN_ZIP = 100_000
/** No limit: more than the buyers or claims that a period can have. */
const ALL_ROWS = 1_000_000

/** The routes under `/api/accounting`, all for administrators. */
export function accountingRoutes(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: Accounting })
  app.get(
    '/api/accounting',
    { ...admin, schema: { querystring: AccountingQuery, response: { 200: answer } } },
    async (request) => {
      const period = await periodOf(db.read, request.query)
      const summary = await summaryOf(db.read, period)
      return { ...SUCCESS, data: { ...summary, datev_lacks: await datevLacks(db.read, period, summary.vat) } }
    },
  )
  app.get(
    '/api/accounting/documents',
    { ...admin, schema: { querystring: BookedDocumentsQuery, response: { 200: pageOf(BookedDocument) } } },
    async (request) => {
      const { query } = request
      const period = await periodOf(db.read, query)
      const order = { column: 'issued_on', direction: 'asc' as const }
      return pageAnswer(request, { ...query, order }, await documentsOnPage(db.read, period, query))
    },
  )
  fileRoutes(app, db)
  settingsRoutes(app, db)
}

function attached(reply: FastifyReply, name: string, mediaType: string): FastifyReply {
  return reply.type(mediaType).header('content-disposition', `attachment; filename="${name}"`)
}

function fileRoutes(app: App, db: Database): void {
  const exported = documentExports(db, app.pace, exportLimit(EXPORTS_AT_ONCE))
  const limitZips = exportLimit(ZIPS_AT_ONCE)
  const of = (what: string, mediaType: string) => ({
    ...admin,
    schema: { querystring: AccountingQuery, ...fileAnswer(what, mediaType) },
    // On a local network, compressing the file costs more time than it saves, and delays the first bytes.
    compress: false as const,
  })
  app.get('/api/accounting/csv', of('The documents by treatment and rate.', 'text/csv'), async (request, reply) => {
    const period = await periodOf(db.read, request.query)
    attached(reply, `documents-${periodName(period)}.csv`, 'text/csv; charset=utf-8')
    return reply.send(exported(period, (_, documents) => documentsCsv(documents)))
  })
  app.get(
    '/api/accounting/supplier-credits/csv',
    of('What suppliers credited, and what that changes in sales.', 'text/csv'),
    async (request, reply) => {
      const period = await periodOf(db.read, request.query)
      attached(reply, `supplier-credits-${periodName(period)}.csv`, 'text/csv; charset=utf-8')
      return reply.send(exported(period, (_, __, credits) => creditsCsv(credits)))
    },
  )
  app.get('/api/accounting/excel', of('The tables of the period as a workbook.', XLSX), async (request, reply) => {
    const period = await periodOf(db.read, request.query)
    refuseTooMany('documents', await countDocuments(db.read, period))
    refuseTooMany('payments', await countPayments(db.read, period))
    refuseTooMany('supplier credits', await countCredits(db.read, period))
    const file = exported(period, async function* (read, documents, credits) {
      const summary = await summaryOf(read, period, ALL_ROWS)
      yield await accountingWorkbook(summary, documents, await paymentsOf(read, period), credits)
    })
    return attached(reply, `accounting-${periodName(period)}.xlsx`, XLSX).send(file)
  })
  app.get(
    '/api/accounting/zip',
    of('The PDF and the UBL of the final documents, with an index.', 'application/zip'),
    async (request, reply) => {
      const period = await periodOf(db.read, request.query)
      const total = await countDocuments(db.read, period)
      if (total > MAX_IN_ZIP)
        throw conflict(`At most ${MAX_IN_ZIP.toLocaleString('en')} documents at once. Please choose a shorter period.`)
      const ids = await documentIds(db.read, period)
      const file = limitZips(() => zipped(archiveOf(db, ids, app.pace.longWork())))
      return attached(reply, `documents-${periodName(period)}.zip`, 'application/zip').send(file)
    },
  )
  app.get('/api/accounting/datev', of('A posting batch for DATEV.', 'text/csv'), async (request, reply) => {
    const period: Period = await periodOf(db.read, request.query)
    refuseLacks(await datevLacks(db.read, period, await vatTotals(db.read, period)))
    attached(reply, `EXTF_Buchungsstapel_${periodName(period)}.csv`, 'text/csv; charset=windows-1252')
    return reply.send(exported(period, (read, documents) => datevFile(read, period, documents)))
  })
}

function settingsRoutes(app: App, db: Database): void {
  const answer = z.object({ success: z.literal(true), data: AccountingSettings })
  app.get('/api/accounting/settings', { ...admin, schema: { response: { 200: answer } } }, async () => ({
    ...SUCCESS,
    data: await settingsOf(db.read),
  }))
  app.route({
    ...admin,
    method: ['POST', 'PATCH'],
    url: '/api/accounting/settings/edit',
    schema: { body: AccountingSettingsInput, response: { 200: writeAnswer(AccountingSettings) } },
    handler: async (request) => {
      const settings = await db.write((tx) => editSettings(tx, request.body, actorOf(request)))
      return done('Accounting settings saved.', settings)
    },
  })
}
