import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** The most names of further columns. A shop has some dozens, and nobody would look through more. */
const MOST = 1000

/** The names of the further columns as files have them, in alphabetical order. */
export async function furtherColumnNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (select case kind when 'grading' then 'grading_' else '' end || name as name from attribute_name) named
    order by name collate human, name limit ${MOST}`.execute(db)
  return rows.map(({ name }) => name)
}
