import type { BulkEdit } from '@backstock/contract/bulk-edit.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { getFrom } from '../../../lists.ts'
import { recordMessage } from '../../../records/log/write.ts'
import { changedColumns, type Edited, recordMany, updateMany } from './write-columns.ts'

/** A bulk edit: its author, its kind, and the message to the author. */
export type Act = {
  userId: number
  kind: BulkEdit['kind']
  /** The changes, in the form in which they were asked for. */
  changes: Record<string, unknown>
  importId?: number | null
  checkId?: number | null
  message: string
}

/**
 * Writes a bulk edit. All code that changes many items calls this function. At most 10,000 items change at once. Each
 * gets a log entry that is not in the notifications, which have one message in all. The data for an undo are stored.
 * The caller has locked the items and decided the change of each; at least one must change. Returns the id of the bulk
 * edit.
 */
export async function writeMany(tx: Tx, act: Act, edits: readonly Edited[]): Promise<number> {
  const changing = edits.filter((edit) => changedColumns(edit).length > 0)
  const versions = await updateMany(tx, changing)
  const before = changing.map((edit) =>
    Object.fromEntries(changedColumns(edit).map((column) => [column, edit.row[column]])),
  )
  const { id } = await tx
    .insertInto('bulk_edit')
    .values({
      user_id: act.userId,
      kind: act.kind,
      changes: JSON.stringify(act.changes),
      import_id: act.importId ?? null,
      check_id: act.checkId ?? null,
      items: sql<number[]>`${changing.map(({ row }) => row.id)}::int[]`,
      found: sql<string[]>`${changing.map(({ row }) => row.updated_at)}::timestamptz(3)[]`,
      versions: sql<string[]>`${changing.map(({ row }) => getFrom(versions, row.id))}::timestamptz(3)[]`,
      before: JSON.stringify(before),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordMany(tx, { userId: act.userId, bulkId: id }, changing)
  await recordMessage(tx, { userId: act.userId, bulkId: id }, 'Bulk edit', id, act.message)
  return id
}
