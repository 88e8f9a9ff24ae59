import { type RawBuilder, sql } from 'kysely'

/** Stands first in a CSV file: without it a spreadsheet on Windows takes UTF-8 for its own encoding. */
export const BOM = '\uFEFF'

/** Text that a spreadsheet would run as a formula, however many apostrophes stand before it already. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
/** The same for PostgreSQL. */
const formula = sql.lit("^'*[=+@\\t\\r\\n＝＋－＠-]")

/** A text cell as it is exported: with one apostrophe in front where a spreadsheet would run it. Never for numbers. */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** The text that `guardCell` was given. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** `guardCell` for an SQL expression of text. */
export function formulaGuard(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${text} ~ ${formula} then '''' || ${text} else ${text} end`
}
