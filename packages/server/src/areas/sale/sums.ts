import { SaleQuery, type SaleSums, SaleSumsAnswer } from '@backstock/contract/sale.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../db/connect.ts'
import { SUCCESS } from '../../http/answer.ts'
import type { App } from '../../http/typed-routes.ts'
import { isSaleFound } from '../document/sale-search.ts'
import { filtered } from './queries.ts'

/** The route `GET sale/sums`: the sums of all sales that a list with this query shows. */
export function saleSumsRoute(app: App, db: Database): void {
  const schema = { querystring: SaleQuery, response: { 200: SaleSumsAnswer } }
  app.get('/api/sale/sums', { schema }, async (request) => ({
    ...SUCCESS,
    data: await saleSums(db.read, request.query),
  }))
}

async function saleSums(db: Db, query: SaleQuery): Promise<SaleSums> {
  let found = filtered(db.selectFrom('sale'), query)
  if (query.ids !== undefined) found = found.where(sql<boolean>`sale.id = any(${query.ids}::int[])`)
  if (query.search) found = found.where(await isSaleFound(db, query.search))
  const counts = sql`filter (where sale.status <> 'Voided')`
  const sum = (amount: string) => sql<number>`coalesce(sum(${sql.ref(amount)}) ${counts}, 0)`
  const { net, gross, returned, ...numbers } = await found
    .select([
      sql<number>`count(*)`.as('sales'),
      sql<number>`count(*) filter (where sale.status = 'Voided')`.as('voided'),
      sum('sale.total_sales_price').as('net'),
      sum('sale.total_sales_price_vat').as('gross'),
      sum('sale.returned_gross').as('returned'),
    ])
    .executeTakeFirstOrThrow()
  return { ...numbers, net, vat: gross - net, gross, returned }
}
