import { plainName } from './plain-text.ts'
import { PURCHASE_CURRENCIES } from './purchase-currency.ts'

export type DecimalMark = ',' | '.'

/** Signs that only one currency has, and names that people write in place of its code. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  us$: 'USD',
  ca$: 'CAD',
  au$: 'AUD',
  a$: 'AUD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  '£': 'GBP',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
}

/** The code of the currency that a sign or a code means; undefined if the text means none, or could mean several. */
export function currencyCalled(text: string): string | undefined {
  const plain = text.trim().toLowerCase()
  const code = Object.hasOwn(SIGNS, plain) ? SIGNS[plain]! : plain.toUpperCase()
  return Object.hasOwn(PURCHASE_CURRENCIES, code) ? code : undefined
}

/** Codes of currencies that are words as well. */
const WORDS: ReadonlySet<string> = new Set(['ALL', 'COP', 'MAD', 'TRY'])

const CURRENCY_WORDS = /(?:us|ca|au|a|nz|hk|s)?\$|[€£]|\p{L}+/giu

/** The sign of all dollars. In a price it counts as the first of `DOLLARS`, unless a person chooses another. */
const DOLLAR_SIGN = '$'

/** The currency that a word in a column's name means. A code counts only in capitals. */
function currencyOfWord(word: string): string | undefined {
  const isCode = /^[A-Z]{3}$/.test(word) && !WORDS.has(word)
  const isSign = Object.hasOwn(SIGNS, word.toLowerCase()) && word.toLowerCase() !== 'ft' && word !== DOLLAR_SIGN
  return isCode || isSign ? currencyCalled(word) : undefined
}

const wordsOf = (name: string): readonly string[] => (name.length > 64 ? [] : (name.match(CURRENCY_WORDS) ?? []))

/**
 * The currency in the name of a column, such as `Price (£)` or `EK PLN`; undefined if the name has none, or several.
 * The sign `$` alone means several.
 */
export function currencyOfColumn(name: string): string | undefined {
  const words = wordsOf(name)
  const found = new Set(words.flatMap((word) => currencyOfWord(word) ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

/** Whether the name of a column has the sign `$` alone, as in `Price ($)`. */
export const saysDollars = (name: string): boolean =>
  wordsOf(name).includes(DOLLAR_SIGN) && currencyOfColumn(name) === undefined

/** The name of a column without its currency: `Price` for `Price (£)`. */
export const withoutCurrency = (name: string): string =>
  name.length > 64
    ? name
    : name.replace(CURRENCY_WORDS, (word) => (word === DOLLAR_SIGN || currencyOfWord(word) ? ' ' : word))

/** A number as people write it, with the text before and after it. `249,-` is a whole number. */
const PRICE =
  /^(?<before>[^\d.,'’-][^\d.,'’-]{0,4}?)? ?(?<number>\d[\d.,'’ ]*?)(?:[.,][-–]+)? ?(?<after>[^\d.,'’-]{1,5}?)?$/u

function partsOf(cell: string): { number: string; sign: string | undefined; currency: string | undefined } | undefined {
  if (cell.length > 40) return undefined
  const { before, number, after } = PRICE.exec(plainName(cell))?.groups ?? {}
  if (number === undefined || (before && after)) return undefined
  const sign = before ?? after
  const currency = sign === undefined ? undefined : currencyCalled(sign)
  return sign !== undefined && currency === undefined ? undefined : { number, sign, currency }
}

/** The currencies whose sign is `$`. Alone, it counts as the first one, unless the file or a person says another. */
export const DOLLARS = ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD'] as const
export type Dollar = (typeof DOLLARS)[number]
/** The dollar with this code; undefined for any other currency. */
export const dollarCalled = (code: string | undefined): Dollar | undefined => DOLLARS.find((one) => one === code)

/** Whether a price's cell has the sign `$` alone, as in `$412.00`. */
export const saysDollar = (cell: string): boolean => partsOf(cell)?.sign === DOLLAR_SIGN

/** The currency that a price's cell names, as in `€249.90` and `249,90 zł`. */
export const currencyOfPrice = (cell: string): string | undefined => partsOf(cell)?.currency

/** A number in its parts. `mark` is the sign that separates hundredths here; null if the number does not show it. */
type Reading = { whole: string; fraction: string; mark: DecimalMark | null }

/** The number without blanks and apostrophes, which only ever separate thousands. */
function withoutBlanks(number: string): string {
  return number.replace(/^[1-9]\d{0,2}(?:([ '’])\d{3})(?:\1\d{3})*(?!\d)/, (thousands) => thousands.replace(/\D/g, ''))
}

/** The number, if it can be read in one way only. Further decimals must be zeros, as in `249.9000` from databases. */
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

/** Whether a number such as `1.234` may be 1 and 234 thousandths, or 1,234. */
const isAmbiguous = (text: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/**
 * The mark in a price with three digits after it, such as `1.250`; null for any other price. The mark may separate
 * thousands or decimals.
 */
export function ambiguousMark(cell: string): DecimalMark | null {
  const number = partsOf(cell)?.number ?? ''
  return isAmbiguous(number) ? markOf(number.at(-4)) : null
}

/** The mark before the hundredths in these cells; null if no cell shows it, `mixed` if the cells differ. */
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
 * The price in a cell, as `1249.90`. `decimal` decides how to read a price that has two readings; if it is null, the
 * answer for such a price is undefined. The answer is undefined too if `isTaken` refuses the currency in the cell.
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

/**
 * The prices of each of `many` phones if a cell has the price of all of them, as the cell would have them: `£33.34`,
 * `£33.33` and `£33.33` for `£100`. Their sum is the whole price. Undefined if the cell has no readable price.
 */
export function dividedPrice(cell: string, decimal: DecimalMark | null, many: number): string[] | undefined {
  const number = partsOf(cell)?.number
  const whole = priceOf(cell, decimal)
  if (number === undefined || whole === undefined) return undefined
  const [units = '', cents = ''] = whole.split('.')
  const hundredths = Number(units) * 100 + Number(cents.padEnd(2, '0'))
  const [each, rest] = [Math.floor(hundredths / many), hundredths % many]
  return Array.from({ length: many }, (_, n) => {
    const own = each + (n < rest ? 1 : 0)
    const text = `${Math.floor(own / 100)}${decimal ?? '.'}${String(own % 100).padStart(2, '0')}`
    return plainName(cell).replace(number, () => text)
  })
}

function readBy(decimal: DecimalMark | null, text: string): Reading | undefined {
  if (decimal === null || !isAmbiguous(text)) return undefined
  const [first, last] = text.split(/[.,]/) as [string, string]
  if (!text.includes(decimal)) return { whole: first + last, fraction: '', mark: decimal }
  return last.endsWith('0') ? { whole: first, fraction: last.slice(0, 2), mark: decimal } : undefined
}
