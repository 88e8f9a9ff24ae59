import { writeAnswer } from '@backstock/contract/answer.ts'
import { type Dashboard, DashboardAnswer, PutAway } from '@backstock/contract/dashboard.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Database, Db } from '../../db/connect.ts'
import { done, SUCCESS } from '../../http/answer.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { endingRule } from './ending-rule.ts'
import { firstSteps, isSample, putAway, putAwayBy } from './first-steps.ts'
import { newestImports } from './imports.ts'
import { longestWaiting, openPayments, openSales, salesByPeriod } from './sales.ts'
import { stockInHand } from './stock.ts'

/**
 * The routes `GET dashboard` (the shop's figures and the work of today) and `POST dashboard/put-away` (hides a part for
 * the person who asks).
 */
export function dashboardRoutes(app: App, db: Database, { mailFrom }: Pick<Config, 'mailFrom'>): void {
  app.get('/api/dashboard', { schema: { response: { 200: DashboardAnswer } } }, async (request) => ({
    ...SUCCESS,
    data: await dashboard(db.read, actorOf(request).id, mailFrom !== undefined),
  }))
  const schema = { body: PutAway, response: { 200: writeAnswer(z.null()) } }
  app.post('/api/dashboard/put-away', { schema }, async (request) => {
    await db.write((tx) => putAway(tx, actorOf(request).id, request.body))
    return done(request.body.put_away ? 'Hidden.' : 'Shown again.', null)
  })
}

async function dashboard(db: Db, userId: number, hasSender: boolean): Promise<Dashboard> {
  const [
    clock,
    stock,
    sales,
    open_sales,
    payments,
    attention,
    awaiting,
    imports,
    ending_rule,
    first_steps,
    is_sample,
    put_away,
  ] = await Promise.all([
    clockOf(db),
    stockInHand(db),
    salesByPeriod(db),
    openSales(db),
    openPayments(db),
    longestWaiting(db, ['Requires Attention']),
    longestWaiting(db, ['Awaiting Payment', 'Awaiting Dispatch']),
    newestImports(db),
    endingRule(db),
    firstSteps(db, hasSender),
    isSample(db),
    putAwayBy(db, userId),
  ])
  return {
    ...clock,
    ...stock,
    ...sales,
    ...{ open_sales, payments, attention, awaiting, imports, ending_rule, first_steps, is_sample, put_away },
  }
}

const clockOf = (db: Db) =>
  db
    .selectFrom('company')
    .select(['time_zone', sql<string>`(now() at time zone time_zone)::date`.as('today')])
    .executeTakeFirstOrThrow()
