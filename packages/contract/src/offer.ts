import { z } from 'zod'
import { LanguageField } from './invoice-language-field.ts'
import { flagFilter } from './page.ts'
import { readPercent } from './percent.ts'
import { StockExportQuery } from './stock.ts'

const single = (value: unknown) => (Array.isArray(value) ? value[0] : value) || undefined

/** How prices are shown: all of them, with a percentage on top of each, or none. */
const terms = {
  lang: z.preprocess(single, LanguageField.default('en')),
  prices: flagFilter,
  unpriced: flagFilter.describe('Whether devices without a price stand there too, at a price on request.'),
  percent: z.preprocess(single, z.string().default('0')).transform((text, context) => {
    const percent = readPercent(text)
    if (percent === null) context.addIssue({ code: 'custom', message: 'must be a percentage such as -3 or 2.5' })
    return percent ?? 0
  }),
}

/**
 * The items of an offer: those that the filters of the stock list choose; with `basket`, those of the caller's
 * basket.
 */
export const OfferQuery = StockExportQuery.extend({ basket: flagFilter })
export type OfferQuery = z.infer<typeof OfferQuery>
export const OfferFileQuery = OfferQuery.extend(terms)
export type OfferFileQuery = z.infer<typeof OfferFileQuery>

/** Devices of one product and grade. Prices in hundredths, of those that have one. */
export const OfferGroup = z.object({
  product_id: z.int(),
  grade_id: z.int().nullable(),
  product: z.string(),
  grade: z.string().nullable(),
  quantity: z.int(),
  unpriced: z.int(),
  lowest: z.int().nullable(),
  highest: z.int().nullable(),
})
export type OfferGroup = z.infer<typeof OfferGroup>

/** `not_sellable` counts the chosen items that are left out since they cannot be sold; a filter chooses none of those. */
export const Offer = z.object({
  seller: z.string(),
  date: z.string(),
  groups: z.array(OfferGroup),
  not_sellable: z.int(),
})
export type Offer = z.infer<typeof Offer>
