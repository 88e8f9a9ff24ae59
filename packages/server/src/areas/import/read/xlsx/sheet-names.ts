import { someAnd } from '@backstock/contract/some-of.ts'

/** The most sheets that a sentence names. */
const MAX_NAMED_SHEETS = 5
/** The most characters of a sheet's name in a sentence. Spreadsheets allow fewer. */
const MAX_SHEET_NAME = 100

/** A sentence about hidden sheets, such as ` The sheet 'A' is hidden.`; empty if there are none. */
export function hiddenSheets(names: readonly string[]): string {
  if (names.length === 0) return ''
  return ` The ${names.length === 1 ? 'sheet' : 'sheets'} ${namedSheets(names)} ${names.length === 1 ? 'is' : 'are'} hidden.`
}

/** The names of sheets in a sentence: `'A', 'B' and 3 more`. */
export const namedSheets = (names: readonly string[]): string =>
  someAnd(
    names.map((name) => `'${name.slice(0, MAX_SHEET_NAME).toWellFormed()}'`),
    MAX_NAMED_SHEETS,
  )
