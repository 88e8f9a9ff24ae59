import { type RawBuilder, sql } from 'kysely'

/** The first character of a CSV file. Without it a spreadsheet on Windows reads UTF-8 in its own encoding. */
export const BOM = '\uFEFF'

/** A cell between commas, in quotation marks if it needs them. */
export const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The places in which a spreadsheet would run a formula, even after apostrophes that are there already. They are at the
 * start of a cell, and after each character that a spreadsheet may take for the end of a cell; in most of Europe that
 * is the semicolon. Quotation marks do not help there: the second cell of `"x;""=1+1"""` is an empty quoted text,
 * followed by the formula.
 */
const FORMULA = /^(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** The apostrophes that `guardCell` puts there. */
const GUARDED = /^'(?=[' "\u00a0]*[=+\-@\t\r\n＝＋－＠])|(?<=[,;|\t\r\n])'(?=[' "\u00a0]*[=+\-@＝＋－＠])/g
/** Texts that PostgreSQL has to look at more closely; few are such. */
const SUSPECT = /[=+\-@＝＋－＠]|^[' "\u00a0]*[\t\r\n]/

/** A text as an export has it, with an apostrophe before anything that a spreadsheet would run. Not for numbers. */
export function guardCell(text: string): string {
  return text.replace(FORMULA, "'")
}

/** The text from which `guardCell` made this cell. */
export function unguardCell(cell: string): string {
  return cell.includes("'") ? cell.replace(GUARDED, '') : cell
}

/** `guardCell` for an SQL expression of text: PostgreSQL reads these patterns as we do. */
export function formulaGuard(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const [suspect, formula] = [sql.lit(SUSPECT.source), sql.lit(FORMULA.source)]
  return sql`case when ${text} ~ ${suspect} then regexp_replace(${text}, ${formula}, '''', 'g') else ${text} end`
}
