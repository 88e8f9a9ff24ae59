import { expect, test } from 'vitest'
import { symbolOf } from './symbol.ts'

test.each([
  ['qr', '1'.repeat(34), 21],
  // With less correction of errors, 41 digits would have room in the smallest code.
  ['qr', '1'.repeat(35), 25],
  ['datamatrix', '356938035643809', 14],
  ['code128', 'AB', 57],
] as const)('a %s of %j is as wide as its standard says', (code, text, width) => {
  const symbol = symbolOf(code, text)
  expect(symbol?.width).toBe(width)
  expect(Math.max(...symbol!.runs.map((run) => run.x + run.width))).toBe(width)
})

test('a text that a code cannot hold has no symbol', () => {
  expect(symbolOf('datamatrix', 'x'.repeat(3000))).toBeUndefined()
})
