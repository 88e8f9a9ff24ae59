import { formatMoney, type Hundredths } from './money.ts'
import { PURCHASE_TREATMENT_NAMES, type PurchaseTreatment } from './treatment.ts'

/** The words of a purchase receipt for an item, as printed. */
export type OnReceipt = {
  price: Hundredths
  currency: string
  description: string
  imei: string | null
  serial_number: string | null
  supplier_id: number | null
  seller_name: string
}

type ItemNow = {
  purchase_price: Hundredths
  purchase_currency: string
  purchase_treatment: PurchaseTreatment
  product_display_name: string
  grade_name: string | null
  imei: string | null
  serial_number: string | null
  supplier_id: number | null
}

/** The words of a receipt that are no longer true of its item, such as `EUR 200.00`. A receipt never changes. */
export function stillSaid(item: ItemNow, printed: OnReceipt): string[] {
  const { price, currency, description, imei, serial_number, supplier_id, seller_name } = printed
  const isDescribed = [item.product_display_name, item.grade_name].filter(Boolean).join(', ') === description
  const differences: [differs: boolean, words: string][] = [
    [item.purchase_price !== price || item.purchase_currency !== currency, `${currency} ${formatMoney(price)}`],
    [!isDescribed, description],
    [item.imei !== imei, imei === null ? 'no IMEI' : `IMEI ${imei}`],
    [
      item.serial_number !== serial_number,
      serial_number === null ? 'no serial number' : `serial number ${serial_number}`,
    ],
    [item.supplier_id !== supplier_id, `bought from ${seller_name}`],
    [item.purchase_treatment !== 'margin', `bought under: ${PURCHASE_TREATMENT_NAMES.margin}`],
  ]
  return differences.filter(([differs]) => differs).map(([, words]) => words)
}
