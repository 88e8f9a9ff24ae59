import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { invalid, NO_SUCH_RECORD } from '../../../http/refusal.ts'

/**
 * For each supplier's id, the text in a cell that means the supplier: its name, followed by its number if several have
 * that name.
 */
export async function supplierNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, case when exists (
        select from supplier other where other.id <> s.id and lower(trim(other.company_name)) = lower(trim(s.company_name)))
      then format('%s #%s', trim(s.company_name), s.id) else s.company_name end as name
    from supplier s where s.id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The text in a cell that means this supplier. Throws 422 if there is no such supplier. */
export async function supplierName(db: Db, id: number): Promise<string> {
  const name = (await supplierNames(db, [id])).get(id)
  if (name === undefined) throw invalid({ supplier_id: NO_SUCH_RECORD })
  return name
}
