import { wordsFilter } from '@backstock/contract/page.ts'
import { QuickOrderAnswer, QuickOrderInput } from '@backstock/contract/stock.ts'
import { STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import type {} from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { crud } from '../../http/crud.ts'
import { present } from '../../http/list.ts'
import { fileAnswer } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import { exportFileName, stockExports } from './export.ts'
import { quickOrder } from './quick-order.ts'
import { stock } from './stock.ts'

const ExportQuery = z.object({ status: wordsFilter(STOCK_STATUSES) })

/** Everything under `/api/stock` but the import. */
export function stockRoutes(app: FastifyInstance, db: Database): void {
  crud(app, db, stock)

  app.post(
    '/api/stock/quick-order-find',
    { schema: { body: QuickOrderInput, response: { 200: QuickOrderAnswer } }, bodyLimit: BODY.list },
    async (request, reply) => {
      const { lines } = request.body as z.output<typeof QuickOrderInput>
      return present(reply, QuickOrderAnswer, await quickOrder(db, lines))
    },
  )

  const exportStock = stockExports(db)
  // Compressing would cost more time than a local network saves, and hold the first bytes back.
  app.get(
    '/api/stock/export/csv',
    { schema: { querystring: ExportQuery, ...fileAnswer('All items as CSV.', 'text/csv') }, compress: false },
    async (request, reply) => {
      const { status } = request.query as z.output<typeof ExportQuery>
      const name = await exportFileName(db.read, status)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(await exportStock(status))
    },
  )
}
