import { formatAmount, formatDate } from './format-in-language.ts'
import type { InvoiceLanguage } from './invoice-language.ts'
import type { Offer } from './offer.ts'
import { devicesIn, type OfferLine, type OfferTerms, offerLines } from './offer-lines.ts'
import { OFFER_WORDS } from './offer-words.ts'

/**
 * The prices of a line without the currency: `249.00`, `from 229.00 to 249.00`, `price on request` or `249.00 (3 ×
 * price on request)`.
 */
export function priceWords({ lowest, highest, unpriced }: OfferLine, lang: InvoiceLanguage): string {
  const { from, to, onRequest } = OFFER_WORDS[lang]
  if (lowest === null || highest === null) return onRequest
  const price =
    lowest === highest
      ? formatAmount(lowest, lang)
      : `${from} ${formatAmount(lowest, lang)} ${to} ${formatAmount(highest, lang)}`
  return unpriced > 0 ? `${price} (${unpriced} × ${onRequest})` : price
}

/** The text below the lines of an offer. */
export const conditions = ({ lang, prices }: Pick<OfferTerms, 'lang' | 'prices'>): string => {
  const { pricesIn, priorSale } = OFFER_WORDS[lang]
  return prices ? `${pricesIn} ${priorSale}` : priorSale
}

/** The offer as text for a chat or a mail. It has no columns, because letters there have different widths. */
export function offerText({ seller, date, groups }: Offer, terms: OfferTerms): string {
  const { lang, prices } = terms
  const words = OFFER_WORDS[lang]
  const lines = offerLines(groups, terms)
  const said = lines.map((line) => {
    const name = line.grade === null ? line.product : `${line.product}, ${line.grade}`
    return `${line.quantity} × ${name}${prices ? `: ${priceWords(line, lang)}` : ''}`
  })
  return [
    [seller, `${words.offer}, ${formatDate(date, lang)}`].filter(Boolean).join('\n'),
    said.join('\n'),
    `${words.devices}: ${devicesIn(lines)}\n${conditions(terms)}`,
  ].join('\n\n')
}
