import { type RefObject, useLayoutEffect } from 'react'

/**
 * A table wider than its place scrolls inside of it, and only then: a place that scrolls would take the head along that
 * otherwise stays while the page scrolls. Marks the place with `data-wide`.
 */
export function useScrollSideways(table: RefObject<HTMLTableElement | null>): void {
  useLayoutEffect(() => {
    const place = table.current?.parentElement
    if (!table.current || !place) return
    const measure = () => place.toggleAttribute('data-wide', (table.current?.offsetWidth ?? 0) > place.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(place)
    observer.observe(table.current)
    return () => observer.disconnect()
  }, [table])
}
