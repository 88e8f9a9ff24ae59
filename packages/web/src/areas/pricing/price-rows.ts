import { changedPrice, MAX_PERCENT, type PriceBase, type Rounding } from '@backstock/contract/changed-price.ts'
import { priceOf as priceWritten } from '@backstock/contract/import-prices.ts'
import { type GroupedItem, groupItems, type ItemGroup } from '@backstock/contract/item-groups.ts'
import { getFrom } from '@backstock/contract/lists.ts'
import { CURRENCY, type Hundredths, MAX_PRICE, marginPercent, parseCurrencyUnits } from '@backstock/contract/money.ts'
import { readPercent } from '@backstock/contract/percent.ts'
import { someAnd } from '@backstock/contract/some-of.ts'
import type { StockRow } from '@backstock/contract/stock.ts'

export type Item = GroupedItem

/** A group of items with its new price; `price` is null if it has none yet. */
export type PriceRow = ItemGroup<Item> & {
  /** Counts from 1, in the order of the rows. */
  id: number
  /**
   * `eachCost` is the average cost of the items whose cost is known, `eachPrice` the average price of those with a
   * price.
   */
  eachCost: Hundredths | null
  eachPrice: Hundredths | null
  price: Hundredths | null
  /** The typed or pasted text if it is no price; `price` is null then. */
  wrong: string | null
}

export type PriceOf = (item: Item) => Hundredths | null
/** A new price in hundredths for these items. */
export type GroupPrice = { items: number[]; set: Hundredths }
/** How a price is calculated: `percent`, as typed, on top of the base `of`, then rounded. */
export type Rule = { of: PriceBase; percent: string; round: Rounding }

const average = (amounts: readonly Hundredths[]): Hundredths | null =>
  amounts.length ? Math.round(amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length) : null

export function rowsOf(items: readonly Item[], priceOf: PriceOf): PriceRow[] {
  return groupItems(items, priceOf).map((group, place) => ({
    ...group,
    id: place + 1,
    // A cost of 0 means that the cost is not known yet.
    eachCost: average(group.items.flatMap(({ cost }) => cost || [])),
    eachPrice: average(group.items.flatMap((item) => priceOf(item) ?? [])),
    price: null,
    wrong: null,
  }))
}

/** Reads a typed percentage as hundredths of a percent; null if it is no number within the limits. */
export const percentOf = (text: string): number | null => readPercent(text, -9_900, MAX_PERCENT * 100)

/** The rows with the prices that a rule gives. If the rule gives no price for a row, the row keeps its own price. */
export function filled(rows: readonly PriceRow[], { of, percent, round }: Rule): PriceRow[] {
  const hundredths = percentOf(percent)
  if (hundredths === null) return [...rows]
  return rows.map((row) => {
    const bases = { sales_price: row.eachPrice, purchase_price: row.eachCost }
    const found = changedPrice({ percent: hundredths / 100, of, round }, 'sales_price', bases)
    return 'problem' in found ? row : { ...row, price: found.price, wrong: null }
  })
}

/** The rows with a pasted column of prices, and the messages about it. */
type Pasted = {
  rows: PriceRow[]
  /** Names the lines that are no prices. The message stays until all are corrected. */
  wrong: string | null
  /** Names the parts of the pasted text that were not used. */
  left: string | null
}

/**
 * Whether pasted text needs more than the field's own reading: it has several lines or cells, or is a price in a form
 * that only spreadsheets write.
 */
export const isColumn = (text: string): boolean =>
  /[\t\r\n]/.test(text.trim()) || (priceIn(text) !== null && parseCurrencyUnits(text) === null)

/**
 * Puts a pasted column of prices into the rows, beginning at row `from`. An empty line does not change its row. A line
 * that is no price replaces the row's price by its text.
 */
export function pasted(rows: readonly PriceRow[], from: number, text: string): Pasted {
  const lines = text.trimEnd().split(/\r?\n/)
  const columns = columnsIn(lines)
  if (columns > 1) return { rows: [...rows], wrong: null, left: severalColumns(columns) }
  const cells = lines.map((line) => line.trim())
  const room = rows.length - from + 1
  const isWrong = (cell: string) => cell !== '' && priceIn(cell) === null
  return {
    rows: rows.map((row) => {
      const cell = cells[row.id - from]
      if (!cell) return row
      const price = priceIn(cell)
      return { ...row, price, wrong: price === null ? cell : null }
    }),
    wrong: noPrices(cells.slice(0, room).flatMap((cell, n) => (isWrong(cell) ? n + 1 : []))),
    left: tooMany(cells.slice(room).filter((cell) => cell !== '').length),
  }
}

/** The number of columns that have a filled cell. */
const columnsIn = (lines: readonly string[]): number =>
  new Set(lines.flatMap((line) => line.split('\t').flatMap((cell, n) => (cell.trim() === '' ? [] : n)))).size

/**
 * A price as spreadsheets copy it, with or without thousands separators and its currency, if there is only one way to
 * read it. Digits on both sides of a space may be two numbers, unless decimals show that they are one.
 */
function priceIn(cell: string): Hundredths | null {
  if (/\d\s\d/.test(cell) && !/[.,]\d\d(?!\d)/.test(cell)) return null
  const price = parseCurrencyUnits(priceWritten(cell, null, (currency) => currency === CURRENCY) ?? '')
  return price === null || price > MAX_PRICE ? null : price
}

const severalColumns = (count: number) =>
  `${count.toLocaleString('en')} columns were copied, and nothing was filled in: copy the column of prices alone.`

/** How many lines a message names. */
const NAMED = 5

function noPrices(lines: readonly number[]): string | null {
  if (lines.length === 0) return null
  const named = someAnd(lines.map(String), NAMED)
  return lines.length === 1
    ? `Line ${named} of the column cannot be read as one price: write it as 1249.90, or empty its field.`
    : `Lines ${named} of the column cannot be read as one price each: write them as 1249.90, or empty their fields.`
}

const tooMany = (count: number) =>
  count === 0
    ? null
    : count === 1
      ? 'The pasted column has 1 more line than there are groups left; that line was ignored.'
      : `The pasted column has ${count.toLocaleString('en')} more lines than there are groups left; those lines were ignored.`

/** The margin of the new price in percent; '–' if there is no price or the cost is not known. */
export const marginOf = ({ price, eachCost, items: { length } }: PriceRow): string =>
  price === null || eachCost === null ? '–' : marginPercent((price - eachCost) * length, price * length)

/** The new prices: each group that has one, with its items. */
export const decided = (rows: readonly PriceRow[]): GroupPrice[] =>
  rows.flatMap(({ items, price }) => (price === null ? [] : [{ items: items.map(({ id }) => id), set: price }]))

/**
 * Adds to each price the `updated_at` of its items as the screen has shown them: the server does not overwrite items
 * that have changed since.
 */
export function withSeen(prices: readonly GroupPrice[], shown: readonly Pick<StockRow, 'id' | 'updated_at'>[]) {
  const seenAt = new Map(shown.map(({ id, updated_at }) => [id, updated_at]))
  return prices.map((price) => ({ ...price, seen: price.items.map((id) => getFrom(seenAt, id)) }))
}

export const unpricedIn = (rows: readonly PriceRow[]): number => rows.reduce((sum, { unpriced }) => sum + unpriced, 0)
