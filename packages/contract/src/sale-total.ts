import type { Hundredths } from './money.ts'
import type { Treatment } from './treatment.ts'
import type { RateHundredths } from './vat-rate.ts'

/** A line of a sale. `price` is as typed, `rate` in hundredths of a percent. Only `standard` has a rate above 0. */
export type PricedLine = { price: Hundredths; rate: RateHundredths; treatment: Treatment }
export type VatTotal = { treatment: Treatment; rate: RateHundredths; net: Hundredths; vat: Hundredths }
export type SaleTotals = {
  /**
   * One entry for each line, in the order of the lines. `sales_price` is net. `sales_price_vat` is the typed price if
   * prices include VAT, else null.
   */
  lines: { sales_price: Hundredths; sales_price_vat: Hundredths | null }[]
  vat: VatTotal[]
  total_sales_price: Hundredths
  total_sales_price_vat: Hundredths
}

const BASE = 10_000n

const divideHalfUp = (dividend: bigint, divisor: bigint) => (dividend * 2n + divisor) / (divisor * 2n)

/** The VAT in a price that includes it: price × rate / (100% + rate), half a cent up. */
const vatIn = (price: bigint, rate: bigint) => divideHalfUp(price * rate, BASE + rate)

/** The net price of a typed price. */
export function netOf(price: Hundredths, rate: RateHundredths, includesVat: boolean): Hundredths {
  return includesVat ? price - Number(vatIn(BigInt(price), BigInt(rate))) : price
}

/**
 * The VAT that the trader owes on one item under the margin scheme: the VAT in the difference between sales price and
 * purchase price (Directive 2006/112/EC, article 315). No invoice shows it. A loss on one item does not lower the VAT
 * of another.
 */
export function marginVat(price: Hundredths, cost: Hundredths, rate: RateHundredths): Hundredths {
  return price <= cost ? 0 : Number(vatIn(BigInt(price - cost), BigInt(rate)))
}

/**
 * Splits `whole` in proportion to `weights`, to the cent, by the method of the largest remainder. If two remainders are
 * equal, the earlier line gets the cent.
 */
export function share(whole: bigint, weights: bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n)
  if (sum === 0n) return weights.map(() => 0n)
  const shares = weights.map((weight) => (whole * weight) / sum)
  let rest = whole - shares.reduce((a, b) => a + b, 0n)
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (whole * weight) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder) {
    if (rest === 0n) break
    shares[index]! += 1n
    rest -= 1n
  }
  return shares
}

/**
 * The totals of a sale. VAT is computed for each rate on the sum of its lines and rounded half up to the cent, because
 * Directive 2006/112/EC, article 226 (8) to (10), asks for the taxable amount and the VAT of each rate. If
 * `pricesIncludeVat` is true, the typed prices are gross. The VAT of a rate is then round(gross × rate / (100% +
 * rate)), and `share` splits the net sum over the lines.
 */
export function saleTotals(lines: readonly PricedLine[], pricesIncludeVat: boolean): SaleTotals {
  const groups = new Map<string, number[]>()
  lines.forEach((line, index) => {
    const key = `${line.treatment} ${line.rate}`
    const group = groups.get(key)
    if (group) group.push(index)
    else groups.set(key, [index])
  })
  const result: SaleTotals = {
    lines: lines.map((line) => ({ sales_price: line.price, sales_price_vat: pricesIncludeVat ? line.price : null })),
    vat: [],
    total_sales_price: 0,
    total_sales_price_vat: 0,
  }
  for (const indexes of groups.values()) {
    const { rate, treatment } = lines[indexes[0]!]!
    const prices = indexes.map((index) => BigInt(lines[index]!.price))
    const sum = prices.reduce((a, b) => a + b, 0n)
    const r = BigInt(rate)
    const vat = pricesIncludeVat ? vatIn(sum, r) : divideHalfUp(sum * r, BASE)
    const net = pricesIncludeVat ? sum - vat : sum
    if (pricesIncludeVat)
      share(net, prices).forEach((part, i) => {
        result.lines[indexes[i]!]!.sales_price = Number(part)
      })
    result.vat.push({ treatment, rate, net: Number(net), vat: Number(vat) })
    result.total_sales_price += Number(net)
    result.total_sales_price_vat += Number(net + vat)
  }
  result.vat.sort((a, b) => b.rate - a.rate || a.treatment.localeCompare(b.treatment))
  return result
}

