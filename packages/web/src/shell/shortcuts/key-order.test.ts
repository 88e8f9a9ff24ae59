import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOrder, SCANNER_MS } from './key-order.ts'

const SHORTCUTS = ['g s', 'g b', 'n', '/', '?']

/** The shortcuts that these keys complete. Each key is pressed `after` ms after the one before. */
function done(presses: readonly [key: string, after: number][]): string[] {
  const order = keyOrder(SHORTCUTS)
  let at = 0
  return presses.flatMap(([key, after], n) => {
    at += after
    const typed = order.press({ key, at })
    const next = presses[n + 1]?.[1] ?? Number.POSITIVE_INFINITY
    return typed !== null && next >= SCANNER_MS ? [typed] : []
  })
}

test('single keys and keys one after the other, however slowly', () => {
  expect(done([['n', 500]])).toEqual(['n'])
  expect(
    done([
      ['g', 500],
      ['s', 60],
    ]),
  ).toEqual(['g s'])
  expect(
    done([
      ['g', 500],
      ['b', 90_000],
      ['?', 100],
    ]),
  ).toEqual(['g b', '?'])
  expect(
    done([
      ['g', 500],
      ['g', 100],
      ['s', 100],
    ]),
  ).toEqual(['g s'])
})

test('a sequence that another key ends does nothing, and neither does that key', () => {
  expect(
    done([
      ['g', 500],
      ['n', 100],
    ]),
  ).toEqual([])
  expect(
    done([
      ['g', 500],
      ['x', 100],
      ['s', 100],
    ]),
  ).toEqual([])
  expect(
    done([
      ['x', 500],
      ['n', 100],
    ]),
  ).toEqual(['n'])
})

test('a field or a dialog in between ends what was begun', () => {
  const order = keyOrder(SHORTCUTS)
  order.press({ key: 'g', at: 0 })
  order.forget(200)
  expect(order.press({ key: 's', at: 400 })).toBeNull()
})

const key = fc.constantFrom('g', 's', 'b', 'n', '/', '?', '4', 'x')
const fast = fc.nat(SCANNER_MS - 1)

test('no text from a scanner starts a shortcut', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fast), { minLength: 1 }), key, fc.nat(5_000), (scan, first, before) => {
      expect(done([[first, before + SCANNER_MS], ...scan])).toEqual([])
    }),
  )
})

test('after a scan the keys of a person count again', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fast), { minLength: 2 }), (scan) => {
      expect(done([...scan, ['n', SCANNER_MS]])).toEqual(['n'])
    }),
  )
})
