import { LogEntry, LogQuery } from '@backstock/contract/log.ts'
import { pageOf } from '@backstock/contract/page.ts'
import type { Database } from '../../db/connect.ts'
import { pageAnswer } from '../../http/list.ts'
import type { App } from '../../http/typed-routes.ts'
import { findLogs } from './read.ts'

/** The route `GET log/find`: the log entries of a record, page by page. */
export function logRoutes(app: App, db: Database): void {
  const schema = { querystring: LogQuery, response: { 200: pageOf(LogEntry) } }
  app.get('/api/log/find', { schema }, async (request) =>
    pageAnswer(request, request.query, await findLogs(db.read, request.query)),
  )
}
