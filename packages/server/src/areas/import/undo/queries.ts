import { IMPORT_STATES } from '@backstock/contract/import.ts'
import type { ImportUndo, KeptItem, UndoState } from '@backstock/contract/import-undo.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../../db/connect.ts'
import { BROKEN_OFF } from '../broken-off.ts'
import { undoRefusal } from './can-undo.ts'
import { type ItemToKeep, itemsOf, type Judged, judge } from './judge.ts'
import { keptMessage } from './message.ts'
import { doneRows } from './undo-part.ts'

type Row = {
  id: number
  undo: UndoState | null
  refusal: string | null
  undo_error: string | null
  undone_at: string | null
  undone_by_name: string | null
}

const find = async (db: Db, id: number) =>
  (
    await sql<Row>`
      select i.id, i.undo, ${undoRefusal} as refusal, i.undo_error, i.undone_at, u.name as undone_by_name
      from import i left join app_user u on u.id = i.undone_by
      where i.id = ${id} and i.state = any(${IMPORT_STATES}::text[])`.execute(db)
  ).rows[0]

type Page = { page: number; per_page: number; judged?: boolean | undefined }

/**
 * The result of an undo so far, with a forecast for the rest; undefined if there is no such import. A page after the
 * first may come from a forecast that is up to a minute old, and so may the first if `judged` allows it.
 */
export async function undoOf(
  db: Database,
  id: number,
  { page, per_page, judged }: Page,
): Promise<ImportUndo | undefined> {
  const row = await find(db.read, id)
  if (!row) return undefined
  const done = await undoneParts(db.read, id)
  const isAhead = row.refusal === null && (row.undo === null || row.undo === 'failed')
  const slice = { from: (page - 1) * per_page, to: page * per_page }
  const kept = isAhead && (page > 1 || judged) ? await keptJudgement(db.read, id, done.left, slice) : undefined
  const { restored, removed, kept_total, shown } =
    kept ?? sliceOf(isAhead ? await together(id, () => judgeAnew(db, id, done)) : done, slice)
  return {
    import_id: id,
    state: row.undo,
    refusal: row.refusal,
    // Older versions of Backstock stored no sentence for a failed undo.
    error: row.undo === 'failed' ? (row.undo_error ?? BROKEN_OFF.undo) : null,
    progress: row.undo === 'undone' ? 100 : row.undo === null ? 0 : done.progress,
    restored,
    removed,
    kept_total,
    kept: await named(db.read, shown),
    undone_at: row.undone_at,
    undone_by_name: row.undone_by_name,
  }
}

type Foreseen = { restored: number; removed: number; kept: ItemToKeep[] }

type Slice = { from: number; to: number }
type Shown = Omit<Foreseen, 'kept'> & { kept_total: number; shown: ItemToKeep[] }

function sliceOf({ restored, removed, kept }: Foreseen, { from, to }: Slice): Shown {
  return { restored, removed, kept_total: kept.length, shown: kept.slice(from, to) }
}

/**
 * A page of a forecast that any instance made in the last minute; undefined if there is none, or if further parts were
 * undone since.
 */
async function keptJudgement(db: Db, id: number, left: number, { from, to }: Slice): Promise<Shown | undefined> {
  const { rows } = await sql<Shown>`
    select restored, removed, jsonb_array_length(kept) as kept_total,
      coalesce((select jsonb_agg(one order by n) from jsonb_array_elements(kept) with ordinality as k (one, n)
        where n > ${from} and n <= ${to}), '[]') as shown
    from import_judgement
    where import_id = ${id} and left_parts = ${left} and judged_at > clock_timestamp() - interval '1 minute'`.execute(
    db,
  )
  return rows[0]
}

/**
 * Makes a forecast for the parts that are left, and stores it together with the results of the finished parts. If it
 * cannot be stored, the next request makes it again.
 */
