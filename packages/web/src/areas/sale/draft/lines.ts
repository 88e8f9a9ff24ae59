import type { Hundredths } from '@backstock/contract/money.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'

/** An item in a sale that is not stored yet. */
export type DraftLine = StockRow & {
  /** The typed price in hundredths; null if the field is empty. */
  price: Hundredths | null
  /** The price that counts if the field is empty: the one price for all, or else the item's own. */
  fallback: Hundredths | null
  /** True if the typed text is no price. */
  bad: boolean
  /** The treatment that a person has chosen; undefined leaves it to the rules. */
  wanted?: Treatment | undefined
}

export type Draft = {
  lines: DraftLine[]
  removed: ReadonlySet<number>
  /** The price that was last set for all items. */
  onePrice: Hundredths | null
}

export type DraftAction =
  | { type: 'items'; items: readonly StockRow[] }
  | { type: 'price'; id: number; price: Hundredths | null; bad: boolean }
  | { type: 'price for all'; price: Hundredths }
  /** Prices by the id of the item. Other lines keep their price. */
  | { type: 'prices'; prices: ReadonlyMap<number, Hundredths> }
  /** Lines that are not in `ids` stay as they are. */
  | { type: 'treatment'; ids: ReadonlySet<number>; treatment: Treatment | undefined }
  | { type: 'remove'; ids: readonly number[] }
  | { type: 'restore'; kept: KeptLines }

/**
 * The typed values of a draft as the browser keeps them: price and treatment of each line, the removed lines, the one
 * price for all.
 */
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

/** A line that does not change stays the same object, because its row is memoised by it. */
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

/** Lines for the items as they are now. Typed prices stay. A line that does not change stays the same object. */
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

/** The price that a line is sold for, in hundredths; null if it has none, or if its text is no price. */
export const priceOf = ({ price, fallback, bad }: DraftLine) => (bad ? null : (price ?? fallback))
