import { dateOf, monthFirstDate } from './import-dates.ts'
import { currencyOfColumn } from './import-prices.ts'
import { CURRENCY } from './money.ts'

const DATES = /(?<![\d./-])\d{1,4}([./-])\d{1,2}\1\d{2,4}(?![\d./-])/g
/** The most characters of a title that are read. */
const LONGEST = 200

/** The only value of a list; undefined if it has none, or several. */
function only(values: readonly string[]): string | undefined {
  const different = new Set(values)
  return different.size === 1 ? values[0] : undefined
}

/**
 * The purchase currency and the purchase date that the title lines above a file's header name, such as `Date:
 * 24.11.2026` or `All prices in GBP`. Several different ones tell nothing.
 */
export function saidInTitles(
  titles: readonly string[],
  isMonthFirst: boolean,
): { purchase_currency?: string; purchase_date?: string } {
  const texts = titles.map((title) => title.slice(0, LONGEST))
  const currency = only(texts.flatMap((text) => text.split(/[\s:;,]+/).flatMap((word) => currencyOfColumn(word) ?? [])))
  const date = only(
    texts.flatMap((text) =>
      [...text.matchAll(DATES)].flatMap(
        ([day]) => (isMonthFirst ? monthFirstDate(day) : undefined) ?? dateOf(day) ?? [],
      ),
    ),
  )
  return {
    ...(currency !== undefined && currency !== CURRENCY && { purchase_currency: currency }),
    ...(date !== undefined && { purchase_date: date }),
  }
}
