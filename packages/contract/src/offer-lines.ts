import type { InvoiceLanguage } from './invoice-language.ts'
import type { Hundredths } from './money.ts'
import type { OfferGroup } from './offer.ts'
import type { RateHundredths } from './vat-rate.ts'

/** More would be read by nobody, and be no message to paste. */
export const MAX_OFFER_LINES = 5000

/** How a customer is offered it: without prices, or with a percentage on top of each, which may be less than 0. */
export type OfferTerms = {
  lang: InvoiceLanguage
  prices: boolean
  percent: RateHundredths
  /** Devices without a price are on it too, at a price on request. */
  unpriced: boolean
}

/** One product and grade as offered. Without `prices`, and if none has one, both prices are null. */
export type OfferLine = Pick<OfferGroup, 'product' | 'grade' | 'quantity' | 'unpriced' | 'lowest' | 'highest'>

/** A price with a percentage on top, to the cent. */
export const withPercent = (price: Hundredths, percent: RateHundredths): Hundredths =>
  Math.round((price * (10_000 + percent)) / 10_000)

/** The lines of an offer of these groups on these terms. */
export function offerLines(groups: readonly OfferGroup[], { prices, percent, unpriced }: OfferTerms): OfferLine[] {
  const priceOf = (price: Hundredths | null) => (price === null || !prices ? null : withPercent(price, percent))
  return groups.flatMap((group) => {
    // If no price is shown, whether there is one makes no difference.
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
