const EDGE = 16
const GAP = 8
const STEP_DOWN = 24
/** How many places are tried from right to left. */
const ACROSS = 8
/** Nothing that one works on is smaller than the mesh that looks for it. */
const MESH = 24

/** What a message must not hide, and what it had better not. */
const WORKED_ON =
  'input, textarea, select, fieldset button, [role=tab], [role=alert], [role=dialog], [aria-invalid=true]'
const PRESSED = 'a, button, [role=button]'

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
 * Where something of this size stands under the top bar: at the right, unless that hides what was just clicked, a field, a
 * tab or an error; then further left, or further down. What lies inside of `self` hides nothing.
 */
export function placeFor({ width, height }: Size, self: Element): Place {
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const start = Math.max(0, bar) + GAP
  const room = Math.max(0, innerWidth - width - 2 * EDGE)
  const busy = [clicked, document.activeElement === document.body ? null : document.activeElement]
    .filter((one) => one?.isConnected && !self.contains(one))
    .map((one) => one!.getBoundingClientRect())
  let best = { cost: Number.POSITIVE_INFINITY, top: start, right: EDGE }
  for (let top = start; top + height < innerHeight * 0.7; top += STEP_DOWN)
    for (let n = 0; n <= (room > 0 ? ACROSS : 0); n++) {
      const right = EDGE + (room * n) / ACROSS
      const far = n / ACROSS + (top - start) / STEP_DOWN
      if (far >= best.cost) continue
      const box = new DOMRect(innerWidth - right - width, top, width, height)
      const cost = far + (busy.some((one) => overlap(one, box)) ? 1000 : 0) + hiddenBy(box, self)
      if (cost < best.cost) best = { cost, top, right }
    }
  return best
}

const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom + GAP && b.top < a.bottom + GAP

function hiddenBy(box: DOMRect, self: Element): number {
  let cost = 0
  for (let y = box.top; y <= box.bottom; y += MESH)
    for (let x = box.left; x <= box.right; x += MESH * 2) {
      const there = document.elementsFromPoint(x, y).find((one) => !self.contains(one))
      if (there?.closest(WORKED_ON)) cost += 100
      else if (there?.closest(PRESSED)) cost += 1
    }
  return cost
}
