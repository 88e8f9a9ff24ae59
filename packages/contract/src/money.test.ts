import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoney, grossProfitPercent, marginPercent, parseCurrencyUnits, toCurrencyUnits } from './money.ts'

const amount = fc.integer({ min: 0, max: 999_999_999_999 })

test('a text in currency units reads back as the same amount, with a point or a comma', () => {
  fc.assert(
    fc.property(amount, (cents) => {
      const text = toCurrencyUnits(cents)
      return parseCurrencyUnits(text) === cents && parseCurrencyUnits(text.replace('.', ',')) === cents
    }),
  )
})

test('money on screen has two decimals and groups of three', () => {
  expect([0, 5, 100, 123_456, -7, -123_456_789].map(formatMoney)).toEqual([
    '0.00',
    '0.05',
    '1.00',
    '1,234.56',
    '-0.07',
    '-1,234,567.89',
  ])
})

test('a text that is no price is refused rather than guessed', () => {
  for (const text of ['', '-1', '1.234', '1,234.50', '1e3', '1.', '.5', 'EUR 1', '12345678901', '1 000'])
    expect(parseCurrencyUnits(text), text).toBeNull()
  expect([' 249,9 ', '249.90', '249'].map(parseCurrencyUnits)).toEqual([24990, 24990, 24900])
})

test('gross profit percent is profit over purchase price with two decimals', () => {
  expect(grossProfitPercent(2500, 10_000)).toBe('25.00%')
  expect(grossProfitPercent(1, 3)).toBe('33.33%')
  expect(grossProfitPercent(-2, 3)).toBe('-66.67%')
  expect(grossProfitPercent(100, 0)).toBe('-')
  // A loss below half of a hundredth of a percent becomes 0; half of one is rounded away from 0.
  expect(grossProfitPercent(-1, 1_000_000)).toBe('0.00%')
  expect(grossProfitPercent(-1, 20_000)).toBe('-0.01%')
  expect(grossProfitPercent(0, 10)).toBe('0.00%')
})

test('margin is profit in percent of net sales', () => {
  expect(marginPercent(2500, 12_500)).toBe('20.00%')
  expect(marginPercent(-500, 10_000)).toBe('-5.00%')
  expect(marginPercent(0, 0)).toBe('-')
})
