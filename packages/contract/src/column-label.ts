import type { Inverse } from './csv-columns.ts'

const ACRONYMS = /\b(csv|eid|id|imei|meid|vat)\b/g

/** The labels of columns that forms call otherwise. */
const OWN_LABELS: ReadonlyMap<string, string> = new Map([['functional', 'Function']])

/**
 * The name of a CSV column in forms: `serial_number` is 'Serial number', `backstock_id` 'Backstock ID', `imei2` 'IMEI
 * 2'.
 */
export function columnLabel(column: string): string {
  const own = OWN_LABELS.get(column)
  if (own !== undefined) return own
  const words = column
    .replaceAll('_', ' ')
    .replace('fx rate', 'exchange rate')
    .replace(/\d$/, ' $&')
    .replace(ACRONYMS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The labels of the columns that say the opposite of a column of ours. People choose a column by its label. */
export const INVERSE_LABELS: Readonly<Record<Inverse, string>> = {
  network_unlocked: 'Network locked (yes means unlocked)',
  faulty: 'Function (yes means faulty)',
}
