import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * A row that goes while the focus is in it passes it on to the same column of the row in its place. Spread the answer onto
 * the table.
 */
export function usePassFocusOn() {
  const table = useRef<HTMLTableElement>(null)
  const focused = useRef<{ cell: HTMLTableCellElement; row: number } | null>(null)
  useLayoutEffect(() => {
    const last = focused.current
    if (!last || last.cell.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const rows = table.current?.tBodies[0]?.rows
    const cell = rows?.[Math.min(last.row, rows.length - 1)]?.cells[last.cell.cellIndex]
    cell?.querySelector<HTMLElement>('button, input, a')?.focus({ preventScroll: true })
  })
  const onFocus = (event: FocusEvent) => {
    const cell = event.target.closest('td')
    const row = cell?.closest('tr')
    focused.current = cell && row ? { cell, row: row.sectionRowIndex } : null
  }
  return { ref: table, onFocus }
}
