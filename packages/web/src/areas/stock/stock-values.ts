import type { Functional } from '@backstock/contract/device-function.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'

/** The values of a stock item's form. */
export type StockValues = {
  actual_product_id: number | null
  expected_product_id: number | null
  status: StockStatus
  supplier_id: number | null
  batch_id: number | null
  vat_type_id: number | null
  /** '' on a new item means the usual treatment of its supplier. */
  purchase_treatment: PurchaseTreatment | ''
  imei: string
  serial_number: string
  backstock_id: string
  purchase_price: number | null
  purchase_currency: string
  /** Text as typed. */
  fx_rate: string
  sales_price: number | null
  purchase_date: string | null
  network_locked: boolean
  engineer_notes: string
  grade_id: number | null
  functional: Functional | ''
  /** Text as typed. */
  battery_health: string
  imei2: string
  meid: string
  eid: string
  location: string
}
