import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** SQL that tells if the undo of an import took back the effect of a row of this `import_part` on an item. */
export const isUndone = (part: Sql, id: Sql, action: Sql) => sql<boolean>`
  (${part}.undone_at is not null and ${action} in ('created', 'updated')
    and not coalesce(${part}.kept @> jsonb_build_array(jsonb_build_object('id', ${id})), false))`