/**
 * The totals of a credit note. `left` are the lines of the invoice, each with the part of its price that is not
 * credited yet. `named` is the part of each price that this note credits; null for a line that the note does not name,
 * which is credited with 0. The note's VAT is the VAT of all lines before the note, less the VAT of what is left after
 * it. So credit notes that credit a whole invoice add up to its VAT, to the cent.
 */
export function creditTotals(
  left: readonly PricedLine[],
  named: readonly (Hundredths | null)[],
  pricesIncludeVat: boolean,
): SaleTotals {
  const off = named.map((price) => price ?? 0)
  const before = saleTotals(left, pricesIncludeVat)
  const after = saleTotals(
    left.map((line, n) => ({ ...line, price: line.price - off[n]! })),
    pricesIncludeVat,
  )
  const result: SaleTotals = {
    lines: off.map((price) => ({ sales_price: price, sales_price_vat: pricesIncludeVat ? price : null })),
    vat: before.vat.map(({ treatment, rate, net, vat }, n) => ({
      treatment,
      rate,
      net: net - after.vat[n]!.net,
      vat: vat - after.vat[n]!.vat,
    })),
    total_sales_price: before.total_sales_price - after.total_sales_price,
    total_sales_price_vat: before.total_sales_price_vat - after.total_sales_price_vat,
  }
  if (pricesIncludeVat)
    for (const { treatment, rate, net } of result.vat) {
      const group = left.flatMap((line, n) => (line.treatment === treatment && line.rate === rate ? [n] : []))
      const parts = share(
        BigInt(net),
        group.map((n) => BigInt(off[n]!)),
      )
      group.forEach((n, i) => {
        result.lines[n]!.sales_price = Number(parts[i]!)
      })
    }
  const isNamed = ({ treatment, rate }: VatTotal) =>
    left.some((line, n) => named[n] !== null && line.treatment === treatment && line.rate === rate)
  return { ...result, vat: result.vat.filter(isNamed) }
}

/**
 * A line of a sale with its return. `returned_price` is the credited part of its typed price; null until the item is
 * back. `allowed_price` is its allowance. `margin_rate` is null unless the line is under the margin scheme.
 */
export type SoldLine = PricedLine & {
  returned_price: Hundredths | null
  allowed_price: Hundredths
  cost: Hundredths
  margin_rate: RateHundredths | null
}
/**
 * The rest of a line after returns and allowances: its price as typed, its net price, its purchase price, and the VAT
 * in its margin.
 */
export type LineLeft = { price: Hundredths; net: Hundredths; cost: Hundredths; margin_vat: Hundredths }

/**
 * The rest of a sale after returns and allowances. Documents, open amounts and profit are computed from it. A returned
 * item takes its whole purchase price with it, even if the shop refunded only a part: the part that the shop keeps is
 * all margin. VAT and net are computed on the sum of all rests, as in `creditTotals`.
 */
export function leftOf(
  lines: readonly SoldLine[],
  pricesIncludeVat: boolean,
): { lines: LineLeft[]; totals: SaleTotals; cost: Hundredths; margin_vat: Hundredths } {
  const prices = lines.map((line) => line.price - (line.returned_price ?? 0) - line.allowed_price)
  const totals = saleTotals(
    lines.map(({ rate, treatment }, n) => ({ rate, treatment, price: prices[n]! })),
    pricesIncludeVat,
  )
  const left = lines.map(({ cost: bought, margin_rate, returned_price }, n): LineLeft => {
    const net = totals.lines[n]!.sales_price
    const cost = returned_price === null ? bought : 0
    return { price: prices[n]!, net, cost, margin_vat: margin_rate === null ? 0 : marginVat(net, cost, margin_rate) }
  })
  const sum = (of: (line: LineLeft) => Hundredths) => left.reduce((total, line) => total + of(line), 0)
  return { lines: left, totals, cost: sum(({ cost }) => cost), margin_vat: sum(({ margin_vat }) => margin_vat) }
}
