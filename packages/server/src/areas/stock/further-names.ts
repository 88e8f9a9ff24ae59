import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** More than anyone would look through; a shop has some dozens. */
const MOST = 1000

/** The further columns by their names in a file, as people read them. */
export async function furtherColumnNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (select case kind when 'grading' then 'grading_' else '' end || name as name from attribute_name) named
    order by name collate human, name limit ${MOST}`.execute(db)
  return rows.map(({ name }) => name)
}
