import { plainIdentifier } from './plain-text.ts'

/** What suppliers write where a phone has no such identifier. Runs of dashes and of zeros mean the same. */
const PLACEHOLDERS = new Set(['n/a', 'n.a.', 'na', '#n/a', 'none', 'null', 'unknown', 'x'])
const isPlaceholder = (text: string) =>
  /^(?:0+|[-‐-―]+)$/.test(text) || (text.length < 20 && PLACEHOLDERS.has(text.toLowerCase().replace(/\s/g, '')))

/** Quotation marks that spreadsheets put before or after a number to keep it text (`'359…`). */
const MARKS = new Set("'’‘`´")

/** Longer than any identifier with its wrappings: such a cell is refused as it is. */
const TOO_LONG = 1000

/** Without what spreadsheets put around a number (`'359…`, `="359…"`) or add to it (`359….0`). */
function unwrapped(text: string): string {
  const quoted = /^=\s*"(.*)"$/s.exec(text)?.[1] ?? text
  let [from, to] = [0, quoted.length]
  while (from < to && MARKS.has(quoted.charAt(from))) from++
  while (to > from && MARKS.has(quoted.charAt(to - 1))) to--
  return quoted.slice(from, to).replace(/^(\d+)\.0$/, '$1')
}

/** Nearly all identifiers are nothing but this. */
const BARE = /^[A-Z0-9]+$/i

/** The identifier that a cell of a file means; empty where it stands for none. */
export function identifierOfCell(cell: string): string {
  if (BARE.test(cell)) return isPlaceholder(cell) ? '' : cell
  let text = plainIdentifier(cell)
  if (text.length > TOO_LONG) return text
  for (let before = ''; before !== text; ) {
    before = text
    text = plainIdentifier(unwrapped(text))
  }
  return isPlaceholder(text) ? '' : text
}

/** Whether a spreadsheet has rounded it (`1.23457E+11`): many phones would have the same number. */
export const isShortened = (identifier: string) => /^\d+([.,]\d+)?e\+\d+$/i.test(identifier)

/** What to say of a shortened one, with the value that was read. */
export const shortenedMessage = (called: string, identifier: string) =>
  `A spreadsheet has shortened this ${called} to ${identifier}: format the column as text and export it again.`

/**
 * Chooses between two forms of one phone's IMEI: the one with its check digit, else the longer one, else the newer one.
 */
export function fullerImei(now: string, given: string): string {
  const rank = (imei: string) => (imei.length === 15 ? 17 : imei.length)
  return rank(now) > rank(given) ? now : given
}
