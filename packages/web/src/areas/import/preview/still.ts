import { type FocusEvent, type PointerEvent, useCallback, useLayoutEffect, useRef } from 'react'

/** The distance of an element from the top of the page, however far the page is scrolled. */
const placeOf = (element: Element) => element.getBoundingClientRect().top + window.scrollY

/**
 * If something above the part at which a person works changes its height, keeps this part at its place on the screen.
 * The rows change their height after each decision. It scrolls the page by the difference. If the page cannot scroll so
 * far, the element with `data-above` gets a margin below it instead, until the person turns to that element. `on` goes
 * to the element around everything.
 */
export function useStill() {
  const ref = useRef<HTMLDivElement>(null)
  const eye = useRef<{ element: Element; place: number } | null>(null)
  const settle = useCallback(() => {
    const now = eye.current
    if (!now?.element.isConnected) eye.current = null
    else {
      keep(now.element, now.place, ref.current?.querySelector<HTMLElement>('[data-above]'))
      now.place = placeOf(now.element)
    }
  }, [])
  useLayoutEffect(() => {
    const around = ref.current
    if (!around) return
    const forget = () => {
      if (eye.current) eye.current.place = placeOf(eye.current.element)
    }
    const observer = new ResizeObserver(settle)
    observer.observe(around)
    window.addEventListener('resize', forget)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', forget)
    }
  }, [settle])
  const look = ({ target }: PointerEvent | FocusEvent) => {
    const around = ref.current
    if (!(target instanceof Element) || !around?.contains(target)) return
    // The focus may move in the same moment in which the part above changes.
    settle()
    // The browser would keep another element still.
    around.style.overflowAnchor = 'none'
    const above = target.closest<HTMLElement>('[data-above]')
    if (above) above.style.marginBottom = ''
    const element = target.closest('li') ?? target
    eye.current = { element, place: placeOf(element) }
  }
  return { ref, onPointerDownCapture: look, onFocusCapture: look }
}

function keep(element: Element, place: number, above: HTMLElement | null | undefined): void {
  let moved = placeOf(element) - place
  const margin = Number.parseFloat(above?.style.marginBottom || '0')
  if (above && moved > 0 && margin > 0) {
    const given = Math.min(margin, moved)
    above.style.marginBottom = `${margin - given}px`
    moved -= given
  }
  const before = window.scrollY
  if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  const rest = moved - (window.scrollY - before)
  // The page is at its top already.
  if (above && rest < 0) above.style.marginBottom = `${Number.parseFloat(above.style.marginBottom || '0') - rest}px`
}
