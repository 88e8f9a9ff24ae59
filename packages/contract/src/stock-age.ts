/** The ages of items, in days since the purchase date, or since the record was made if there is no purchase date. */
export const STOCK_AGES = ['0-30', '31-60', '61-90', 'over-90'] as const
export type StockAge = (typeof STOCK_AGES)[number]

export const STOCK_AGE_NAMES: Record<StockAge, string> = {
  '0-30': '0–30 days',
  '31-60': '31–60 days',
  '61-90': '61–90 days',
  'over-90': 'Over 90 days',
}

/** The age in days at which each group begins, without the youngest group. */
export const STOCK_AGE_STARTS: readonly number[] = [31, 61, 91]
