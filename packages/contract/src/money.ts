/**
 * An amount of money: a whole number of hundredths of a currency unit. Only screens and CSV files have units with
 * decimals.
 */
export type Hundredths = number

/** The highest price of one item: 1,000,000.00, in hundredths. */
export const MAX_PRICE = 100_000_000
export const CURRENCY = 'EUR'

/**
 * An amount as people read it: `123456` is `1,234.56`. A negative amount gets a minus sign. The computation uses no
 * floating point.
 */
export function formatMoney(amount: Hundredths): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}

/** An amount as CSV files and price fields have it: `123456` is `1234.56`. */
export function toCurrencyUnits(amount: Hundredths): string {
  return formatMoney(amount).replaceAll(',', '')
}

/**
 * Reads a price in currency units, with a point or a comma: `249.90`, `249,90` or `249`. Null for any other text, such
 * as one with more than two decimals, a separator of thousands, a sign or an exponent.
 */
export function parseCurrencyUnits(text: string): Hundredths | null {
  const match = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
}

/** Gross profit in percent of the purchase price, with two decimals; '-' if the purchase price is 0. */
export const grossProfitPercent = (profit: Hundredths, purchase: Hundredths) => percentOf(profit, purchase)

/** Margin: profit in percent of net sales, with two decimals; '-' if the net sales are 0. */
export const marginPercent = (profit: Hundredths, netSales: Hundredths) => percentOf(profit, netSales)

function percentOf(profit: Hundredths, whole: Hundredths): string {
  if (whole === 0) return '-'
  const scaled = BigInt(Math.abs(profit)) * 10_000n
  const rounded = (scaled * 2n + BigInt(whole)) / (BigInt(whole) * 2n)
  return `${profit < 0 && rounded > 0n ? '-' : ''}${toCurrencyUnits(Number(rounded))}%`
}
