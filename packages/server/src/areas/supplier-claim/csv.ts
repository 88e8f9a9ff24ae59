import { toCurrencyUnits } from '@backstock/contract/money.ts'
import type { SupplierClaim, SupplierClaimItem } from '@backstock/contract/supplier-claim.ts'
import { BOM, csvCell, guardCell } from '../stock/csv-cell.ts'

const guarded = (text: string | null) => guardCell(text ?? '')

/** The columns of the file for the supplier. Prices are in currency units. */
const COLUMNS: Record<string, (item: SupplierClaimItem) => string> = {
  imei: (item) => guarded(item.imei),
  serial_number: (item) => guarded(item.serial_number),
  product: (item) => guarded(item.product_display_name),
  purchase_date: (item) => item.purchase_date ?? '',
  purchase_price: (item) => toCurrencyUnits(item.purchase_price),
  purchase_currency: (item) => item.purchase_currency,
  reason: (item) => guarded(item.reason),
}

/** The items of a claim as CSV for its supplier, in UTF-8 with BOM. No cell can act as a formula. */
export function claimCsv({ items }: SupplierClaim): string {
  const lines = items.map((item) => Object.values(COLUMNS).map((text) => csvCell(text(item))))
  return `${BOM}${[Object.keys(COLUMNS), ...lines].map((cells) => `${cells.join(',')}\n`).join('')}`
}
