import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { invalid } from '../../../http/refusal.ts'

/** By id, the cell that means each of these suppliers: its name, with its number if several have that name. */
export async function supplierNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, case when exists (
        select from supplier other where other.id <> s.id and lower(trim(other.company_name)) = lower(trim(s.company_name)))
      then format('%s #%s', trim(s.company_name), s.id) else s.company_name end as name
    from supplier s where s.id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Throws 422 if there is no such supplier. */
export async function supplierName(db: Db, id: number): Promise<string> {
  const name = (await supplierNames(db, [id])).get(id)
  if (name === undefined) throw invalid({ supplier_id: 'Does not exist.' })
  return name
}
