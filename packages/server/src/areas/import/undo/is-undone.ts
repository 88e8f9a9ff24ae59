import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** SQL for the ids of the items that the undo of a part of an import has left as they were. Work it out once a part. */
export const keptIds = (part: Sql) => sql<number[]>`
  array(select (one ->> 'id')::int from jsonb_array_elements(${part}.kept) one)`

/** SQL that tells if the undo of an import took back the effect of a row of this `import_part` on an item. */
export const isUndone = (part: Sql, kept: Sql, id: Sql, action: Sql) => sql<boolean>`
  (${part}.undone_at is not null and ${action} in ('created', 'updated') and ${id} <> all(${kept}))`
