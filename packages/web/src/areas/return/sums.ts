import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import type { ChoiceLine } from './choices.tsx'

export const itemsText = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/**
 * The amount that will be credited for these items, as their sales name prices: '840.00 EUR excl. VAT and 120.00 EUR
 * incl. VAT'.
 */
export function creditText(lines: readonly Pick<ChoiceLine, 'price' | 'prices_include_vat'>[]): string {
  const sumOf = (withVat: boolean) =>
    lines.filter((line) => line.prices_include_vat === withVat).reduce((sum, { price }) => sum + price, 0)
  const [before, including] = [sumOf(false), sumOf(true)]
  const parts = [
    ...(before > 0 || including === 0 ? [`${formatMoney(before)} ${CURRENCY} excl. VAT`] : []),
    ...(including > 0 ? [`${formatMoney(including)} ${CURRENCY} incl. VAT`] : []),
  ]
  return parts.join(' and ')
}
