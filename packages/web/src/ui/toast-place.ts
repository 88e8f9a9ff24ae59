const EDGE = 16
const GAP = 8
const STEP_DOWN = 40
/** How many places are tried from right to left. */
const ACROSS = 8
/** Nothing that one works on is smaller than the mesh that looks for it. */
const MESH = 24

/** What a message must not hide, and what it had better not. */
const WORKED_ON =
  'input, textarea, select, fieldset button, [role=tab], [role=alert], [role=dialog], [aria-invalid=true]'
const PRESSED = 'a, button, [role=button]'

const HIDES = 100

type Size = { width: number; height: number }
type Place = { top: number; right: number }

let clicked: Element | null = null
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    clicked = target instanceof Element ? target.closest(`${PRESSED}, ${WORKED_ON}, label, td`) : null
  },
  { capture: true },
)

/**
 * Where something of this size stands under the top bar: at the right, unless that hides what was just clicked, a
 * field, a tab or an error; then further left, or further down. What lies inside of `self` hides nothing.
 */
function placeFor({ width, height }: Size, self: Element): Place {
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const start = Math.max(0, bar) + GAP
  const room = Math.max(0, innerWidth - width - 2 * EDGE)
  let best = { cost: Number.POSITIVE_INFINITY, top: start, right: EDGE }
  for (let top = start; top + height < innerHeight * 0.7; top += STEP_DOWN)
    for (let n = 0; n <= (room > 0 ? ACROSS : 0); n++) {
      const right = EDGE + (room * n) / ACROSS
      const far = n / ACROSS + (top - start) / STEP_DOWN
      if (far >= best.cost) continue
      const cost = far + hiddenBy(new DOMRect(innerWidth - right - width, top, width, height), self, best.cost)
      if (cost < best.cost) best = { cost, top, right }
    }
  return best
}

/** Whether it stands over something that one works on. */
const isInTheWay = (self: Element) => hiddenBy(self.getBoundingClientRect(), self, HIDES) >= HIDES

/** Points from one edge to the other. */
function mesh(from: number, to: number): number[] {
  const steps = Math.ceil((to - from) / MESH)
  return Array.from({ length: steps + 1 }, (_, n) => from + ((to - from) * n) / steps)
}

const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom + GAP && b.top < a.bottom + GAP

/** How bad it is to hide what lies here; counted only up to `most`. */
function hiddenBy(box: DOMRect, self: Element, most: number): number {
  const focused = document.activeElement?.matches('body, main') ? null : document.activeElement
  const isBusy = [clicked, focused].some(
    (one) => one?.isConnected && !self.contains(one) && overlap(one.getBoundingClientRect(), box),
  )
  let cost = isBusy ? 10 * HIDES : 0
  for (const y of mesh(box.top, box.bottom))
    for (const x of mesh(box.left, box.right)) {
      if (cost >= most) return cost
      // Below a dialog that is about to go, too.
      const there = document.elementsFromPoint(x, y).filter((one) => !self.contains(one))
      if (there.some((one) => one.closest(WORKED_ON))) cost += HIDES
      else if (there.some((one) => one.closest(PRESSED))) cost += 1
    }
  return cost
}

/**
 * Puts the messages where there is room, and again once they stand over what is worked on next; answers how to stop.
 */
export function keepInPlace(element: HTMLElement): () => void {
  const place = () => {
    // Nobody's message runs away from under their pointer.
    if (element.matches(':hover, :focus-within')) return
    const { top, right } = placeFor(element.getBoundingClientRect(), element)
    element.style.top = `${top}px`
    element.style.right = `${right}px`
  }
  place()
  let frame = 0
  const giveWay = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => isInTheWay(element) && place())
  }
  document.addEventListener('focusin', giveWay)
  return () => {
    cancelAnimationFrame(frame)
    document.removeEventListener('focusin', giveWay)
  }
}
