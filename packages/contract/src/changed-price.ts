import { formatMoney, type Hundredths, MAX_PRICE } from './money.ts'

/** The ending of a changed price, such as 249.99 or 249.00. `5.00` means a multiple of 5.00. */
export const ROUNDINGS = ['none', '.99', '.00', '5.00'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/** The prices that a percentage can be of. The purchase price counts as the item's cost in EUR. */
export const PRICE_BASES = ['sales_price', 'purchase_price'] as const
export type PriceBase = (typeof PRICE_BASES)[number]

export const MIN_PERCENT = -100
export const MAX_PERCENT = 1000

/**
 * The change of a price: `set` replaces it, `add` adds an amount in hundredths, `percent` adds that many percent to the
 * price `of` (with two decimals at most).
 */
export type PriceChange = ({ set: Hundredths | null } | { add: Hundredths } | { percent: number; of: PriceBase }) & {
  round?: Rounding | undefined
}

/** A changed price in hundredths (null means no price), or the reason why the change is not possible. */
export type ChangedPrice = { price: Hundredths | null } | { problem: string }

export const BELOW_ZERO = 'The price would be below 0.'
export const TOO_HIGH = `The price would be above ${formatMoney(MAX_PRICE)}.`
export const NO_COST = 'It has no cost.'
export const UNPRICED = { sales_price: 'It has no sales price.', purchase_price: 'It has no purchase price.' } as const

type Step = { every: bigint; short: bigint }
/**
 * The prices that a rounding allows: the multiples of `every`, each less `short`. A price of 0 is not allowed unless
 * `short` is 0.
 */
const STEPS: Record<Exclude<Rounding, 'none'>, Step> = {
  '.99': { every: 100n, short: 1n },
  '.00': { every: 100n, short: 0n },
  '5.00': { every: 500n, short: 0n },
}

/** The whole number nearest to the fraction `part` / `whole`, halves up. Neither may be negative. */
const nearest = (part: bigint, whole: bigint) => (2n * part + whole) / (2n * whole)

/**
 * The allowed price that is nearest to `price`; if two are equally near, the higher one. A price above 0 never becomes
 * 0.
 */
function rounded(price: bigint, { every, short }: Step): bigint {
  if (price === 0n && short === 0n) return 0n
  const steps = nearest(price + short, every)
  return (steps < 1n ? 1n : steps) * every - short
}

/** The lowest allowed price that is at least `least`, which is above 0. */
const atLeast = (least: bigint, { every, short }: Step) => ((least + short + every - 1n) / every) * every - short

/**
 * An item's price after a change. The server computes it to the cent (half a cent up) and then rounds it as
 * `change.round` says. `own` names the price that changes; `of` has the prices that a percentage can be of. The result
 * is at least `least`, even after rounding.
 */
export function changedPrice(
  change: PriceChange,
  own: keyof typeof UNPRICED,
  of: Readonly<Record<PriceBase, Hundredths | null>>,
  least: Hundredths = 0,
): ChangedPrice {
  if ('set' in change && change.set === null) return { price: null }
  const base = 'set' in change ? 0 : of['percent' in change ? change.of : own]
  if (base === null) return { problem: UNPRICED['percent' in change ? change.of : own] }
  // A cost of 0 means that nobody knows it yet, as after an import without a price. A percentage of it would give the
  // item away.
  if (base === 0 && 'percent' in change && change.of === 'purchase_price') return { problem: NO_COST }
  const exact = exactly(change, BigInt(base))
  if (exact < 0n) return { problem: BELOW_ZERO }
  const { round = 'none' } = change
  const price = round === 'none' ? exact : rounded(exact, STEPS[round])
  const most = BigInt(least)
  const kept = price >= most ? price : round === 'none' ? most : atLeast(most, STEPS[round])
  return kept > BigInt(MAX_PRICE) ? { problem: TOO_HIGH } : { price: Number(kept) }
}

function exactly(change: PriceChange, base: bigint): bigint {
  if ('set' in change) return BigInt(change.set ?? 0)
  if ('add' in change) return base + BigInt(change.add)
  return nearest(base * (10_000n + BigInt(Math.round(change.percent * 100))), 10_000n)
}
