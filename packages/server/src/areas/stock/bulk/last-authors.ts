import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** The author of each item's newest log entry, a person or a partner, by item. */
export async function lastAuthors(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select item.id, coalesce(u.name, p.name) as name
    from unnest(${ids}::int[]) as item (id)
    cross join lateral (
      select user_id, partner_id from log where loggable_type = 'Stock' and loggable_id = item.id
      order by id desc limit 1) l
    left join app_user u on u.id = l.user_id left join partner p on p.id = l.partner_id
    where coalesce(u.name, p.name) is not null`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
