import { type RefObject, useLayoutEffect } from 'react'

/**
 * From roomy to tight: smaller gaps and words in two lines; then amounts, too; then columns of details are left out, first
 * with whole amounts; then the table scrolls sideways.
 */
const STEPS: { tight: number; few?: true }[] = [
  { tight: 0 },
  { tight: 1 },
  { tight: 2 },
  { tight: 1, few: true },
  { tight: 2, few: true },
  { tight: 3, few: true },
]

/**
 * Makes a table narrower step by step until it fits its place. `data-tight` and `data-few` on the place name the step.
 * Only at the last step does the place scroll, since the table's head cannot stay in sight inside of a scrolling place.
 * The steps start again only when the place changes its width, so that the rows of another page move no column.
 */
export function useFitWidth(table: RefObject<HTMLTableElement | null>, columns: unknown, waiting: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns are fitted anew, and so are the first rows
  useLayoutEffect(() => {
    const inner = table.current
    const place = inner?.parentElement
    const frame = place?.parentElement
    if (!inner || !place) return
    let step = 0
    let width = -1
    const take = (next: number) => {
      step = next
      const { tight, few = false } = STEPS[step]!
      place.dataset['tight'] = String(tight)
      place.toggleAttribute('data-few', few)
    }
    const fit = () => {
      if (place.clientWidth !== width) {
        width = place.clientWidth
        take(0)
      }
      while (step < STEPS.length - 1 && inner.offsetWidth > width) take(step + 1)
      edge()
    }
    /** There is more at the left, at the right: a shadow hints at it. */
    const edge = () => {
      frame?.toggleAttribute('data-more-left', place.scrollLeft > 1)
      frame?.toggleAttribute('data-more-right', place.scrollLeft + place.clientWidth < place.scrollWidth - 1)
    }
    const observer = new ResizeObserver(fit)
    observer.observe(place)
    observer.observe(inner)
    place.addEventListener('scroll', edge, { passive: true })
    fit()
    return () => {
      observer.disconnect()
      place.removeEventListener('scroll', edge)
    }
  }, [table, columns, waiting])
}
