import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { BOM, csvCell, guardCell } from '../stock/csv-cell.ts'
import type { Claimed } from './queries.ts'

const WHAT: Record<Claimed['what'], string> = {
  missing: 'Missing',
  unexpected: 'Not in the delivery',
  unknown: 'Not in the delivery',
}
const guarded = (text: string | null) => guardCell(text ?? '')

/** The columns of the file for the supplier. Prices are in currency units. */
const COLUMNS: Record<string, (line: Claimed) => string> = {
  what: (line) => WHAT[line.what],
  imei: (line) => guarded(line.imei),
  serial_number: (line) => guarded(line.serial_number),
  scanned: (line) => guarded(line.code),
  product: (line) => guarded(line.product),
  purchase_date: (line) => line.purchase_date ?? '',
  purchase_price: (line) => (line.purchase_price === null ? '' : toCurrencyUnits(line.purchase_price)),
  purchase_currency: (line) => line.purchase_currency ?? '',
}

/** The missing and the unexpected items as CSV for the supplier, in UTF-8 with BOM. No cell can act as a formula. */
export function claimListCsv(lines: readonly Claimed[]): string {
  const rows = lines.map((line) => Object.values(COLUMNS).map((text) => csvCell(text(line))))
  return `${BOM}${[Object.keys(COLUMNS), ...rows].map((cells) => `${cells.join(',')}\n`).join('')}`
}
