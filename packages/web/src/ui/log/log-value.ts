import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'

/** The attributes that are amounts in hundredths: prices, sums of them, and the credits of supplier claims. */
const AMOUNT = /_price(_vat)?$|^credit_(expected|received)$/

/** A value before or after a change, in words. */
export function logValue(value: unknown, attribute: string): string {
  if (value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && AMOUNT.test(attribute)) return `${formatMoney(value)} ${CURRENCY}`
  return String(value)
}
