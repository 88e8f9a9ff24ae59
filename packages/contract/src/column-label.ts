const ACRONYMS = /\b(csv|eid|id|imei|meid|vat)\b/g

/** How forms call what a CSV column holds: `backstock_id` is 'Backstock ID', `battery_health` 'Battery health'. */
export function columnLabel(column: string): string {
  const words = column
    .replaceAll('_', ' ')
    .replace(/\d$/, ' $&')
    .replace(ACRONYMS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
