const ACRONYMS = /\b(csv|eid|id|imei|meid|vat)\b/g

/** How forms call what a CSV column holds: `serial_number` is 'Serial number', `backstock_id` 'Backstock ID'. */
export function columnLabel(column: string): string {
  const words = column.replaceAll('_', ' ').replace(ACRONYMS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
