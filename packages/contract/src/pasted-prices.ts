import { identifierOfLine } from './identifier-cell.ts'
import { type Hundredths, MAX_PRICE, parseCurrencyUnits } from './money.ts'
import { plainIdentifier } from './plain-text.ts'

/** A pasted line without a usable item or price, and the reason. `line` is counted from 1. */
export type WrongLine = { line: number; text: string; problem: string }
/**
 * A pasted price. If `code` is null, the price is for the next item in the order of the items; else for the item with
 * this code.
 */
export type PastedPrice = { line: number; text: string; code: string | null; price: Hundredths }

/** The number of characters of a line that a message quotes. */
const TOLD = 80
const told = (text: string) => plainIdentifier([...text].slice(0, TOLD).join(''))

const NO_CODE = 'It has no identifier, although other lines have one.'
const NO_PRICE = 'It does not end in a price such as 249.90.'
/** The most characters of a line that are read. No identifier with its price is longer. */
const LONGEST = 1000
const TOO_LONG = `It has more than ${LONGEST.toLocaleString('en')} characters: paste one item and its price on each line.`

/**
 * A pasted line after reading. `price` is null if the line has none; `problem` is set if there is a more precise
 * reason.
 */
export type PastedLine = Omit<PastedPrice, 'price'> & { price: Hundredths | null; problem?: string }

/**
 * Reads a line: a price alone, or columns as spreadsheets copy them: identifier, tab (or semicolon), price. If the line
 * has two words, a space between them is enough. Null for an empty line. A line with two readings is wrong and never
 * guessed: `12 500` may be one price, or the price of item #12.
 */
export function readPastedLine(given: string, line: number): PastedLine | null {
  const text = given.trim()
  if (text.length > LONGEST)
    return { line, text: told(text.slice(0, LONGEST).toWellFormed()), code: null, price: null, problem: TOO_LONG }
  return text === '' ? null : { line, text: told(text), ...parts(text) }
}

/** The prices in the lines, in the order of the lines, and the lines that are wrong. */
export function pastedPrices(lines: readonly PastedLine[]): { prices: PastedPrice[]; wrong: WrongLine[] } {
  const prices: PastedPrice[] = []
  const wrong: WrongLine[] = []
  for (const { line, text, code, price, problem = NO_PRICE } of lines) {
    if (price === null) wrong.push({ line, text, problem })
    else prices.push({ line, text, code, price })
  }
  if (prices.every(({ code }) => code === null)) return { prices, wrong }
  for (const { line, text, code } of prices) if (code === null) wrong.push({ line, text, problem: NO_CODE })
  return { prices: prices.filter(({ code }) => code !== null), wrong: wrong.sort((a, b) => a.line - b.line) }
}

/** A price with a space between its thousands. */
const GROUPED = /^€?\d{1,3}[ \u00a0]+\d{3}(?:[.,]\d{1,2})?[ \u00a0]*(?:EUR|€)?$/i

function parts(text: string): { code: string | null; price: Hundredths | null } {
  const cells = text.split(/[\t;]/).map((cell) => cell.trim())
  const cell = cells.at(-1)!
  if (cells.length > 2) return ofColumns(cells)
  if (cells.length === 2) return { code: cells[0] || null, price: amount(cell) }
  const alone = amount(text)
  if (alone !== null) return { code: null, price: alone }
  if (GROUPED.test(text)) return { code: null, price: null }
  const [, code, price] = /^(\S+)[ \u00a0]+(\S+(?:[ \u00a0]?(?:EUR|€))?)$/i.exec(text) ?? []
  return { code: code ?? null, price: price === undefined ? null : amount(price) }
}

/**
 * Reads a line of several columns: the last one is the price. The others give the identifier; if one of them is a
 * price, the line is ambiguous and nothing is read.
 */
function ofColumns(cells: readonly string[]): { code: string | null; price: Hundredths | null } {
  const others = cells.slice(0, -1)
  if (others.some((cell) => amount(cell) !== null)) return { code: null, price: null }
  return { code: identifierOfLine(others.join('\t')) || null, price: amount(cells.at(-1)!) }
}

/**
 * A price with or without its currency. The caller has trimmed the text: a pattern that also skips spaces could take
 * quadratic time.
 */
function amount(text: string): Hundredths | null {
  const plain = text.replace(/^(?:EUR|€)|(?:EUR|€)$/gi, '')
  const price = parseCurrencyUnits(plain)
  return price === null || price > MAX_PRICE ? null : price
}
