import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'

/** A value before or after a change, in words. Prices are hundredths. */
export function logValue(value: unknown, attribute: string): string {
  if (value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && /_price(_vat)?$/.test(attribute)) return `${formatMoney(value)} ${CURRENCY}`
  return String(value)
}
