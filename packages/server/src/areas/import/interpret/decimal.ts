import type { Asked } from '@backstock/contract/import-preview.ts'
import { DOLLARS, type Dollar, dollarCalled } from '@backstock/contract/import-prices.ts'
import type { DecimalMark, PreviewSettings } from '../../../db/preview-columns.ts'

type Settings = Pick<PreviewSettings, 'decimal' | 'dates' | 'columns'>

const priceColumns = ({ columns }: Settings) => columns.filter(({ field }) => PRICES.some((price) => price === field))
const dateColumn = ({ columns }: Settings) => columns.find(({ field }) => field === 'purchase_date')

/**
 * The mark before hundredths in all columns with prices; null if no cell shows it, `mixed` if the columns contradict
 * each other.
 */
export function decimalIn(settings: Settings): DecimalMark | 'mixed' | null {
  if (settings.decimal) return settings.decimal
  const marks = new Set(priceColumns(settings).flatMap(({ decimal }) => decimal ?? []))
  return marks.size > 1 ? 'mixed' : ([...marks][0] ?? null)
}
export const PRICES = ['purchase_price', 'sales_price'] as const

/** The currency of prices with the sign `$` alone: as a person has said, else that of all rows if it is a dollar. */
export const dollarIn = ({ dollar, defaults }: Pick<PreviewSettings, 'dollar' | 'defaults'>): Dollar =>
  dollar ?? dollarCalled(defaults.purchase_currency) ?? DOLLARS[0]

/** The part that comes first in the purchase dates; null if a person must decide it, or if no date depends on it. */
export function datesIn(settings: Settings): 'day' | 'month' | null {
  if (settings.dates) return settings.dates
  const told = dateColumn(settings)?.dates
  return told === 'day' || told === 'month' ? told : null
}

/** The questions about a file that only a person can answer. */
export function askedOf(settings: Settings): Asked[] {
  const mark = decimalIn(settings)
  const areAmounts =
    settings.decimal === null &&
    (mark === 'mixed' ||
      priceColumns(settings).some(({ threePlaces = [] }) => threePlaces.some((one) => mark === null || one === mark)))
  const column = dateColumn(settings)
  const areDates =
    !settings.dates && (column?.dates === 'mixed' || (column?.dates === null && column.hasBothDays === true))
  return [...(areAmounts ? ['decimal' as const] : []), ...(areDates ? ['dates' as const] : [])]
}
