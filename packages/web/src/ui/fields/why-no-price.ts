import { formatMoney, type Hundredths, MAX_PRICE } from '@backstock/contract/money.ts'

/** The message about a text that is not a price from 0 to `max`. */
export function whyNoPrice(text: string, max: Hundredths = MAX_PRICE): string {
  if (/^\s*[-−]/.test(text)) return 'Must not be negative.'
  return `Must be a price such as 249.90, at most ${formatMoney(max)}.`
}
