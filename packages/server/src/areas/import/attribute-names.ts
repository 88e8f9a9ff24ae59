import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Tx } from '../../db/connect.ts'
import type { RowInput } from './row.ts'

/** How many columns beyond the known ones a shop may have: an export has them all, and PostgreSQL makes 1,664 at most. */
export const MAX_NAMES = 1000
const NO_ROOM = `There are ${MAX_NAMES.toLocaleString('en')} further columns already, and this is a new one.`

const keysOf = (row: RowInput) => [
  ...Object.keys(row.grading).map((name) => `grading_${name}`),
  ...Object.keys(row.attributes),
]

/**
 * What is wrong with each row's further columns: the shop has no room for the new ones among them. The caller holds
 * `lockImports`, so that nobody else brings new ones meanwhile.
 */
export async function columnErrors(tx: Tx, rows: readonly RowInput[]): Promise<(row: RowInput) => FieldErrors> {
  const wanted = new Set(rows.flatMap(keysOf))
  if (wanted.size === 0) return () => ({})
  const names = await tx.selectFrom('attribute_name').select(['kind', 'name']).execute()
  const known = new Set(names.map(({ kind, name }) => (kind === 'grading' ? `grading_${name}` : name)))
  const fresh = [...wanted].filter((key) => !known.has(key))
  const refused = new Set(fresh.slice(Math.max(0, MAX_NAMES - names.length)))
  if (refused.size === 0) return () => ({})
  return (row) =>
    Object.fromEntries(
      keysOf(row)
        .filter((key) => refused.has(key))
        .map((key) => [key, NO_ROOM]),
    )
}
