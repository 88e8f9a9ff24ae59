import { bothDays, dateOf, monthFirstDate } from './import-dates.ts'
import { currencyOfColumn, saysDollars } from './import-prices.ts'
import { CURRENCY } from './money.ts'

const DATES = /(?<![\d./-])\d{1,4}([./-])\d{1,2}\1\d{2,4}(?![\d./-])/g
/** The most characters of a title that are read. */
const LONGEST = 200

/** Stands for a currency or a day that a title names in a way that may mean several. */
const UNKNOWN = ''

/** The only value of a list; undefined if it has none, or several. */
function only(values: readonly string[]): string | undefined {
  const different = new Set(values)
  return different.size === 1 ? values[0] : undefined
}

/**
 * The purchase currency and the purchase date that the title lines above a file's header name, such as `Date:
 * 24.11.2026` or `All prices in GBP`. Several different ones tell nothing, nor does a date that may mean two days while
 * `order`, the part that comes first in the file's dates, is unknown, nor the sign `$` while nobody has said its
 * `dollar`.
 */
export function saidInTitles(
  titles: readonly string[],
  order: 'day' | 'month' | null,
  dollar?: string,
): { purchase_currency?: string; purchase_date?: string } {
  const texts = titles.map((title) => title.slice(0, LONGEST))
  const meant = (word: string) => currencyOfColumn(word) ?? (saysDollars(word) ? (dollar ?? UNKNOWN) : [])
  const currency = only(texts.flatMap((text) => text.split(/[\s:;,]+/).flatMap(meant)))
  const date = only(
    texts.flatMap((text) =>
      [...text.matchAll(DATES)].flatMap(([day]) =>
        order === null && bothDays(day)
          ? UNKNOWN
          : ((order === 'month' ? monthFirstDate(day) : undefined) ?? dateOf(day) ?? []),
      ),
    ),
  )
  return {
    ...(currency && currency !== CURRENCY && { purchase_currency: currency }),
    ...(date && { purchase_date: date }),
  }
}
