import { failedRow, moreFailed } from '@backstock/contract/failed-rows.ts'
import {
  ENTRY_DETAILS,
  IMPORT_STATES,
  type ImportDetail,
  type ImportEntry,
  type ImportState,
  type ImportStatus,
} from '@backstock/contract/import.ts'
import { timeAgo } from '@backstock/contract/time.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Found } from '../../db/page.ts'
import { type AppliedRow, outcomeOf } from './outcome.ts'
import { canUndo } from './undo/can-undo.ts'
import { isUndone, keptIds } from './undo/is-undone.ts'

/** The most failed rows that the status describes in words. */
const STATUS_ERRORS = 20

type Counts = { state: ImportEntry['state']; total: number; succeeded: number; failed: number }

/** The progress of an import from 0 to 100, in the sense of `ImportStatus`. */
export function progressOf({ state, total, succeeded, failed }: Counts): number {
  if (state === 'waiting') return 0
  if (state !== 'running') return 100
  return Math.min(99, Math.max(1, Math.floor(((succeeded + failed) * 100) / total)))
}

const NO_IMPORT: ImportStatus = {
  progress: -1,
  import_id: null,
  file_name: null,
  state: null,
  undo: null,
  total_rows: 0,
  processed_rows: 0,
  successed_rows: 0,
  failed_rows: 0,
  errors: [],
}

/** The state of a user's newest import. 60 seconds after its end, the answer is that there is none. */
export async function importStatus(db: Db, userId: number): Promise<ImportStatus> {
  const newest = await db
    .selectFrom('import')
    .select(['id', 'file_name', 'state', 'undo', 'total', 'succeeded', 'failed', 'error'])
    .select(sql<boolean>`coalesce(ended_at < now() - interval '60 seconds', false)`.as('old'))
    .where('user_id', '=', userId)
    .where('state', 'in', IMPORT_STATES)
    .$narrowType<{ state: ImportState }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || newest.old) return NO_IMPORT
  const failures = newest.failed === 0 ? [] : await firstFailures(db, newest.id)
  const more = newest.failed - failures.length
  return {
    progress: progressOf(newest),
    import_id: newest.id,
    file_name: newest.file_name,
    state: newest.state,
    undo: newest.undo,
    total_rows: newest.total,
    processed_rows: newest.succeeded + newest.failed,
    successed_rows: newest.succeeded,
    failed_rows: newest.failed,
    errors: [...(newest.error === null ? [] : [newest.error]), ...failures, ...(more > 0 ? [moreFailed(more)] : [])],
  }
}

async function firstFailures(db: Db, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('import_error')
    .select(['row_no as row', 'errors'])
    .where('import_id', '=', importId)
    .orderBy('row_no')
    .limit(STATUS_ERRORS)
    .execute()
  const ofRow = await wholeRows(db, new Map([[importId, rows]]))
  return rows.map(({ row, errors }) => failedRow(ofRow(importId, row) ?? row, errors))
}

const entries = (db: Db) =>
  db
    .selectFrom('import as i')
    .leftJoin('app_user as u', 'u.id', 'i.user_id')
    .leftJoin('partner as p', 'p.id', 'i.partner_id')
    .select(['i.id', 'i.type', 'i.user_id', 'u.name as user_name', 'p.name as partner_name', 'i.file_name', 'i.state'])
    .select(['i.error', 'i.created_at', 'i.succeeded', 'i.failed', 'i.undo', canUndo.as('can_undo')])
    .where('i.state', 'in', IMPORT_STATES)
    .$narrowType<{ state: ImportState }>()

type HistoryQuery = {
  page: number
  per_page: number
  id?: number | undefined
  type?: ImportEntry['type'][] | undefined
}

/** One page of all people's imports, newest first, each with its first details. */
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
  const detailsOf = await details(db, rows, 0, ENTRY_DETAILS)
  const now = Date.now()
  const found = rows.map(({ succeeded, failed, ...entry }): ImportEntry => {
    const total = succeeded + failed
    const data = {
      processed_rows: total,
      successed_rows: succeeded,
      failed_rows: failed,
      details: detailsOf(entry.id),
      details_total: total,
    }
    return { ...entry, time_ago: timeAgo(entry.created_at, now), content: { data } }
  })
  return { rows: found, total: count.total }
}

/** A page of the results of an import's rows, failed rows first; undefined if there is no such import. */
export async function importDetails(
  db: Db,
  id: number,
  { page, per_page }: { page: number; per_page: number },
): Promise<Found<ImportDetail> | undefined> {
  const found = await db
    .selectFrom('import')
    .select(['id', 'succeeded', 'failed'])
    .where('id', '=', id)
    .where('state', 'in', IMPORT_STATES)
    .executeTakeFirst()
  if (!found) return undefined
  const detailsOf = await details(db, [found], (page - 1) * per_page, per_page)
  return { rows: detailsOf(id), total: found.succeeded + found.failed }
}

