import { type RawBuilder, sql } from 'kysely'

/** Stands first in a CSV file: without it a spreadsheet on Windows takes UTF-8 for its own encoding. */
export const BOM = '\uFEFF'

/** A cell between commas, in quotation marks where it needs them. */
export const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Where a spreadsheet would run a formula, however many apostrophes stand before it already: at the start of a cell, and
 * after whatever it may take for the end of one, as most of Europe does the semicolon. Then quotation marks are no help:
 * of `"x;""=1+1"""` the second cell begins with an empty text in quotation marks, and goes on with the formula.
 */
const FORMULA = /^(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** The apostrophes that `guardCell` puts there. */
const GUARDED = /^'(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])'(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** What PostgreSQL has to look at more closely; few texts have any of it. */
const SUSPECT = /[=+\-@＝＋－＠]|^[' "\u00a0]*[\t\r\n]/

/** A text cell as it is exported: with an apostrophe wherever a spreadsheet would run what follows. Never for numbers. */
export function guardCell(text: string): string {
  return text.replace(FORMULA, "'")
}

/** The text that `guardCell` was given. */
export function unguardCell(cell: string): string {
  return cell.includes("'") ? cell.replace(GUARDED, '') : cell
}

/** `guardCell` for an SQL expression of text: PostgreSQL reads these patterns as we do. */
export function formulaGuard(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const [suspect, formula] = [sql.lit(SUSPECT.source), sql.lit(FORMULA.source)]
  return sql`case when ${text} ~ ${suspect} then regexp_replace(${text}, ${formula}, '''', 'g') else ${text} end`
}
