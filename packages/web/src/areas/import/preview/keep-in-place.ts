import { type FocusEvent, type PointerEvent, useCallback, useLayoutEffect, useRef } from 'react'

/** The distance of an element from the top of the page, however far the page is scrolled. */
const placeOf = (element: Element) => element.getBoundingClientRect().top + window.scrollY

/**
 * If something above the part at which a person works changes its height, keeps this part at its place on the screen.
 * The rows change their height after each decision. It scrolls the page by the difference. If the page cannot scroll so
 * far up, the element with `data-above` gets a margin below it instead, until the person turns to that element.
 *
 * `around` goes to an element that holds only the one with `content`. Once the person has touched something, `around`
 * keeps its height while `content` becomes shorter: the browser scrolls a page that has become too short by itself,
 * before this can measure.
 */
export function useKeptInPlace() {
  const around = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const touched = useRef<{ element: Element; place: number } | null>(null)
  const settle = useCallback(() => {
    const [room, now] = [around.current, touched.current]
    if (!room?.style.minHeight) return
    if (now && !now.element.isConnected) touched.current = null
    else if (now) {
      keep(room, now.element, now.place)
      now.place = placeOf(now.element)
    }
    trim(room)
  }, [])
  useLayoutEffect(() => {
    const [room, inner] = [around.current, content.current]
    if (!room || !inner) return
    const forget = () => {
      if (touched.current) touched.current.place = placeOf(touched.current.element)
    }
    const scrolled = () => {
      if (room.style.minHeight) trim(room)
    }
    const sizes = new ResizeObserver(settle)
    sizes.observe(inner)
    // Right after each change, before the page is drawn or a click finds the part elsewhere.
    const changes = new MutationObserver(settle)
    changes.observe(inner, { childList: true, subtree: true, characterData: true })
    window.addEventListener('resize', forget)
    window.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      sizes.disconnect()
      changes.disconnect()
      window.removeEventListener('resize', forget)
      window.removeEventListener('scroll', scrolled)
    }
  }, [settle])
  const touch = ({ target }: PointerEvent | FocusEvent) => {
    const room = around.current
    if (!(target instanceof Element) || !room?.contains(target)) return
    // The focus may move in the same moment in which the part above changes.
    settle()
    // The browser would keep another element in its place.
    room.style.overflowAnchor = 'none'
    const above = target.closest<HTMLElement>('[data-above]')
    if (above) above.style.marginBottom = ''
    const element = target.closest('li') ?? target
    touched.current = { element, place: placeOf(element) }
    trim(room)
  }
  return { content, around: { ref: around, onPointerDownCapture: touch, onFocusCapture: touch } }
}

/** Scrolls the page until the element is at its former place on the screen. */
function keep(room: HTMLElement, element: Element, place: number): void {
  const above = room.querySelector<HTMLElement>('[data-above]')
  let moved = placeOf(element) - place
  const margin = marginOf(above)
  if (above && moved > 0 && margin > 0) {
    const given = Math.min(margin, moved)
    above.style.marginBottom = `${margin - given}px`
    moved -= given
  }
  if (moved === 0) return
  // Long enough for the window at its new place.
  room.style.minHeight = `${Math.ceil(heightOf(room) + Math.max(0, moved - belowWindow()))}px`
  const before = window.scrollY
  window.scrollBy({ top: moved, behavior: 'instant' })
  const rest = moved - (window.scrollY - before)
  // The page is at its top already.
  if (above && rest < 0) above.style.marginBottom = `${marginOf(above) - rest}px`
}

/** Makes the room as short as its content, but leaves the page so long that it need not scroll. */
function trim(room: HTMLElement): void {
  const content = room.firstElementChild ? heightOf(room.firstElementChild) : 0
  const needed = window.scrollY > 0 ? heightOf(room) - belowWindow() : 0
  room.style.minHeight = `${Math.ceil(Math.max(content, needed))}px`
}

const heightOf = (element: Element) => element.getBoundingClientRect().height
/** How far the page can still be scrolled down. */
const belowWindow = () => {
  const { scrollHeight, clientHeight } = document.documentElement
  return Math.max(0, Math.floor(scrollHeight - clientHeight - window.scrollY))
}
const marginOf = (above: HTMLElement | null) => Number.parseFloat(above?.style.marginBottom || '0')
