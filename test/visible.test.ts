import { expect, test } from 'vitest'
import { differsVisibly, type Pixels } from '../scripts/screenshots/visible.ts'

/** A white picture with grey lines. `draw` adds further pixels. */
function picture(draw: (x: number, y: number) => number | undefined = () => undefined, width = 300): Pixels {
  const data = new Uint8Array(width * 200 * 3)
  for (let y = 0; y < 200; y++)
    for (let x = 0; x < width; x++)
      data.fill(draw(x, y) ?? (y % 20 ? 255 : 200), (y * width + x) * 3, (y * width + x) * 3 + 3)
  return { width, height: 200, data }
}

test('an invisible change is no difference: smoothed edges, a few specks all over', () => {
  const edges = picture((_, y) => (y % 20 === 0 ? 230 : undefined))
  const specks = picture((x, y) => (x % 17 === 0 && y % 13 === 0 ? 0 : undefined))
  for (const other of [picture(), edges, specks]) expect(differsVisibly(picture(), other)).toBe(false)
})

test('a word that changed anywhere, a colour, another size are differences', () => {
  const word = picture((x, y) => (x > 250 && x < 290 && y > 185 && y < 195 && (x + y) % 2 ? 40 : undefined))
  const paler = picture((_, y) => (y % 20 ? 190 : undefined))
  for (const other of [word, paler, picture(undefined, 301)]) {
    expect(differsVisibly(picture(), other)).toBe(true)
    expect(differsVisibly(other, picture())).toBe(true)
  }
})
