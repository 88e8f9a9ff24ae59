import { expect, test } from 'vitest'
import { modulesOf, pictureOf } from './code-picture.ts'

/** The sizes of a DataMatrix and their room for code words: ISO/IEC 16022, table 7. */
const SIZES = [
  ...[
    [10, 3],
    [12, 5],
    [14, 8],
    [16, 12],
    [18, 18],
    [20, 22],
    [22, 30],
    [24, 36],
  ],
  ...[
    [26, 44],
    [32, 62],
    [36, 86],
    [40, 114],
    [44, 144],
    [48, 174],
    [52, 204],
    [64, 280],
  ],
] as [number, number][]

test.each(SIZES)('a DataMatrix of %d modules holds %d letters, or twice as many digits', (modules, words) => {
  expect(modulesOf('datamatrix', 'A'.repeat(words))).toBe(modules)
  expect(modulesOf('datamatrix', 'A'.repeat(words + 1))).toBeGreaterThan(modules)
  expect(modulesOf('datamatrix', '1'.repeat(2 * words))).toBe(modules)
  expect(modulesOf('datamatrix', '1'.repeat(2 * words + 2))).toBeGreaterThan(modules)
})

test.each([
  ['code128', '359990123456789', 11 * 11 + 13],
  ['code128', 'BS-7', 11 * 6 + 13],
  ['qr', '1'.repeat(34), 21],
  ['qr', '1'.repeat(35), 25],
  ['qr', 'A'.repeat(20), 21],
  ['qr', 'A'.repeat(21), 25],
] as const)('a code %s of %s is %d modules wide', (code, text, modules) => {
  expect(modulesOf(code, text)).toBe(modules)
})

test.each(['code128', 'qr', 'datamatrix'] as const)('the picture of a code %s is as wide as the code', (code) => {
  const modules = modulesOf(code, 'BS-15200')
  const runs = pictureOf(code, 'BS-15200', modules)
  expect(Math.max(...runs.map(({ x, width }) => x + width))).toBe(modules)
  expect(pictureOf(code, 'BS-15200', modules)).toEqual(runs)
})

test('a QR code has squares in three corners, a DataMatrix two whole edges', () => {
  const black = (code: 'qr' | 'datamatrix', modules: number) => {
    const runs = new Set(pictureOf(code, 'BS-7', modules).map(({ x, y }) => `${x} ${y}`))
    return (x: number, y: number) => runs.has(`${x} ${y}`)
  }
  const qr = black('qr', 21)
  for (const [x, y] of [
    [0, 0],
    [14, 0],
    [0, 14],
  ] as const) {
    expect([0, 1, 2, 3, 4, 5, 6].every((n) => qr(x + n, y) && qr(x, y + n))).toBe(true)
    expect([qr(x + 1, y + 1), qr(x + 3, y + 3)]).toEqual([false, true])
  }
  const matrix = black('datamatrix', 14)
  const all = Array.from({ length: 14 }, (_, n) => n)
  expect(all.every((n) => matrix(0, n) && matrix(n, 13))).toBe(true)
  expect(all.map((n) => matrix(n, 0))).toEqual(all.map((n) => n % 2 === 0))
})
