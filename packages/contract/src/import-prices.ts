import { plainName } from './plain-text.ts'
import { PURCHASE_CURRENCIES } from './purchase-currency.ts'

export type DecimalMark = ',' | '.'

/** Signs that are one currency's alone, and names that people write for its code. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  us$: 'USD',
  '£': 'GBP',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
}

/** The code of the currency that a sign or a code means; undefined if it means none, or several. */
export function currencyCalled(text: string): string | undefined {
  const plain = text.trim().toLowerCase()
  const code = Object.hasOwn(SIGNS, plain) ? SIGNS[plain]! : plain.toUpperCase()
  return Object.hasOwn(PURCHASE_CURRENCIES, code) ? code : undefined
}

/** Codes that are words as well. */
const WORDS: ReadonlySet<string> = new Set(['ALL', 'COP', 'MAD', 'TRY'])

const CURRENCY_WORDS = /[€$£]|\p{L}+/gu

/** The currency that a word in a column's name is; a code only in capitals. */
function currencyOfWord(word: string): string | undefined {
  const isCode = /^[A-Z]{3}$/.test(word) && !WORDS.has(word)
  const isSign = Object.hasOwn(SIGNS, word.toLowerCase()) && word.toLowerCase() !== 'ft'
  return isCode || isSign ? currencyCalled(word) : undefined
}

/** The one currency in the name of a column, such as `Price (£)` and `EK PLN`; undefined if it names none. */
export function currencyOfColumn(name: string): string | undefined {
  const words = name.length > 64 ? [] : (name.match(CURRENCY_WORDS) ?? [])
  const found = new Set(words.flatMap((word) => currencyOfWord(word) ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

/** `Price` of `Price (£)`. */
export const withoutCurrency = (name: string): string =>
  name.length > 64 ? name : name.replace(CURRENCY_WORDS, (word) => (currencyOfWord(word) ? ' ' : word))

/** A number as people write it, with the text before and after it. `249,-` is a whole one. */
const PRICE =
  /^(?<before>[^\d.,'’-][^\d.,'’-]{0,4}?)? ?(?<number>\d[\d.,'’ ]*?)(?:[.,][-–]+)? ?(?<after>[^\d.,'’-]{1,5}?)?$/u

function partsOf(cell: string): { number: string; currency: string | undefined } | undefined {
  if (cell.length > 40) return undefined
  const { before, number, after } = PRICE.exec(plainName(cell))?.groups ?? {}
  if (number === undefined || (before && after)) return undefined
  const sign = before ?? after
  const currency = sign === undefined ? undefined : currencyCalled(sign)
  return sign !== undefined && currency === undefined ? undefined : { number, currency }
}

/** The currency that a price's cell names, as `€249.90` and `249,90 zł` do. */
export const currencyOfPrice = (cell: string): string | undefined => partsOf(cell)?.currency

/** `mark` separates whole units from hundredths here; null if nothing tells. */
type Reading = { whole: string; fraction: string; mark: DecimalMark | null }

/** Blanks and apostrophes only ever separate thousands. */
function withoutBlanks(number: string): string {
  return number.replace(/^[1-9]\d{0,2}(?:([ '’])\d{3})(?:\1\d{3})*(?!\d)/, (thousands) => thousands.replace(/\D/g, ''))
}

/** The number, if it can be read in one way only. More than two decimals are zeros, as databases write them. */
function readOneWay(number: string): Reading | undefined {
  const text = withoutBlanks(number)
  const plain = /^(\d+)(?:([.,])(\d\d?|\d\d00+))?$/.exec(text)
  if (plain) return { whole: plain[1]!, fraction: plain[3]?.slice(0, 2) ?? '', mark: markOf(plain[2]) }
  const grouped = /^([1-9]\d{0,2}(?:([.,])\d{3})(?:\2\d{3})*)(?:(?!\2)([.,])(\d\d?))?$/.exec(text)
  const [, thousands, separator, , fraction] = grouped ?? []
  if (!thousands || (fraction === undefined && isAmbiguous(text))) return undefined
  return { whole: thousands.replace(/\D/g, ''), fraction: fraction ?? '', mark: separator === ',' ? '.' : ',' }
}

const markOf = (text: string | undefined): DecimalMark | null => (text === ',' || text === '.' ? text : null)

/** `1.234` is one and a bit, or more than a thousand. */
const isAmbiguous = (text: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/** The mark of a price with three places after it, as `1.250` has: a person may have written thousands, or hundredths. */
export function ambiguousMark(cell: string): DecimalMark | null {
  const number = partsOf(cell)?.number ?? ''
  return isAmbiguous(number) ? markOf(number.at(-4)) : null
}

/** The mark between whole units and hundredths in these cells; null if no cell tells, `mixed` if they differ. */
export function decimalOf(cells: Iterable<string>): DecimalMark | 'mixed' | null {
  let found: DecimalMark | null = null
  for (const cell of cells) {
    const { number } = partsOf(cell) ?? {}
    const mark = number === undefined ? null : (readOneWay(number)?.mark ?? null)
    if (mark !== null && found !== null && mark !== found) return 'mixed'
    found ??= mark
  }
  return found
}

/**
 * The price in a cell, as `1249.90`. `decimal` decides a price that can be read in two ways; if it is null, the
 * answer is undefined. It is undefined too if `isTaken` takes none of the price's currencies.
 */
export function priceOf(
  cell: string,
  decimal: DecimalMark | null,
  isTaken: (currency: string) => boolean = () => true,
): string | undefined {
  const { number, currency } = partsOf(cell) ?? {}
  if (number === undefined || (currency !== undefined && !isTaken(currency))) return undefined
  const { whole, fraction } = readOneWay(number) ?? readBy(decimal, number) ?? {}
  return whole === undefined ? undefined : `${whole}${fraction ? `.${fraction}` : ''}`
}

function readBy(decimal: DecimalMark | null, text: string): Reading | undefined {
  if (decimal === null || !isAmbiguous(text)) return undefined
  const [first, last] = text.split(/[.,]/) as [string, string]
  if (!text.includes(decimal)) return { whole: first + last, fraction: '', mark: decimal }
  return last.endsWith('0') ? { whole: first, fraction: last.slice(0, 2), mark: decimal } : undefined
}
