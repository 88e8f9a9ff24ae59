import type { BulkEdit, BulkEditQuery } from '@backstock/contract/bulk-edit.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { type Found, page } from '../../../db/page.ts'
import { UNDO_DAYS } from './undo.ts'

const isFresh = sql<boolean>`bulk_edit.undone_at is null
  and bulk_edit.created_at >= now() - ${sql.lit(UNDO_DAYS)} * interval '1 day'`

const bulkEdits = (db: Db) =>
  db.selectFrom('bulk_edit').select([
    'bulk_edit.id',
    'bulk_edit.kind',
    sql<Record<string, unknown>>`bulk_edit.changes`.as('changes'),
    sql<string>`coalesce((select content->'data'->>'message' from log
        where loggable_type = 'Bulk edit' and loggable_id = bulk_edit.id order by log.id limit 1), '')`.as('message'),
    sql<number>`cardinality(bulk_edit.items)`.as('items_count'),
    'bulk_edit.import_id',
    'bulk_edit.check_id',
    'bulk_edit.user_id',
    sql<string>`(select name from app_user where id = bulk_edit.user_id)`.as('user_name'),
    'bulk_edit.created_at',
    'bulk_edit.undone_at',
    sql<string | null>`(select name from app_user where id = bulk_edit.undone_by)`.as('undone_by_name'),
    sql<number | null>`(select count(*) filter (where given is null) from unnest(bulk_edit.given_back) given
        where bulk_edit.given_back is not null)`.as('kept'),
    isFresh.as('can_undo'),
  ])

export async function findBulkEdits(db: Db, { kind, ...query }: BulkEditQuery): Promise<Found<BulkEdit>> {
  const { rows, total } = await page(bulkEdits(db), query, {
    table: 'bulk_edit',
    sort: { id: 'bulk_edit.id' },
    where: (all) =>
      all
        .$call((q) => (kind === undefined ? q : q.where('bulk_edit.kind', 'in', kind)))
        .$if(query.import_id !== undefined, (q) =>
          q.where(sql<boolean>`bulk_edit.import_id = any(${query.import_id}::int[])`),
        )
        .$if(query.check_id !== undefined, (q) =>
          q.where(sql<boolean>`bulk_edit.check_id = any(${query.check_id}::int[])`),
        ),
  })
  return { rows: rows.map(withKept), total }
}

function withKept<Row extends { undone_at: string | null; kept: number | null }>({ kept, ...row }: Row) {
  return { ...row, kept_count: row.undone_at === null ? null : kept }
}

/**
 * The bulk edits that can be undone and that put items in stock, newest first: those of a check, or those of an import
 * and its checks.
 */
export async function undoableOf(db: Db, of: { importId: number } | { checkId: number }): Promise<BulkEdit[]> {
  const isOf =
    'checkId' in of
      ? sql<boolean>`bulk_edit.check_id = ${of.checkId}`
      : sql<boolean>`(bulk_edit.import_id = ${of.importId} or bulk_edit.check_id = any(array(
          select id from delivery_check where import_id = ${of.importId})))`
  const rows = await bulkEdits(db).where(isOf).where(isFresh).orderBy('bulk_edit.id', 'desc').execute()
  return rows.map(withKept)
}
