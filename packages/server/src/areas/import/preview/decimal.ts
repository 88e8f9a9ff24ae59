import type { DecimalMark, PreviewSettings } from '../../../db/preview-columns.ts'

/** What separates hundredths in all columns with prices. */
export function decimalIn({
  decimal,
  columns,
}: Pick<PreviewSettings, 'decimal' | 'columns'>): DecimalMark | 'mixed' | null {
  if (decimal) return decimal
  const marks = new Set(
    columns.flatMap((column) =>
      PRICES.some((price) => price === column.field) && column.decimal ? column.decimal : [],
    ),
  )
  return marks.size > 1 ? 'mixed' : ([...marks][0] ?? null)
}
export const PRICES = ['purchase_price', 'sales_price'] as const
