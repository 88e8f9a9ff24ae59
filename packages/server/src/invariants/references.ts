import type pg from 'pg'
import type { Invariant } from './invariant.ts'

/**
 * One invariant for every foreign key of the schema. PostgreSQL enforces these, except in a restore without triggers,
 * or if somebody changes its files.
 */
export async function referenceInvariants(client: pg.ClientBase): Promise<Invariant[]> {
  const { rows } = await client.query<{ name: string; query: string }>(`
    select format('%s.%s is there', c.conrelid::regclass, a.attname) as name,
      format('select format(''%s #%%s: %s is #%%s, which is not there'', coalesce(to_jsonb(r) ->> ''id'',
          to_jsonb(r) ->> ''sale_id'', to_jsonb(r) ->> ''import_id'', ''?''), r.%I) as violation
        from %s r where r.%I is not null and not exists (select from %s t where t.%I = r.%I)',
        c.conrelid::regclass, a.attname, a.attname, c.conrelid::regclass, a.attname, c.confrelid::regclass, b.attname,
        a.attname) as query
    from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1
    order by 1`)
  return rows.map(({ name, query }) => ({ name, violations: query }))
}
