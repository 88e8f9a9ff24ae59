import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Tx } from '../../db/connect.ts'
import type { RowInput } from './row.ts'

/** How many columns beyond the known ones a shop may have: an export has them all, and PostgreSQL makes 1,664 at most. */
export const MAX_NAMES = 1000
/** How many of those one partner may bring. */
const MAX_OF_PARTNER = 200
const NO_ROOM = `There are ${MAX_NAMES.toLocaleString('en')} further columns already, and this is a new one.`
const NO_SHARE = `You have brought ${MAX_OF_PARTNER} further columns already, and this is a new one.`
const NO_NAME = "A column cannot be called '__proto__'."

const keysOf = (row: RowInput) => [
  ...Object.keys(row.grading).map((name) => `grading_${name}`),
  ...Object.keys(row.attributes),
]

/**
 * What is wrong with each row's further columns: the shop has no room for the new ones among them, or the partner who pushes
 * has brought its share. The caller holds `lockImports`, so that nobody else brings new ones meanwhile.
 */
export async function columnErrors(
  tx: Tx,
  rows: readonly RowInput[],
  partnerId: number | null,
): Promise<(row: RowInput) => FieldErrors> {
  const wanted = new Set(rows.flatMap(keysOf))
  if (wanted.size === 0) return () => ({})
  const names = await tx.selectFrom('attribute_name').select(['kind', 'name', 'partner_id']).execute()
  const known = new Set(names.map(({ kind, name }) => (kind === 'grading' ? `grading_${name}` : name)))
  const fresh = [...wanted].filter((key) => !known.has(key) && !isProto(key))
  const room = Math.max(0, MAX_NAMES - names.length)
  const own = partnerId === null ? 0 : names.filter((name) => name.partner_id === partnerId).length
  const share = partnerId === null ? room : Math.max(0, MAX_OF_PARTNER - own)
  const refused = new Map(fresh.slice(Math.min(room, share)).map((key) => [key, share < room ? NO_SHARE : NO_ROOM]))
  return (row) =>
    Object.fromEntries(
      keysOf(row).flatMap((key) => {
        // Under that name no message would ever be shown.
        if (isProto(key)) return [['csv', NO_NAME]]
        const message = refused.get(key)
        return message ? [[key, message]] : []
      }),
    )
}

/** What JavaScript keeps in every record, so that no reader of items would see a column of that name. */
const isProto = (key: string) => key === '__proto__' || key === 'grading___proto__'