/** A page of the results of several imports, each with failed rows first, by import. */
async function details(
  db: Db,
  imports: readonly { id: number; failed: number }[],
  offset: number,
  limit: number,
): Promise<(id: number) => ImportDetail[]> {
  const end = offset + limit
  const [failures, applied] = await Promise.all([
    failedRows(
      db,
      imports.map(({ id, failed }) => ({ id, from: Math.min(offset, failed), to: Math.min(end, failed) })),
    ),
    appliedRows(
      db,
      imports.map(({ id, failed }) => ({ id, from: Math.max(0, offset - failed), to: Math.max(0, end - failed) })),
    ),
  ])
  const found = new Map(
    imports.map(({ id }) => [id, [...(failures.get(id) ?? []), ...(applied.get(id) ?? [])]] as const),
  )
  const ofRows = await wholeRows(db, found)
  return (id) => (found.get(id) ?? []).map((detail) => ({ ...detail, of_row: ofRows(id, detail.row) }))
}

type Detail = Omit<ImportDetail, 'of_row'>

/** Looks up the row of the file from which a row was split, for rows of several imports. */
async function wholeRows(
  db: Db,
  rows: ReadonlyMap<number, readonly { row: number }[]>,
): Promise<(importId: number, row: number) => number | null> {
  const asked = [...new Set([...rows.values()].flat().map(({ row }) => String(row)))]
  const { rows: split } = await sql<{ import_id: number; row: string; of_row: number }>`
    select p.import_id, o.key as row, o.value::int as of_row
    from import_part p cross join lateral jsonb_each_text(p.pieces -> 'of') o
    where p.import_id = any(${[...rows.keys()]}::int[]) and p.pieces is not null and o.key = any(${asked}::text[])`.execute(
    db,
  )
  const found = new Map(split.map(({ import_id, row, of_row }) => [`${import_id} ${row}`, of_row]))
  return (importId, row) => found.get(`${importId} ${row}`) ?? null
}

/** A slice of an import's failed or applied rows, counted from 0. `to` is the first row after it. */
type Slice = { id: number; from: number; to: number }

function askedFor(slices: readonly Slice[]) {
  const some = slices.filter(({ from, to }) => from < to)
  return sql`
    unnest(${some.map(({ id }) => id)}::int[], ${some.map(({ from }) => from)}::bigint[], ${some.map(({ to }) => to)}::bigint[])
      as asked (import_id, low, high)`
}

type FailedRow = { import_id: number; row: number; backstock_id: string | null; errors: Record<string, string> }

async function failedRows(db: Db, slices: readonly Slice[]): Promise<Map<number, Detail[]>> {
  const { rows } = await sql<FailedRow>`
    select import_id, e.* from ${askedFor(slices)}
    cross join lateral (
      select row_no as row, backstock_id, errors from import_error where import_id = asked.import_id
      order by row_no offset low limit high - low) e
    order by import_id, e.row`.execute(db)
  return byImport(rows, ({ row, backstock_id, errors }) => ({
    success: false,
    type: 'failed',
    row,
    id: null,
    backstock_id,
    message: errors,
  }))
}

type FoundRow = AppliedRow & { import_id: number; row: number; id: number | null; backstock_id: string | null }

/** The applied rows in these slices. Parts of an import without a row in the slices are not opened. */
async function appliedRows(db: Db, slices: readonly Slice[]): Promise<Map<number, Detail[]>> {
  const { rows } = await sql<FoundRow>`
    with part as materialized (
      select import_id, low, high, p.part, n, sum(n) over (partition by import_id order by p.part) - n as before
      from ${askedFor(slices)} join import_part p using (import_id),
        cardinality(array_remove(stock_ids, null)) n
      where done_at is not null),
    touched as materialized (
      select import_id, low, high, part, before, p.undone_at, ${keptIds(sql`p`)} as kept
      from part join import_part p using (import_id, part) where before < high and before + n > low),
    applied as (
      select import_id, part, r.ord, r.row, r.id, r.action, low, high, touched.undone_at, touched.kept,
        before + row_number() over (partition by import_id, part order by r.ord) - 1 as place
      from touched join import_part p using (import_id, part)
      cross join lateral unnest(p.lines, p.stock_ids, p.actions) with ordinality as r (row, id, action, ord)
      where r.id is not null)
    select import_id, row, stock.id, action, stock.backstock_id, stock.id is not null as is_there,
      ${isUndone(sql`applied`, sql`applied.kept`, sql`applied.id`, sql`action`)} as is_undone
    from applied left join stock on stock.id = applied.id
    where place >= low and place < high
    order by import_id, part, ord`.execute(db)
  return byImport(rows, ({ row, id, backstock_id, ...applied }) => ({
    success: true,
    type: applied.action,
    row,
    id,
    backstock_id,
    message: outcomeOf(applied),
  }))
}

function byImport<Row extends { import_id: number }>(
  rows: readonly Row[],
  detail: (row: Row) => Detail,
): Map<number, Detail[]> {
  const found = new Map<number, Detail[]>()
  for (const [id, own] of Map.groupBy(rows, (row) => row.import_id)) found.set(id, own.map(detail))
  return found
}
