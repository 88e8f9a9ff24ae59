import { single } from '../../../../lists.ts'

// The most sheets that a sentence names.

const MAX_NAMED_SHEETS = 5
/** The most characters of a sheet's name in a sentence. Spreadsheets allow fewer. */
const MAX_SHEET_NAME = 100

/** A sentence about hidden sheets, such as ` The sheet 'A' is hidden.`; empty if there are none. */
export function hiddenSheets(names: readonly string[]): string {
  if (names.length === 0) return ''
  return ` The ${names.length === 1 ? 'sheet' : 'sheets'} ${namedSheets(names)} ${names.length === 1 ? 'is' : 'are'} hidden.`
}

/** The names of sheets in a sentence: `'A', 'B' and 3 more`. */
export function namedSheets(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMED_SHEETS).map((name) => `'${name.slice(0, MAX_SHEET_NAME).toWellFormed()}'`)
  const more = names.length - MAX_NAMED_SHEETS
  if (more > 0) return `${quoted.join(', ')} and ${more} more`
  return quoted.length === 1 ? single(quoted) : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
