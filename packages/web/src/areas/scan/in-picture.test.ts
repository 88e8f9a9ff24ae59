import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inPicture, MOMENT_MS, nearestFirst } from './in-picture.ts'

test('a code counts once while it is in the picture, blurred for a moment or not', () => {
  const seen = inPicture()
  expect(seen(['A'], 0)).toBe('A')
  for (const now of [50, 100, 100 + MOMENT_MS]) expect(seen(['A'], now)).toBeNull()
  expect(seen([], 5000)).toBeNull()
  expect(seen(['A'], 5001)).toBe('A')
})

test('a code at the side counts when it is aimed at, and the one in the middle not again', () => {
  const seen = inPicture()
  expect(seen(['A', 'B'], 0)).toBe('A')
  expect(seen(['A', 'B'], 900)).toBeNull()
  expect(seen(['B', 'A'], 1800)).toBe('B')
  expect(seen(['A', 'B'], 2700)).toBeNull()
})

test('no code counts twice within a moment, and none that was not in the middle', () => {
  const Frames = fc.array(fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 }), { maxLength: 40 })
  fc.assert(
    fc.property(Frames, fc.integer({ min: 1, max: MOMENT_MS }), (frames, every) => {
      const seen = inPicture()
      const counted = new Map<string, number>()
      for (const [n, frame] of frames.entries()) {
        const code = seen(frame, n * every)
        if (code === null) continue
        expect(code).toBe(frame[0])
        expect(n * every - (counted.get(code) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(MOMENT_MS)
        counted.set(code, n * every)
      }
    }),
  )
})

test('the label in the middle of a picture is aimed at, not the others', () => {
  const at = (text: string, x: number, y: number) => ({
    text,
    position: { topLeft: { x, y }, bottomRight: { x: x + 100, y: y + 20 } },
  })
  const labels = [at('left', 40, 230), at('top', 270, 100), at('middle', 280, 220), at('corner', 0, 0)]
  const found = nearestFirst(labels, { width: 640, height: 480 })
  expect(found.map(({ text }) => text)).toEqual(['middle', 'top', 'left', 'corner'])
})
