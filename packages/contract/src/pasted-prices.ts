import { identifierOfLine } from './identifier-cell.ts'
import { type Hundredths, MAX_PRICE, parseCurrencyUnits } from './money.ts'
import { plainIdentifier } from './plain-text.ts'

/** A pasted line that means no item, or no price; the first line is 1. */
export type WrongLine = { line: number; text: string; problem: string }
/** The meaning of a line: a price, for the item that bears a code, or for the next item if it has none. */
export type PastedPrice = { line: number; text: string; code: string | null; price: Hundredths }

/** A message quotes so many characters of a line. */
const TOLD = 80
const told = (text: string) => plainIdentifier([...text].slice(0, TOLD).join(''))

const NO_CODE = 'It has no identifier, as other lines have.'
const NO_PRICE = 'It ends in no price such as 249.90.'
/** No identifier with its price is longer; the rest of the line is ignored. */
const LONGEST = 1000
const TOO_LONG = `It has more than ${LONGEST.toLocaleString('en')} characters: paste one item and its price on each line.`

/** A line as it was read; `price` null if it has none, `problem` if that has another reason. */
export type PastedLine = Omit<PastedPrice, 'price'> & { price: Hundredths | null; problem?: string }

/**
 * Reads a line of a column of prices, or of columns as spreadsheets copy them: identifier, tab (or semicolon),
 * price. One space does if there are two words. Null of an empty line. Nothing is guessed: a line that could be
 * read in two ways is wrong, as `12 500`, which may be a price or the price of #12.
 */
export function readPastedLine(given: string, line: number): PastedLine | null {
  const text = given.trim()
  if (text.length > LONGEST)
    return { line, text: told(text.slice(0, LONGEST).toWellFormed()), code: null, price: null, problem: TOO_LONG }
  return text === '' ? null : { line, text: told(text), ...parts(text) }
}

/** The meanings of lines, in their order, and the wrong ones. */
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

/** A price whose thousands are set off by a space. */
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

/** If there are several columns, the last is the price. The others are no prices, and give the identifier. */
function ofColumns(cells: readonly string[]): { code: string | null; price: Hundredths | null } {
  const others = cells.slice(0, -1)
  if (others.some((cell) => amount(cell) !== null)) return { code: null, price: null }
  return { code: identifierOfLine(others.join('\t')) || null, price: amount(cells.at(-1)!) }
}

/** A price, with or without its currency. Spaces are trimmed by its reader: a search here would take their square. */
function amount(text: string): Hundredths | null {
  const plain = text.replace(/^(?:EUR|€)|(?:EUR|€)$/gi, '')
  const price = parseCurrencyUnits(plain)
  return price === null || price > MAX_PRICE ? null : price
}
