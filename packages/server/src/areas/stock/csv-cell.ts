import { type RawBuilder, sql } from 'kysely'

/** The first character of a CSV file. Without it, a spreadsheet on Windows reads UTF-8 in another encoding. */
export const BOM = '\uFEFF'

/** A cell of a file with commas, in quotation marks if it needs them. */
export const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The places in which a spreadsheet would run a formula, even after apostrophes: the start of a cell, and after each
 * character that a spreadsheet may take for the end of a cell (in most of Europe the semicolon). Quotation marks do not
 * help there: the second cell of `"x;""=1+1"""` is an empty quoted text, followed by the formula.
 */
const FORMULA = /^(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** The apostrophes that `guardCell` has added. */
const GUARDED = /^'(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])'(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** Texts that PostgreSQL must check with the slower pattern. Few texts match. */
const SUSPECT = /[=+\-@＝＋－＠]|^[' "\u00a0]*[\t\r\n]/

/**
 * A text for an export, with an apostrophe before anything that a spreadsheet would run as a formula. Do not use it for
 * numbers.
 */
export function guardCell(text: string): string {
  return text.replace(FORMULA, "'")
}

/** The text from which `guardCell` made a cell. */
export function unguardCell(cell: string): string {
  return cell.includes("'") ? cell.replace(GUARDED, '') : cell
}

/** SQL that does the same as `guardCell`: these patterns mean the same in PostgreSQL and JavaScript. */
export function formulaGuard(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const [suspect, formula] = [sql.lit(SUSPECT.source), sql.lit(FORMULA.source)]
  return sql`case when ${text} ~ ${suspect} then regexp_replace(${text}, ${formula}, '''', 'g') else ${text} end`
}
