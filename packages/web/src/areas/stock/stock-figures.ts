import type { StockRow } from '@backstock/contract/stock.ts'

/** The margin of an item at its sales price, in hundredths; null without a price. */
export function marginOf({ sales_price, cost }: Pick<StockRow, 'sales_price' | 'cost'>): number | null {
  return sales_price === null ? null : sales_price - cost
}

/** The margin in percent of the sales price, with one decimal; null without a price. */
export function marginPercent(row: Pick<StockRow, 'sales_price' | 'cost'>): number | null {
  const margin = marginOf(row)
  return margin === null || !row.sales_price ? null : Math.round((1000 * margin) / row.sales_price) / 10
}
