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
  /** The typed text if it is no price; `price` is null then. */
  wrong: string | null
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
  | { type: 'price'; id: number; price: Hundredths | null; wrong: string | null }
  | { type: 'price for all'; price: Hundredths }
  /** Prices by the id of the item. Other lines keep their price. */
  | { type: 'prices'; prices: ReadonlyMap<number, Hundredths> }
  /** Lines that are not in `ids` stay as they are. */
  | { type: 'treatment'; ids: ReadonlySet<number>; treatment: Treatment | undefined }
  | { type: 'remove'; ids: readonly number[] }
  | { type: 'restore'; kept: KeptLines }

/**
 * The typed values of a draft as the browser keeps them: the lines that a person has changed, the removed lines, the
 * one price for all. A price that nobody typed is 'usual': the price for all, or else the item's own price on the day
 * when the draft comes back. `wrong` is a typed text that is no price; its price is null.
 */
export type KeptLines = {
  prices: [id: number, price: Hundredths | null | 'usual', wanted?: Treatment | null, wrong?: string][]
  removed: number[]
  onePrice: Hundredths | null
}

/** The values of a line that the kept draft does not have. */
const UNCHANGED: [price: 'usual', wanted?: null, wrong?: string] = ['usual']

const isTyped = ({ price, fallback, wrong }: DraftLine) => wrong !== null || price !== fallback

/** `earlier` are the kept prices of a list that had other items, too. Those of items that are not here stay kept. */
export function keptLines({ lines, removed, onePrice }: Draft, earlier: KeptLines['prices'] = []): KeptLines {
  const here = new Set([...lines.map(({ id }) => id), ...removed])
  const prices = lines
    .filter((line) => isTyped(line) || line.wanted)
    .map((line): KeptLines['prices'][number] => {
      if (line.wrong !== null) return [line.id, null, line.wanted ?? null, line.wrong]
      const price = isTyped(line) ? line.price : 'usual'
      return line.wanted ? [line.id, price, line.wanted] : [line.id, price]
    })
  return { prices: [...earlier.filter(([id]) => !here.has(id)), ...prices], removed: [...removed], onePrice }
}

export const EMPTY_DRAFT: Draft = { lines: [], removed: new Set(), onePrice: null }

/** A line that does not change stays the same object, because its row is memoised by it. */
export function changeDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case 'items':
      return { ...draft, lines: takeOver(draft, action.items) }
    case 'price': {
      const { id, price, wrong } = action
      return { ...draft, lines: draft.lines.map((line) => (line.id === id ? { ...line, price, wrong } : line)) }
    }
    case 'price for all': {
      const { price } = action
      return {
        ...draft,
        onePrice: price,
        lines: draft.lines.map((line) => ({ ...line, price, fallback: price, wrong: null })),
      }
    }
    case 'prices': {
      const { prices } = action
      const priced = (line: DraftLine, price: Hundredths | undefined) =>
        price === undefined ? line : { ...line, price, wrong: null }
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
      const kept = new Map(prices.map(([id, ...rest]) => [id, rest]))
      const removed = new Set(action.kept.removed)
      const restored = draft.lines
        .filter(({ id }) => !removed.has(id))
        .map((line) => {
          const fallback = onePrice ?? line.fallback
          const [price, wanted, wrong] = kept.get(line.id) ?? UNCHANGED
          const typed = price === 'usual' ? fallback : price
          return { ...line, price: typed, fallback, wrong: wrong ?? null, wanted: wanted ?? undefined }
        })
      return { lines: restored, removed, onePrice }
    }
    case 'remove': {
      const removed = new Set([...draft.removed, ...action.ids])
      return { ...draft, removed, lines: draft.lines.filter((line) => !removed.has(line.id)) }
    }
  }
}

/**
 * Lines for the items as they are now. Typed prices stay; others become today's. A line that does not change stays the
 * same object.
 */
function takeOver({ lines, removed, onePrice }: Draft, items: readonly StockRow[]): DraftLine[] {
  const before = new Map(lines.map((line) => [line.id, line]))
  return items
    .filter((item) => !removed.has(item.id))
    .map((item) => {
      const line = before.get(item.id)
      if (line && line.updated_at === item.updated_at && line.status === item.status) return line
      const fallback = onePrice ?? item.sales_price
      const { price, wrong } = line && isTyped(line) ? line : { price: fallback, wrong: null }
      return { ...item, fallback, price, wrong, wanted: line?.wanted }
    })
}

export const sellable = (lines: readonly DraftLine[]) => lines.filter((line) => isSellable(line.status))

/** The price that a line is sold for, in hundredths; null if it has none, or if its text is no price. */
export const priceOf = ({ price, fallback, wrong }: DraftLine) => (wrong === null ? (price ?? fallback) : null)
