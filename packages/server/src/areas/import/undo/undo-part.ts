import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../../db/connect.ts'
import { getFrom, single } from '../../../lists.ts'
import { lock, lockItems } from '../../../records/lock.ts'
import { recordMessage } from '../../../records/log/write.ts'
import { lockImports } from '../write/apply-part.ts'
import type { EarlierValues } from '../write/earlier-values.ts'
import { type DoneRow, itemsOf, judge } from './judge.ts'
import { counted } from './message.ts'
import { unmake } from './unmake.ts'
import { removeItems, writeBack } from './write-back.ts'

/** The number of records made by the import that are removed in one transaction. */
const UNMADE_AT_ONCE = 1000

/** The effects that the rows of one part of an import had on items. */
export async function doneRows(db: Db, importId: number, part: number): Promise<DoneRow[]> {
  const { rows } = await sql<{ id: number; version: string; action: 'created' | 'updated' }>`
    select r.id, r.action, r.version
    from import_part p cross join lateral unnest(p.stock_ids, p.actions, p.versions) as r (id, action, version)
    where import_id = ${importId} and part = ${part} and r.action in ('created', 'updated')`.execute(db)
  const found = await db
    .selectFrom('import_part')
    .select('was')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .executeTakeFirst()
  const was = new Map(Object.entries((found?.was ?? {}) as Record<string, EarlierValues>))
  return rows.map(({ id, version, action }) => ({
    id,
    version,
    was: action === 'updated' ? getFrom(was, String(id)) : null,
  }))
}

/**
 * Undoes the last part of an import that is not undone yet, in one transaction with the history. After the last part,
 * it removes the other records that the import made. Returns `wait` if other imports or undos must end first, and
 * `done` if nothing is left. Two calls at the same time do no harm.
 */
export function undoNextPart(db: Database, importId: number): Promise<'part' | 'wait' | 'done'> {
  return db.write(async (tx) => {
    const job = await tx
      .selectFrom('import')
      .select(['undo', 'undone_by', 'made'])
      .where('id', '=', importId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (job?.undo === 'waiting') {
      if (await othersFirst(tx, importId)) return 'wait'
      await tx.updateTable('import').set({ undo: 'undoing' }).where('id', '=', importId).execute()
    } else if (job?.undo !== 'undoing') return 'done'
    await lockImports(tx)
    const author = { userId: job.undone_by, importId }
    const part = await tx
      .selectFrom('import_part')
      .select('part')
      .where('import_id', '=', importId)
      .where('done_at', 'is not', null)
      .where('undone_at', 'is', null)
      .orderBy('part', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (part) {
      await undoPart(tx, importId, part.part, job.undone_by)
      return 'part'
    }
    const made = job.made ?? []
    if (made.length) {
      await unmake(tx, made.slice(-UNMADE_AT_ONCE), author)
      const left = JSON.stringify(made.slice(0, -UNMADE_AT_ONCE))
      await tx.updateTable('import').set({ made: left }).where('id', '=', importId).execute()
      return 'part'
    }
    await end(tx, importId, job.undone_by)
    return 'done'
  })
}

/** Whether an import that has not begun must wait for an undo: one that is under way, or that was asked for before. */
export async function isAfterUndo(db: Db, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from import me join import other on other.id <> me.id and other.undo in ('waiting', 'undoing')
      and (other.undo = 'undoing' or other.undo_asked_at < me.created_at)
    where me.id = ${importId} and me.state = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}

/** Whether any import is in the middle of its rows, or an import or undo that was asked for before has not ended. */
async function othersFirst(tx: Tx, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from import me join import other on case
      when other.state = 'running' then true
      when other.state = 'waiting' then other.created_at < me.undo_asked_at
      else other.undo in ('waiting', 'undoing') and (other.undo_asked_at, other.id) < (me.undo_asked_at, me.id) end
    where me.id = ${importId} and (other.state in ('waiting', 'running') or other.undo in ('waiting', 'undoing'))
    limit 1`.execute(tx)
  return rows.length > 0
}

async function undoPart(tx: Tx, importId: number, part: number, userId: number | null): Promise<void> {
  const rows = await doneRows(tx, importId, part)
  const ids = rows.map(({ id }) => id)
  const locked = await lockItems(tx, ids, ['updated_at'])
  const times = new Map(Array.from(locked.values(), ({ id, updated_at }) => [id, updated_at]))
  const judged = await judge(tx, importId, rows, {
    times: async () => times,
    items: (ids) => itemsOf(tx, ids),
    batches: async (ids) => {
      const { batches } = await lock(tx, { batches: ids })
      await sql`lock table basket in share row exclusive mode`.execute(tx)
      return batches
    },
  })
  const author = { userId, importId }
  await removeItems(tx, judged.removed, importId, author)
  await writeBack(tx, judged.restored, author)
  await sql`
    update import_part set undone_at = clock_timestamp(), removed = ${judged.removed.length},
      restored = ${judged.restored.length}, kept = ${JSON.stringify(judged.kept)}::jsonb
    where import_id = ${importId} and part = ${part}`.execute(tx)
}

async function end(tx: Tx, importId: number, userId: number | null): Promise<void> {
  await tx
    .updateTable('import')
    .set({ undo: 'undone', undone_at: sql<string>`now()` })
    .where('id', '=', importId)
    .execute()
  if (userId === null) return
  const { rows } = await sql<{ restored: number; removed: number; kept: number }>`
    select sum(restored) as restored, sum(removed) as removed, sum(jsonb_array_length(kept)) as kept
    from import_part where import_id = ${importId} and undone_at is not null`.execute(tx)
  await recordMessage(tx, { userId }, 'User', userId, `Import #${importId} was undone: ${counted(single(rows))}.`)
}
