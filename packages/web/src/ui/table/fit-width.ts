import { type RefObject, useLayoutEffect } from 'react'

/**
 * The steps from roomy to tight. `tight` 1 has smaller gaps, and words take two lines. At 2 amounts take two lines,
 * too. `few` hides the columns of details. At 3 the table scrolls sideways.
 */
type Step = { tight: number; few?: true }
const STEPS: readonly [Step, ...Step[]] = [
  { tight: 0 },
  { tight: 1 },
  { tight: 2 },
  { tight: 1, few: true },
  { tight: 2, few: true },
  { tight: 3, few: true },
]

/**
 * The attributes of the place before the table is fitted. They are those of the first step: if the place got them only
 * then, the browser would work out the styles of all rows twice.
 */
export const ROOMIEST = { 'data-tight': String(STEPS[0].tight) }

/**
 * Makes a table narrower step by step until it fits its place. `data-tight` and `data-few` on the place name the step.
 * The place scrolls only at the last step, since the table's head cannot stay in sight inside a place that scrolls. The
 * steps start again only if the width of the place changes, so that turning a page moves no column.
 */
export function useFitWidth(table: RefObject<HTMLTableElement | null>, columns: unknown, waiting: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns and the first rows are fitted again
  useLayoutEffect(() => {
    const inner = table.current
    const place = inner?.parentElement
    const frame = place?.parentElement
    if (!inner || !place) return
    let step = 0
    let width = -1
    const take = (next: number) => {
      step = next
      const { tight, few = false } = STEPS[step] ?? STEPS[0]
      // The same value, set again, would have all styles worked out again.
      if (place.dataset['tight'] !== String(tight)) place.dataset['tight'] = String(tight)
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
    /** Marks the sides at which columns are out of sight, so that a shadow hints at them. */
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
