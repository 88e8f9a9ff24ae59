import { expect, test } from 'vitest'
import { costOf, fxRateProblem, isRateMissing, parseFxRate } from './purchase-currency.ts'
import { FxRate, PurchaseCurrency } from './purchase-currency-fields.ts'

test.each<[text: string, rate: number | null]>([
  ['0.05', 0.05],
  ['0.049999', null],
  ['1000000', 1_000_000],
  ['1000000.000001', null],
  [' 4,25 ', 4.25],
  ['4.250001', 4.250001],
  ['4.2500001', null],
  ['-4', null],
  ['4.', null],
  ['1e2', null],
  ['', null],
])('the rate %j is %j', (text, rate) => {
  expect(parseFxRate(text)).toBe(rate)
})

test('a field of a rate takes numbers and texts; an empty one is none', () => {
  expect(['4,25', 4.25, '', null].map((value) => FxRate.parse(value))).toEqual([4.25, 4.25, null, null])
  for (const value of ['x', 0.01, Number.NaN, Number.POSITIVE_INFINITY, true])
    expect(FxRate.safeParse(value).error?.issues[0]?.message).toMatch(/^Must be an exchange rate such as 4\.25/)
})

test('a currency is its code, in any letters', () => {
  expect(PurchaseCurrency.parse(' usd ')).toBe('USD')
  for (const value of ['XXX', 'US', 'toString', 7])
    expect(PurchaseCurrency.safeParse(value).error?.issues[0]?.message).toBe(
      'Must be the code of a currency, such as USD.',
    )
})

test('a rate goes with each currency but the euro', () => {
  expect([fxRateProblem('EUR', null), fxRateProblem('USD', 1.1)]).toEqual([null, null])
  expect(fxRateProblem('EUR', 1)).toBe('A price in EUR needs no exchange rate: leave it empty.')
  const missing = fxRateProblem('USD', null)
  expect(missing).toBe('This field is required: how many USD one EUR was.')
  expect([isRateMissing(missing!), isRateMissing('This field is required.')]).toEqual([true, false])
})

test('half a cent of the value in EUR is rounded up', () => {
  expect([costOf(12_345, null), costOf(10_000, 4), costOf(1, 2), costOf(1, 2.000001)]).toEqual([12_345, 2_500, 1, 0])
})
