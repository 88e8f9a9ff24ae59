import { ENTRY_DETAILS, type ImportDetail, type ImportEntry, type ImportStatus } from '@backstock/contract/import.ts'
import { timeAgo } from '@backstock/contract/time.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Found } from '../../db/page.ts'

/** How many failed rows the status tells in words. */
const STATUS_ERRORS = 20

type Counts = { state: ImportEntry['state']; total: number; succeeded: number; failed: number }

/** How far an import is, as `ImportStatus` has it. */
export function progressOf({ state, total, succeeded, failed }: Counts): number {
  if (state === 'waiting') return 0
  if (state !== 'running') return 100
  return Math.min(99, Math.max(1, Math.floor(((succeeded + failed) * 100) / total)))
}

const sentence = ({ row_no, errors }: { row_no: number; errors: Record<string, string> }) =>
  `Row ${row_no}: ${Object.entries(errors)
    .map(([field, message]) => `${field}: ${message}`)
    .join(' ')}`

const NO_IMPORT: ImportStatus = {
  progress: -1,
  import_id: null,
  state: null,
  total_rows: 0,
  processed_rows: 0,
  successed_rows: 0,
  failed_rows: 0,
  errors: [],
}

/** How far a user's newest import is; 60 seconds after its end there is none. Reading changes nothing. */
export async function importStatus(db: Db, userId: number): Promise<ImportStatus> {
  const newest = await db
    .selectFrom('import')
    .select(['id', 'state', 'total', 'succeeded', 'failed', 'error'])
    .select(sql<boolean>`coalesce(ended_at < now() - interval '60 seconds', false)`.as('old'))
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.old) return NO_IMPORT
  const failures = newest.failed === 0 ? [] : await firstFailures(db, newest.id)
  const more = newest.failed - failures.length
  return {
    progress: progressOf(newest),
    import_id: newest.id,
    state: newest.state,
    total_rows: newest.total,
    processed_rows: newest.succeeded + newest.failed,
    successed_rows: newest.succeeded,
    failed_rows: newest.failed,
    errors: [
      ...(newest.error === null ? [] : [newest.error]),
      ...failures,
      ...(more > 0 ? [`${more} more rows failed: see the import history.`] : []),
    ],
  }
}

async function firstFailures(db: Db, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('import_error')
    .select(['row_no', 'errors'])
    .where('import_id', '=', importId)
    .orderBy('row_no')
    .limit(STATUS_ERRORS)
    .execute()
  return rows.map(sentence)
}

const entries = (db: Db) =>
  db
    .selectFrom('import as i')
    .leftJoin('app_user as u', 'u.id', 'i.user_id')
    .leftJoin('partner as p', 'p.id', 'i.partner_id')
    .select(['i.id', 'i.type', 'i.user_id', 'u.name as user_name', 'p.name as partner_name', 'i.file_name', 'i.state'])
    .select(['i.error', 'i.created_at', 'i.succeeded', 'i.failed'])

type HistoryQuery = {
  page: number
  per_page: number
  id?: number | undefined
  type?: ImportEntry['type'][] | undefined
}

/** One page of everyone's imports, newest first, each with its first details. */
export async function importHistory(db: Db, query: HistoryQuery): Promise<Found<ImportEntry>> {
  let matching = entries(db)
  if (query.id !== undefined) matching = matching.where('i.id', '=', query.id)
  if (query.type) matching = matching.where('i.type', 'in', query.type)
  const [rows, count] = await Promise.all([
    matching
      .orderBy('i.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute(),
    matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  const now = Date.now()
  const found: ImportEntry[] = []
  for (const { succeeded, failed, ...entry } of rows) {
    const total = succeeded + failed
    const details = await detailsOf(db, { id: entry.id, failed }, 0, ENTRY_DETAILS)
    const data = {
      processed_rows: total,
      successed_rows: succeeded,
      failed_rows: failed,
      details,
      details_total: total,
    }
    found.push({ ...entry, time_ago: timeAgo(entry.created_at, now), content: { data } })
  }
  return { rows: found, total: count.total }
}

/** A page of an import's rows, failed ones first; undefined where there is no such import. */
export async function importDetails(
  db: Db,
  id: number,
  { page, per_page }: { page: number; per_page: number },
): Promise<Found<ImportDetail> | undefined> {
  const found = await db
    .selectFrom('import')
    .select(['id', 'succeeded', 'failed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const rows = await detailsOf(db, found, (page - 1) * per_page, per_page)
  return { rows, total: found.succeeded + found.failed }
}

async function detailsOf(
  db: Db,
  { id, failed }: { id: number; failed: number },
  offset: number,
  limit: number,
): Promise<ImportDetail[]> {
  const failures = offset < failed ? await failedRows(db, id, offset, limit) : []
  const left = limit - failures.length
  return left > 0 ? [...failures, ...(await appliedRows(db, id, Math.max(0, offset - failed), left))] : failures
}

async function failedRows(db: Db, id: number, offset: number, limit: number): Promise<ImportDetail[]> {
  const rows = await db
    .selectFrom('import_error')
    .select(['row_no', 'backstock_id', 'errors'])
    .where('import_id', '=', id)
    .orderBy('row_no')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ row_no, backstock_id, errors }) => ({
    success: false,
    type: 'failed',
    row: row_no,
    id: null,
    backstock_id,
    message: errors,
  }))
}

type AppliedRow = { row: number; id: number; action: 'created' | 'updated'; backstock_id: string | null }

/** Only the parts that the page touches are opened. */
async function appliedRows(db: Db, id: number, offset: number, limit: number): Promise<ImportDetail[]> {
  const { rows } = await sql<AppliedRow>`
    with part as materialized (
      select p.part, n, sum(n) over (order by p.part) - n as before
      from import_part p, cardinality(array_remove(stock_ids, null)) n where import_id = ${id} and done_at is not null),
    touched as materialized (
      select part, before from part where before < ${offset + limit}::bigint and before + n > ${offset}::bigint),
    applied as (
      select t.part, r.ord, r.row, r.id, r.action from touched t
      join import_part p on p.import_id = ${id} and p.part = t.part
      cross join lateral unnest(p.lines, p.stock_ids, p.actions) with ordinality as r (row, id, action, ord)
      where r.id is not null
      order by t.part, r.ord
      offset ${offset}::bigint - (select coalesce(min(before), 0) from touched) limit ${limit})
    select a.row, a.id, a.action, s.backstock_id from applied a left join stock s on s.id = a.id
    order by a.part, a.ord`.execute(db)
  return rows.map(({ row, id: stockId, action, backstock_id }) => ({
    success: true,
    type: action,
    row,
    id: stockId,
    backstock_id,
    message: action === 'created' ? 'Created.' : 'Updated.',
  }))
}