async function judgeAnew(db: Database, id: number, done: Foreseen & { left: number }): Promise<Foreseen> {
  const ahead = await foreseen(db.read, id)
  const all: Foreseen = {
    restored: done.restored + ahead.restored,
    removed: done.removed + ahead.removed,
    kept: [...done.kept, ...ahead.kept].sort((a, b) => a.id - b.id),
  }
  const { restored, removed, kept } = all
  await db
    .write((tx) =>
      sql`
        insert into import_judgement (import_id, left_parts, restored, removed, kept)
        select id, ${done.left}, ${restored}, ${removed}, ${JSON.stringify(kept)}::jsonb from import where id = ${id}
        on conflict (import_id) do update set judged_at = excluded.judged_at, left_parts = excluded.left_parts,
          restored = excluded.restored, removed = excluded.removed, kept = excluded.kept`.execute(tx),
    )
    .catch(() => undefined)
  return all
}

/** The results of the parts that are undone, the progress (at most 99), and the number of parts left. */
async function undoneParts(db: Db, id: number): Promise<Foreseen & { progress: number; left: number }> {
  const parts = await db
    .selectFrom('import_part')
    .select(['undone_at', 'restored', 'removed', 'kept'])
    .where('import_id', '=', id)
    .where('done_at', 'is not', null)
    .execute()
  const undone = parts.filter(({ undone_at }) => undone_at !== null)
  const sum = (column: 'restored' | 'removed') => undone.reduce((all, part) => all + (part[column] ?? 0), 0)
  return {
    restored: sum('restored'),
    removed: sum('removed'),
    kept: undone.flatMap(({ kept }) => (kept ?? []) as ItemToKeep[]).sort((a, b) => a.id - b.id),
    left: parts.length - undone.length,
    progress: Math.min(99, Math.floor((undone.length * 100) / Math.max(1, parts.length))),
  }
}

/** The forecast for an undo that begins now, part by part, without locks. */
async function foreseen(db: Db, id: number): Promise<Foreseen> {
  const parts = await db
    .selectFrom('import_part')
    .select('part')
    .where('import_id', '=', id)
    .where('done_at', 'is not', null)
    .where('undone_at', 'is', null)
    .orderBy('part', 'desc')
    .execute()
  const all: Foreseen = { restored: 0, removed: 0, kept: [] }
  const leaving = new Set<number>()
  for (const { part } of parts) {
    const { restored, removed, kept } = await foreseenPart(db, id, part, leaving)
    for (const { item } of restored) leaving.add(item.id)
    for (const item of removed) leaving.add(item)
    all.restored += restored.length
    all.removed += removed.length
    all.kept.push(...kept)
  }
  return all
}

async function foreseenPart(db: Db, id: number, part: number, leaving: ReadonlySet<number>): Promise<Judged> {
  const rows = await doneRows(db, id, part)
  return judge(
    db,
    id,
    rows,
    {
      async times() {
        const found = await sql<{ id: number; updated_at: string }>`
          select id, updated_at from stock where id = any(${rows.map((row) => row.id)}::int[])`.execute(db)
        return new Map(found.rows.map((row) => [row.id, row.updated_at]))
      },
      items: (ids) => itemsOf(db, ids),
      async batches(ids) {
        const found = await db
          .selectFrom('batch')
          .select(['id', 'is_locked'])
          .where(sql<boolean>`id = any(${ids}::int[])`)
          .execute()
        return new Map(found.map((row) => [row.id, row]))
      },
    },
    leaving,
  )
}

const looking = new Map<number, Promise<Foreseen>>()

/** All requests about an import that come during a forecast share its answer. */
function together(id: number, look: () => Promise<Foreseen>): Promise<Foreseen> {
  const now = looking.get(id) ?? look().finally(() => looking.delete(id))
  looking.set(id, now)
  return now
}

/** The items that stay, with their names and the reasons in words. */
async function named(db: Db, kept: readonly ItemToKeep[]): Promise<KeptItem[]> {
  if (kept.length === 0) return []
  const { rows } = await sql<{ id: number; product: string; identifier: string }>`
    select s.id, p.display_name as product, coalesce(s.imei, s.serial_number) as identifier
    from stock s join product p on p.id = s.actual_product_id
    where s.id = any(${kept.map(({ id }) => id)}::int[])`.execute(db)
  const names = new Map(rows.map((row) => [row.id, row]))
  return kept.map((one) => ({
    id: one.id,
    product: names.get(one.id)?.product ?? null,
    identifier: names.get(one.id)?.identifier ?? null,
    reason: one.reason,
    ref: one.reason === 'basket' ? null : one.ref,
    message: keptMessage(one),
    who: one.who,
    at: one.at,
  }))
}
