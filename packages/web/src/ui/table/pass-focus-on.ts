import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in the table if the focused control disappears, alone or with its row: the focus moves to the same
 * column of the row that is now in that place. Spread the returned props onto the table.
 */
export function usePassFocusOn() {
  const table = useRef<HTMLTableElement>(null)
  const focused = useRef<{ control: Element; column: number; row: number } | null>(null)
  useLayoutEffect(() => {
    const last = focused.current
    if (!last || last.control.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])]
    // Look in the rows below first, then in those above, nearest first.
    const next = [...rows.slice(last.row), ...rows.slice(0, last.row).reverse()]
      .map((row) => row.cells[last.column]?.querySelector<HTMLElement>('button:enabled, input:enabled, a'))
      .find(Boolean)
    next?.focus({ preventScroll: true })
  })
  const onFocus = (event: FocusEvent) => {
    const cell = event.target.closest('td')
    const row = cell?.closest('tr')
    focused.current = cell && row ? { control: event.target, column: cell.cellIndex, row: row.sectionRowIndex } : null
  }
  return { ref: table, onFocus }
}
