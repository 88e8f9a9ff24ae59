import { FurtherColumnNames } from '@backstock/contract/further-column.ts'
import { tacOf } from '@backstock/contract/imei.ts'
import { ProposedProductAnswer, ProposedProductQuery } from '@backstock/contract/proposed-product.ts'
import { PurchaseCurrency } from '@backstock/contract/purchase-currency-fields.ts'
import {
  ElsewhereAnswer,
  QuickOrderAnswer,
  QuickOrderInput,
  StockExportQuery,
  StockFileQuery,
} from '@backstock/contract/stock.ts'
import { ScanFindAnswer, ScanFindInput } from '@backstock/contract/stock-scan.ts'
import { StockValueAnswer, StockValueQuery } from '@backstock/contract/stock-value.ts'
import type {} from '@fastify/compress'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { SUCCESS } from '../../http/answer.ts'
import { crud } from '../../http/crud.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import type { App } from '../../http/typed-routes.ts'
import { exportFileName, stockExports } from './export.ts'
import { countElsewhere } from './find.ts'
import { furtherColumnNames } from './further-names.ts'
import { proposedProducts } from './proposed-products.ts'
import { lastRate } from './purchase-currency.ts'
import { quickOrder } from './quick-order.ts'
import { findScanned } from './scan-find.ts'
import { stock } from './stock.ts'
import { stockValue } from './value.ts'

const FxRateQuery = z.object({ currency: PurchaseCurrency })
/** The exchange rate of the newest item in a currency; null if there is none. */
const FxRateAnswer = z.object({ success: z.literal(true), data: z.object({ fx_rate: z.number().nullable() }) })

/** The number up to which items in other statuses are counted. A person only wants to know that there are more. */
const MOST_ELSEWHERE = 20

/** The routes under `/api/stock`, without those of imports. */
export function stockRoutes(app: App, db: Database): void {
  crud(app, db, stock)

  app.post(
    '/api/stock/quick-order-find',
    { schema: { body: QuickOrderInput, response: { 200: QuickOrderAnswer } }, bodyLimit: BODY.list },
    async (request) => {
      const { lines } = request.body
      return await quickOrder(db, lines)
    },
  )
  app.post(
    '/api/stock/scan-find',
    { schema: { body: ScanFindInput, response: { 200: ScanFindAnswer } }, bodyLimit: BODY.list },
    async (request) => ({ ...SUCCESS, data: await findScanned(db, request.body.codes) }),
  )

  const elsewhere = { querystring: StockExportQuery, response: { 200: ElsewhereAnswer } }
  app.get('/api/stock/elsewhere', { schema: elsewhere }, async (request) => {
    const count = await countElsewhere(db.read, request.query, MOST_ELSEWHERE)
    return { ...SUCCESS, data: { count: Math.min(count, MOST_ELSEWHERE), is_more: count > MOST_ELSEWHERE } }
  })

  const value = { querystring: StockValueQuery, response: { 200: StockValueAnswer } }
  app.get('/api/stock/value', { schema: value, config: { access: 'admin' } }, async (request) => ({
    ...SUCCESS,
    data: await stockValue(db.read, request.query.at),
  }))
  app.get(
    '/api/stock/fx-rate',
    { schema: { querystring: FxRateQuery, response: { 200: FxRateAnswer } } },
    async (request) => ({ ...SUCCESS, data: { fx_rate: await lastRate(db.read, request.query.currency) } }),
  )

  app.get(
    '/api/stock/proposed-product',
    { schema: { querystring: ProposedProductQuery, response: { 200: ProposedProductAnswer } } },
    async (request) => {
      const tac = tacOf(request.query.imei)
      return { ...SUCCESS, data: (await proposedProducts(db.read, [tac])).get(tac) ?? null }
    },
  )

  app.get('/api/stock/further-columns', { schema: { response: { 200: FurtherColumnNames } } }, async () => ({
    ...SUCCESS,
    data: await furtherColumnNames(db.read),
  }))

  const exportStock = stockExports(db, app.pace)
  // On a local network, compression costs more time than it saves, and it delays the first bytes.
  app.get(
    '/api/stock/export/csv',
    { schema: { querystring: StockFileQuery, ...fileAnswer('Items as CSV.', 'text/csv') }, compress: false },
    async (request, reply) => {
      const name = await exportFileName(db.read, request.query)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(await exportStock(request.query))
    },
  )
}
