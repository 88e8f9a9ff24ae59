import { type KeyboardEvent, useEffect, useRef } from 'react'

type Props = {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Pass it if lines can be removed. */
  onRemove?: (id: number) => void
}

/**
 * Keyboard control for a table with a column of price fields. Spread the result onto the element around the table, and
 * give each field the id of its line as `data-price`. Tab, Enter and Down move down the column, also to the next page;
 * with Shift, and with Up, they move up. Ctrl+Delete removes the line.
 */
export function usePriceColumn({ page, pages, onPage, onRemove }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const toFirst = useRef(false)
  useEffect(() => {
    if (!toFirst.current || page < 1) return
    toFirst.current = false
    ref.current?.querySelector<HTMLInputElement>('input[data-price]')?.focus()
  }, [page])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    const field = event.target as HTMLInputElement
    const id = Number(field.dataset['price'])
    if (!id || altKey) return
    const fields = [...(ref.current?.querySelectorAll<HTMLInputElement>('input[data-price]') ?? [])]
    const at = fields.indexOf(field)
    const remove = onRemove !== undefined && (ctrlKey || metaKey) && key === 'Delete'
    const steps = remove || (ctrlKey || metaKey ? false : ['Tab', 'Enter', 'ArrowDown', 'ArrowUp'].includes(key))
    if (!steps) return
    const up = !remove && (key === 'ArrowUp' || shiftKey)
    const next = fields[at + (up ? -1 : 1)] ?? (remove ? fields[at - 1] : undefined)
    if (!next && !remove && !up && page < pages) {
      toFirst.current = true
      onPage(page + 1)
    } else if (!next && !remove && key === 'Tab') return
    event.preventDefault()
    next?.focus()
    if (remove) onRemove(id)
  }
  return { ref, onKeyDown }
}
