import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitText, rowsTaken } from './label-fit.ts'

/** In this test, every letter is half as wide as it is high. */
const measure = (text: string, size: number) => (text.length * size) / 2
const fitted = (text: string, width: number, rows = 1) => fitText(text, { width, rows, size: 8, smallest: 4, measure })

test('a text that fits stays; one that does not is set smaller, then cut', () => {
  expect(fitted('Phone', 20)).toEqual({ size: 8, rows: ['Phone'] })
  expect(fitted('Phone', 16)).toEqual({ size: 6.4, rows: ['Phone'] })
  expect(fitted('Telephone', 16)).toEqual({ size: 4, rows: ['Telepho…'] })
  expect(fitted('Phone', 1)).toEqual({ size: 4, rows: [''] })
  expect(fitted('', 1)).toEqual({ size: 8, rows: [] })
})

test('two rows are broken between words, and within a word that is longer than a row', () => {
  expect(fitted('Apple iPhone 13', 40, 2)).toEqual({ size: 8, rows: ['Apple', 'iPhone 13'] })
  expect(fitted('Telephone', 20, 2)).toEqual({ size: 8, rows: ['Telep', 'hone'] })
  expect(fitted('Telephones in stock', 18, 2)).toEqual({ size: 6, rows: ['Teleph', 'ones…'] })
})

test('a text that may not be cut becomes smaller instead, and too few rows are known before', () => {
  const uncut = (text: string, width: number) =>
    fitText(text, { width, rows: 2, size: 8, smallest: 4, measure, mayBeCut: false })
  expect(uncut('350000000010007', 16)).toEqual({ size: 4, rows: ['35000000', '0010007'] })
  const widthOf = (text: string) => measure(text, 4)
  expect([16, 10, 30].map((width) => rowsTaken('350000000010007', 2, width, widthOf))).toEqual([2, null, 1])
})

test('no row is wider than it may be, whatever stands in it', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 255 }).map((any) => any.trim())
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 }), (any, width, most) => {
      const { size, rows } = fitted(any, width, most)
      expect(rows.length).toBeLessThanOrEqual(most)
      for (const row of rows) expect(measure(row, size)).toBeLessThanOrEqual(width)
      const isCut = rows.at(-1)?.endsWith('…') || rows.join('').length < any.replaceAll(' ', '').length
      if (!isCut) expect(rows.join('').replaceAll(' ', '')).toBe(any.replaceAll(' ', ''))
    }),
  )
})
