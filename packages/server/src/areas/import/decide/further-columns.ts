import type { FieldErrors } from '@backstock/contract/answer.ts'
import { MAX_FURTHER_COLUMNS, type ParsedRow } from '../read/parse-row.ts'

/** The most further columns that one partner may bring. */
const MAX_OF_PARTNER = 200
const NO_ROOM = `There are ${MAX_FURTHER_COLUMNS.toLocaleString('en')} further columns already, and this would be one more.`
const NO_SHARE = `You have added ${MAX_OF_PARTNER} further columns already, and this would be one more.`
const NO_NAME = "A column cannot be called '__proto__'."

/** A further column that the shop has. `partner_id` is the partner that brought it. */
export type FurtherColumn = { kind: 'grading' | 'attribute'; name: string; partner_id: number | null }

const columnsOf = (row: ParsedRow) => [
  ...Object.keys(row.grading).map((name) => `grading_${name}`),
  ...Object.keys(row.attributes),
]

export const hasFurtherColumns = (row: ParsedRow) => columnsOf(row).length > 0

/**
 * For each row, the errors under its new further columns. A new column is an error if the shop has no room for it, or
 * if the partner that pushes has brought as many columns as a partner may bring.
 */
export function furtherColumnErrors(
  rows: readonly ParsedRow[],
  known: readonly FurtherColumn[],
  partnerId: number | null,
): (row: ParsedRow) => FieldErrors {
  const names = new Set(known.map(({ kind, name }) => (kind === 'grading' ? `grading_${name}` : name)))
  const fresh = [...new Set(rows.flatMap(columnsOf))].filter((name) => !names.has(name) && !isProto(name))
  const room = Math.max(0, MAX_FURTHER_COLUMNS - known.length)
  const own = partnerId === null ? 0 : known.filter((column) => column.partner_id === partnerId).length
  const share = partnerId === null ? room : Math.max(0, MAX_OF_PARTNER - own)
  const refused = new Map(fresh.slice(Math.min(room, share)).map((name) => [name, share < room ? NO_SHARE : NO_ROOM]))
  return (row) =>
    Object.fromEntries(
      columnsOf(row).flatMap((name) => {
        // An object cannot hold a message under this name, so the message stands under `csv`.
        if (isProto(name)) return [['csv', NO_NAME]]
        const message = refused.get(name)
        return message ? [[name, message]] : []
      }),
    )
}

/**
 * Whether a name means an object's prototype in JavaScript. A column with this name would be invisible to all code that
 * reads items.
 */
const isProto = (name: string) => name === '__proto__' || name === 'grading___proto__'
