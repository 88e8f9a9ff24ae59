import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/**
 * For each item, the `updated_at` that it has if nobody has changed it since its time in `times`. This is that time
 * itself, or a later one if bulk edits have changed the item and were undone. The keys of both maps are ids of items.
 * Undos from before `since` do not count.
 */
export async function timesUntouched(
  db: Db,
  times: ReadonlyMap<number, string>,
  since: string,
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; found: string; given_back: string }>`
    select item.id, item.found, item.given_back
    from bulk_edit b, unnest(b.items, b.found, b.given_back) as item (id, found, given_back)
    where b.undone_at >= ${since}::timestamptz and item.given_back is not null
      and item.id in (select unnest(${[...times.keys()]}::int[]))`.execute(db)
  const next = new Map(rows.map(({ id, found, given_back }) => [`${id} ${found}`, given_back]))
  const untouched = new Map(times)
  for (const [id, time] of times) {
    let last = time
    for (let later = next.get(`${id} ${last}`); later !== undefined; later = next.get(`${id} ${last}`)) last = later
    untouched.set(id, last)
  }
  return untouched
}
