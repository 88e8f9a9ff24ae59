const EDGE = 16
const GAP = 8
const STEP_DOWN = 40
/** The search for a free place tries this many places from right to left. */
const ACROSS = 8
/** Covered buttons and links are counted in squares with this side, in px. */
const PIECE = 24

/** Toasts must not cover elements of the first selector, and should not cover those of the second. */
const WORKED_ON =
  'input, textarea, select, fieldset button, [role=tab], [role=alert], [role=dialog], [aria-invalid=true]'
const PRESSED = 'a, button, [role=button]'

const HIDES = 100
/** The pause between two checks while the screen changes. */
const DRAWN_MS = 120

type Size = { width: number; height: number }
type Place = { top: number; right: number }
type Obstacle = { box: DOMRect; isWorkedOn: boolean }

let clicked: Element | null = null
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    clicked = target instanceof Element ? target.closest(`${PRESSED}, ${WORKED_ON}, label, td`) : null
  },
  { capture: true },
)

/**
 * The place under the top bar for a box of this size. The box stays at the right unless it would cover a field, a tab,
 * an error or the last click; then it moves further left or down. Elements inside of `self` do not count.
 */
function placeFor({ width, height }: Size, self: Element): Place {
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const start = Math.max(0, bar) + GAP
  const room = Math.max(0, innerWidth - width - 2 * EDGE)
  const obstacles = obstaclesOf(self)
  let best = { cost: Number.POSITIVE_INFINITY, top: start, right: EDGE }
  for (let top = start; top + height < innerHeight * 0.7; top += STEP_DOWN)
    for (let n = 0; n <= (room > 0 ? ACROSS : 0); n++) {
      const right = EDGE + (room * n) / ACROSS
      const far = n / ACROSS + (top - start) / STEP_DOWN
      if (far >= best.cost) continue
      const cost = far + hiddenBy(new DOMRect(innerWidth - right - width, top, width, height), self, obstacles)
      if (cost < best.cost) best = { cost, top, right }
    }
  return best
}

/** Whether the box of toasts covers something that the person works on or may press next. */
const isInTheWay = (self: Element) => hiddenBy(self.getBoundingClientRect(), self, obstaclesOf(self)) > 0

/**
 * The elements that toasts could cover, also those behind a closing dialog. Their boxes are read once, because asking
 * the browser for each place again took a tenth of a second beside a long list.
 */
function obstaclesOf(self: Element): Obstacle[] {
  const screen = new DOMRect(0, 0, innerWidth, innerHeight)
  return [...document.querySelectorAll(`${WORKED_ON}, ${PRESSED}`)].flatMap((one) => {
    const box = one.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || !overlap(box, screen) || self.contains(one)) return []
    return one.checkVisibility({ visibilityProperty: true }) ? [{ box, isWorkedOn: one.matches(WORKED_ON) }] : []
  })
}

const overlap = (a: DOMRect, b: DOMRect, gap = 0) =>
  a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap

/** Weighs the elements that a box here would cover: the higher the result, the worse the place. */
function hiddenBy(box: DOMRect, self: Element, obstacles: readonly Obstacle[]): number {
  const focused = document.activeElement?.matches('body, main') ? null : document.activeElement
  const isBusy = [clicked, focused].some(
    (one) => one?.isConnected && !self.contains(one) && overlap(one.getBoundingClientRect(), box, GAP),
  )
  const hidden = obstacles.filter((one) => overlap(one.box, box))
  const costs = hidden.map((one) => (one.isWorkedOn ? HIDES : pieces(one.box, box)))
  return costs.reduce((sum, cost) => sum + cost, isBusy ? 10 * HIDES : 0)
}

/** The number of squares of an element that lie in the box. */
function pieces(one: DOMRect, box: DOMRect): number {
  const width = Math.min(one.right, box.right) - Math.max(one.left, box.left)
  const height = Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top)
  return Math.ceil(width / PIECE) * Math.ceil(height / PIECE)
}

/** Call it when the last toast has gone, so that the next toast looks for a place again. */
export function forgetPlace(element: HTMLElement): void {
  element.style.top = ''
  element.style.right = ''
}

/**
 * Puts the toasts in a free place, and moves them if they cover something that the person will use next. Returns a
 * function that stops this.
 */
export function keepInPlace(element: HTMLElement): () => void {
  const place = () => {
    // A toast under the pointer does not move away. But the first toast must look for a place even if it appears under
    // the pointer, because it would cover the button that was just pressed.
    if (element.style.top && element.matches(':hover, :focus-within')) return
    const { top, right } = placeFor(element.getBoundingClientRect(), element)
    element.style.top = `${top}px`
    element.style.right = `${right}px`
  }
  place()
  let frame = 0
  const moveAside = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => isInTheWay(element) && place())
  }
  document.addEventListener('focusin', moveAside)
  // The next step of a sale or a menu may appear below the toasts a moment later.
  let later: ReturnType<typeof setTimeout> | undefined
  const drawn = new MutationObserver((changes) => {
    if (changes.some(({ target }) => !element.contains(target))) later ??= setTimeout(lookAgain, DRAWN_MS)
  })
  const lookAgain = () => {
    later = undefined
    moveAside()
  }
  drawn.observe(document.body, { childList: true, subtree: true })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(later)
    drawn.disconnect()
    document.removeEventListener('focusin', moveAside)
  }
}
