import type { Hundredths } from './money.ts'
import type { Treatment } from './treatment.ts'
import type { RateHundredths } from './vat-rate.ts'

/** `price` as typed, `rate` in hundredths of a percent; only `standard` has one above 0. */
export type PricedLine = { price: Hundredths; rate: RateHundredths; treatment: Treatment }
export type VatTotal = { treatment: Treatment; rate: RateHundredths; net: Hundredths; vat: Hundredths }
export type SaleTotals = {
  /**
   * One for each line, in its order. `sales_price` is net; `sales_price_vat` is the typed price if that includes
   * VAT.
   */
  lines: { sales_price: Hundredths; sales_price_vat: Hundredths | null }[]
  vat: VatTotal[]
  total_sales_price: Hundredths
  total_sales_price_vat: Hundredths
}

const BASE = 10_000n

const divideHalfUp = (dividend: bigint, divisor: bigint) => (dividend * 2n + divisor) / (divisor * 2n)

/** The VAT that a price includes: price x r / (100 + r), half up. */
const vatIn = (price: bigint, rate: bigint) => divideHalfUp(price * rate, BASE + rate)

/** A typed price without VAT. */
export function netOf(price: Hundredths, rate: RateHundredths, includesVat: boolean): Hundredths {
  return includesVat ? price - Number(vatIn(BigInt(price), BigInt(rate))) : price
}

/**
 * The VAT that the trader owes on one item under the margin scheme, which no invoice shows: that in the sale less the
 * purchase (Directive 2006/112/EC, article 315). A loss on one item lowers the VAT of no other.
 */
export function marginVat(price: Hundredths, cost: Hundredths, rate: RateHundredths): Hundredths {
  return price <= cost ? 0 : Number(vatIn(BigInt(price - cost), BigInt(rate)))
}

/** Splits `whole` in proportion to `weights`, to the cent, by largest remainder (the earlier line first if equal). */
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
 * The totals of a sale. VAT is worked out per rate on the sum of its lines and rounded half up to the cent (Council
 * Directive 2006/112/EC, article 226 (8) to (10), asks for the taxable amount and the VAT per rate). With
 * `pricesIncludeVat` the typed prices are gross: per rate VAT = round(gross x r / (100 + r)), and the net is spread
 * over the lines by largest remainder.
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
 * The totals of a credit note. `left` are the lines of an invoice with the part of each price that is not credited
 * yet; `off` is the part that this note credits. Its VAT is by how much that of the lines left shrinks, so that
 * credit notes over all parts of an invoice come to the invoice's own VAT, to the cent. Lines that the note does
 * not name are null, and come to 0.
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
 * A line of a sale with its return. `returned_price`: the credited part of its typed price, once the item is back;
 * else null. `allowed_price`: its allowance. `margin_rate`: only for a line under the margin scheme.
 */
export type SoldLine = PricedLine & {
  returned_price: Hundredths | null
  allowed_price: Hundredths
  cost: Hundredths
  margin_rate: RateHundredths | null
}
/**
 * The rest of a line: its price as typed and net, its purchase, and the VAT in its margin, less all that was given
 * back.
 */
export type LineLeft = { price: Hundredths; net: Hundredths; cost: Hundredths; margin_vat: Hundredths }

/**
 * The rest of a sale: documents, open amounts and profit all come from here. A returned item has given back its
 * whole purchase, whatever was refunded: the kept part of its price is all margin. VAT and net are those of all
 * rests together, as `creditTotals` computes them.
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
