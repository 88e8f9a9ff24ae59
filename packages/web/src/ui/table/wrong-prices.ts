import { useLayoutEffect, useRef, useState } from 'react'
import { errorDialog } from '../feedback/confirm-dialog.tsx'
import { hasWrongPrice, type WrongPrice } from './editable-cell.tsx'
import { pageOf } from './paged-rows.tsx'

/** Prices that could not be saved, by the number of their row. */
export type WrongPrices = ReadonlyMap<number, WrongPrice>

/** Keeps the wrong prices of the rows on other pages, whose fields are gone. */
export type WrongPriceKeeper = {
  of: (id: number) => WrongPrice | undefined
  set: (id: number, price: WrongPrice | null) => void
}

function withPrice(prices: WrongPrices, id: number, price: WrongPrice | null): WrongPrices {
  if (price === null && !prices.has(id)) return prices
  const next = new Map(prices)
  if (price === null) next.delete(id)
  else next.set(id, price)
  return next
}

/** The wrong prices of a table of several pages. `begun` are those that a draft brings back. */
export function useWrongPrices(begun: Iterable<readonly [number, WrongPrice]> = []) {
  const [wrong, setWrong] = useState<WrongPrices>(() => new Map(begun))
  const latest = useRef(wrong)
  useLayoutEffect(() => {
    latest.current = wrong
  })
  const [keeper] = useState(
    (): WrongPriceKeeper => ({
      of: (id) => latest.current.get(id),
      set: (id, price) => setWrong((now) => withPrice(now, id, price)),
    }),
  )
  return { wrong, keeper, forget: () => setWrong(new Map()) }
}

/**
 * Whether a price of the rows, which are all rows of the table in their order, could not be saved. Its field gets the
 * focus. If it is on another page, a dialog names the page.
 */
export function mustMendPrice(
  rows: readonly { id: number; editable?: boolean }[],
  wrong: WrongPrices,
  field: string,
): boolean {
  if (hasWrongPrice()) return true
  const place = rows.findIndex(({ id, editable = true }) => editable && wrong.has(id))
  const row = rows[place]
  if (!row) return false
  errorDialog(
    `${field} of #${row.id}, on page ${pageOf(place).toLocaleString('en')}, cannot be used. Correct it first.`,
  )
  return true
}
