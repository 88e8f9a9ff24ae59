import type { Hundredths } from '@backstock/contract/money.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import type { SaleFigures } from './figures.tsx'

/** An item on a sale that is being made. */
export type DraftLine = StockRow & {
  /** As typed; null where the field is empty. */
  price: Hundredths | null
  /** The price where nothing is typed: the one price for all, else the item's own. */
  fallback: Hundredths | null
  /** The typed text is no price. */
  bad: boolean
}

export type Draft = {
  lines: DraftLine[]
  removed: ReadonlySet<number>
  /** The price last set for all items. */
  onePrice: Hundredths | null
}

export type DraftAction =
  | { type: 'items'; items: readonly StockRow[] }
  | { type: 'price'; id: number; price: Hundredths | null; bad: boolean }
  | { type: 'price for all'; price: Hundredths }
  | { type: 'remove'; ids: readonly number[] }

export const EMPTY_DRAFT: Draft = { lines: [], removed: new Set(), onePrice: null }

/** A line that does not change stays the same object, by which its row is memoised. */
export function changeDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case 'items':
      return { ...draft, lines: takeOver(draft, action.items) }
    case 'price': {
      const { id, price, bad } = action
      return { ...draft, lines: draft.lines.map((line) => (line.id === id ? { ...line, price, bad } : line)) }
    }
    case 'price for all': {
      const { price } = action
      return {
        ...draft,
        onePrice: price,
        lines: draft.lines.map((line) => ({ ...line, price, fallback: price, bad: false })),
      }
    }
    case 'remove': {
      const removed = new Set([...draft.removed, ...action.ids])
      return { ...draft, removed, lines: draft.lines.filter((line) => !removed.has(line.id)) }
    }
  }
}

/** The items as they are now. Prices that were typed stay, and so do lines that have not changed. */
function takeOver({ lines, removed, onePrice }: Draft, items: readonly StockRow[]): DraftLine[] {
  const before = new Map(lines.map((line) => [line.id, line]))
  return items
    .filter((item) => !removed.has(item.id))
    .map((item) => {
      const line = before.get(item.id)
      if (line && line.updated_at === item.updated_at && line.status === item.status) return line
      const fallback = onePrice ?? item.sales_price
      return { ...item, fallback, price: line ? line.price : fallback, bad: line?.bad ?? false }
    })
}

export const sellable = (lines: readonly DraftLine[]) => lines.filter((line) => isSellable(line.status))

/** The price that a line is sold for; null where it has none yet, or what is typed is none. */
export const priceOf = ({ price, fallback, bad }: DraftLine) => (bad ? null : (price ?? fallback))

/** The rate of an item's VAT type in hundredths of a percent; 0 without one. */
export function rateReader(vats: readonly Vat[]): (line: StockRow) => number {
  const rates = new Map(vats.map((vat) => [vat.id, Math.round(vat.rate * 100)]))
  return (line) => (line.vat_type_id === null ? 0 : (rates.get(line.vat_type_id) ?? 0))
}

/**
 * The figures of these lines. Sales prices and profit leave out the lines without a price, which `unpriced` and
 * `unreadable` count.
 */
export function draftFigures(lines: readonly DraftLine[], vats: readonly Vat[], includeVat: boolean): SaleFigures {
  const rateOf = rateReader(vats)
  const priced = lines.filter((line) => priceOf(line) !== null)
  const totals = saleTotals(
    priced.map((line) => ({ price: priceOf(line) ?? 0, rate: rateOf(line), treatment: 'standard' })),
    includeVat,
  )
  const unreadable = lines.filter((line) => line.bad).length
  const cost = costOf(priced)
  return {
    items: lines.length,
    purchase: costOf(lines),
    net: totals.total_sales_price,
    vat: totals.vat.map(({ rate, net, vat }) => ({ rate: rate / 100, net, vat })),
    gross: totals.total_sales_price_vat,
    profit: totals.total_sales_price - cost,
    cost,
    unpriced: lines.length - priced.length - unreadable,
    unreadable,
  }
}

const costOf = (lines: readonly DraftLine[]) => lines.reduce((sum, line) => sum + line.purchase_price, 0)
