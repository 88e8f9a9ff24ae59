import { z } from 'zod'
import { LanguageField } from './invoice-language-field.ts'
import { flagFilter } from './page.ts'
import { readPercent } from './percent.ts'
import { StockExportQuery } from './stock.ts'

const single = (value: unknown) => (Array.isArray(value) ? value[0] : value) || undefined

/** The terms of an offer: its language, with or without prices, and a percentage that is added to each price. */
const terms = {
  lang: z.preprocess(single, LanguageField.default('en')),
  prices: flagFilter,
  unpriced: flagFilter.describe(
    'Whether the offer also has devices without a price, with the words ‘price on request’.',
  ),
  percent: z.preprocess(single, z.string().default('0')).transform((text, context) => {
    const percent = readPercent(text)
    if (percent === null) context.addIssue({ code: 'custom', message: 'must be a percentage such as -3 or 2.5' })
    return percent ?? 0
  }),
}

/** Chooses the items of an offer: by the filters of the stock list, or, with `basket`, from the caller's basket. */
export const OfferQuery = StockExportQuery.extend({ basket: flagFilter })
export type OfferQuery = z.infer<typeof OfferQuery>
export const OfferFileQuery = OfferQuery.extend(terms)
export type OfferFileQuery = z.infer<typeof OfferFileQuery>

/**
 * The devices of one product and grade. Prices are in hundredths; devices without one do not count for `lowest` and
 * `highest`.
 */
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

/**
 * `not_sellable` counts the chosen items that the offer leaves out because they cannot be sold. It is 0 for a filter,
 * which chooses only sellable items.
 */
export const Offer = z.object({
  seller: z.string(),
  date: z.string(),
  groups: z.array(OfferGroup),
  not_sellable: z.int(),
})
export type Offer = z.infer<typeof Offer>
