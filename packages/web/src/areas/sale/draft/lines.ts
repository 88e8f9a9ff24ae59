import type { Hundredths } from '@backstock/contract/money.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'

/** An item on a sale that is being made. */
export type DraftLine = StockRow & {
  /** The typed price; null if the field is empty. */
  price: Hundredths | null
  /** The price of an empty field: the one price for all, else the item's own. */
  fallback: Hundredths | null
  /** The typed text is no price. */
  bad: boolean
  /** How a person wants it taxed; undefined as the rules say. */
  wanted?: Treatment | undefined
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
  /** By item; a line that is not among them keeps its price. */
  | { type: 'prices'; prices: ReadonlyMap<number, Hundredths> }
  /** A line that is not among `ids` stays as it is. */
  | { type: 'treatment'; ids: ReadonlySet<number>; treatment: Treatment | undefined }
  | { type: 'remove'; ids: readonly number[] }
  | { type: 'restore'; kept: KeptLines }

/** The typed values of a draft: price and treatment of each line, the removed lines, the one price for all. */
export type KeptLines = {
  prices: [id: number, price: Hundredths | null, wanted?: Treatment | undefined][]
  removed: number[]
  onePrice: Hundredths | null
}

export const keptLines = ({ lines, removed, onePrice }: Draft): KeptLines => ({
  prices: lines.map(({ id, price, wanted }) => (wanted ? [id, price, wanted] : [id, price])),
  removed: [...removed],
  onePrice,
})

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
    case 'prices': {
      const { prices } = action
      const priced = (line: DraftLine, price: Hundredths | undefined) =>
        price === undefined ? line : { ...line, price, bad: false }
      return { ...draft, lines: draft.lines.map((line) => priced(line, prices.get(line.id))) }
    }
    case 'treatment': {
      const { ids, treatment } = action
      const change = (line: DraftLine) =>
        ids.has(line.id) && line.wanted !== treatment ? { ...line, wanted: treatment } : line
      return { ...draft, lines: draft.lines.map(change) }
    }
    case 'restore': {
      const { prices, onePrice } = action.kept
      const typed = new Map(prices.map(([id, ...rest]) => [id, rest]))
      const removed = new Set(action.kept.removed)
      const restored = draft.lines
        .filter(({ id }) => !removed.has(id))
        .map((line) => {
          const [price = null, wanted] = typed.get(line.id) ?? [line.price]
          return { ...line, price, fallback: onePrice ?? line.fallback, wanted }
        })
      return { lines: restored, removed, onePrice }
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
      return { ...item, fallback, price: line ? line.price : fallback, bad: line?.bad ?? false, wanted: line?.wanted }
    })
}

export const sellable = (lines: readonly DraftLine[]) => lines.filter((line) => isSellable(line.status))

/** The price that a line is sold for; null if it has none, or if its text is no price. */
export const priceOf = ({ price, fallback, bad }: DraftLine) => (bad ? null : (price ?? fallback))
