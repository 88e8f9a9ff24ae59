import { getFrom } from '@backstock/contract/lists.ts'
import { marginVat, saleTotals } from '@backstock/contract/sale-total.ts'
import type { SaleFigures } from '../figures.tsx'
import { type DraftLine, priceOf } from './lines.ts'
import type { DraftTax } from './tax.ts'

/**
 * The totals of these lines. Sales prices and profit leave out lines without a price; `unpriced` and `unreadable` count
 * these.
 */
export function draftFigures(lines: readonly DraftLine[], tax: DraftTax, includeVat: boolean): SaleFigures {
  const priced = lines.flatMap((line) => {
    const price = priceOf(line)
    return price === null ? [] : [{ line, price, ...getFrom(tax.lines, line.id).taken }]
  })
  const totals = saleTotals(priced, includeVat)
  const inMargins = priced
    .filter(({ treatment }) => treatment === 'margin')
    .reduce((sum, { line, price }) => sum + marginVat(price, line.cost, tax.facts?.margin_rate ?? 0), 0)
  const unreadable = lines.filter((line) => line.wrong !== null).length
  const cost = costOf(priced.map(({ line }) => line))
  return {
    items: lines.length,
    purchase: costOf(lines),
    net: totals.total_sales_price,
    vat: totals.vat.map((one) => ({ ...one, rate: one.rate / 100 })),
    gross: totals.total_sales_price_vat,
    marginVat: inMargins,
    profit: totals.total_sales_price - cost - inMargins,
    cost,
    unpriced: lines.length - priced.length - unreadable,
    unreadable,
  }
}

const costOf = (lines: readonly DraftLine[]) => lines.reduce((sum, line) => sum + line.cost, 0)
