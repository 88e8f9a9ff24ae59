import { formatMoney, type Hundredths, MAX_PRICE } from './money.ts'
import { someOf } from './some-of.ts'

/** The rule for a text that is not a price. It has no full stop, because more may follow. */
const NO_PRICE = 'Must be a price such as 249.90'

/** The message about a text that is not a price from 0 to `max`. */
export function whyNoPrice(text: string, max: Hundredths = MAX_PRICE): string {
  if (/^\s*[-−]/.test(text)) return 'Must not be negative.'
  return `${NO_PRICE}, at most ${formatMoney(max)}.`
}

/** The message about items of a sale whose price is missing or cannot be read. */
export function unpricedItems(items: readonly { id: number }[]): string {
  const numbers = items.map(({ id }) => `#${id}`)
  return `${NO_PRICE}: ${items.length === 1 ? 'item' : 'items'} ${someOf(numbers)}.`
}
