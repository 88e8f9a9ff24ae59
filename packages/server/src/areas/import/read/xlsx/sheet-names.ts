import { single } from '../../../../lists.ts'

// Names of a workbook's sheets, in sentences.

const MAX_NAMED_SHEETS = 5
/** How many characters a sheet's name may have in a spreadsheet, and more. */
const MAX_SHEET_NAME = 100

/** ` The sheet 'A' is hidden.` Empty if none is. */
export function hiddenSheets(names: readonly string[]): string {
  if (names.length === 0) return ''
  return ` The ${names.length === 1 ? 'sheet' : 'sheets'} ${namedSheets(names)} ${names.length === 1 ? 'is' : 'are'} hidden.`
}

/** `'A', 'B' and 3 more` */
export function namedSheets(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMED_SHEETS).map((name) => `'${name.slice(0, MAX_SHEET_NAME).toWellFormed()}'`)
  const more = names.length - MAX_NAMED_SHEETS
  if (more > 0) return `${quoted.join(', ')} and ${more} more`
  return quoted.length === 1 ? single(quoted) : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
