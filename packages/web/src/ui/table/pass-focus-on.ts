import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in the table when the focused control disappears, alone or with its row: it goes to the same
 * column of the row that is there now. Spread the answer onto the table.
 */
export function usePassFocusOn() {
  const table = useRef<HTMLTableElement>(null)
  const focused = useRef<{ control: Element; column: number; row: number } | null>(null)
  useLayoutEffect(() => {
    const last = focused.current
    if (!last || last.control.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])]
    // The rows below first, then those above, from the nearest on.
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
