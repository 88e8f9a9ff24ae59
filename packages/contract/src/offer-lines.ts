import type { InvoiceLanguage } from './invoice-language.ts'
import type { Hundredths } from './money.ts'
import type { OfferGroup } from './offer.ts'
import type { RateHundredths } from './vat-rate.ts'

/** The most lines of an offer. Nobody would read more, and no chat takes so long a message. */
export const MAX_OFFER_LINES = 5000

/** The terms of an offer: with or without prices, and a percentage that is added to each price and may be below 0. */
export type OfferTerms = {
  lang: InvoiceLanguage
  prices: boolean
  percent: RateHundredths
  /** Whether the offer also has devices without a price, as 'price on request'. */
  unpriced: boolean
}

/**
 * A line of an offer: one product and grade. Both prices are null if the offer shows no prices, or if no device of the
 * line has one.
 */
export type OfferLine = Pick<OfferGroup, 'product' | 'grade' | 'quantity' | 'unpriced' | 'lowest' | 'highest'>

/** A price plus a percentage of it, rounded to the cent. */
export const withPercent = (price: Hundredths, percent: RateHundredths): Hundredths =>
  Math.round((price * (10_000 + percent)) / 10_000)

export function offerLines(groups: readonly OfferGroup[], { prices, percent, unpriced }: OfferTerms): OfferLine[] {
  const priceOf = (price: Hundredths | null) => (price === null || !prices ? null : withPercent(price, percent))
  return groups.flatMap((group) => {
    // Devices without a price are left out only if the offer shows prices.
    const left = prices && !unpriced ? group.unpriced : 0
    const quantity = group.quantity - left
    if (quantity === 0) return []
    const { product, grade, lowest, highest } = group
    return {
      product,
      grade,
      quantity,
      unpriced: group.unpriced - left,
      lowest: priceOf(lowest),
      highest: priceOf(highest),
    }
  })
}

export const devicesIn = (lines: readonly Pick<OfferLine, 'quantity'>[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)
export const unpricedIn = (lines: readonly Pick<OfferLine, 'unpriced'>[]): number =>
  lines.reduce((sum, { unpriced }) => sum + unpriced, 0)
