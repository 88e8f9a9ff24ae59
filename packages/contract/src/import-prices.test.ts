import { expect, test } from 'vitest'
import {
  ambiguousMark,
  currencyCalled,
  currencyOfColumn,
  currencyOfPrice,
  decimalOf,
  priceOf,
  withoutCurrency,
} from './import-prices.ts'

const LONG = `${'x'.repeat(60)} EUR`

test.each([
  [' zł ', 'PLN'],
  ['zl', 'PLN'],
  ['US$', 'USD'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['€', 'EUR'],
  ['Euro', 'EUR'],
  ['EUROS', 'EUR'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['chf', 'CHF'],
  ['kr', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the currency that %j means is %s', (text, currency) => {
  expect(currencyCalled(text)).toBe(currency)
})

test.each([
  ['Price (£)', 'GBP', 'Price ( )'],
  ['EK PLN', 'PLN', 'EK  '],
  ['Preis in Euro', 'EUR', 'Preis in  '],
  ['Price EUR €', 'EUR', 'Price    '],
  ['Eur.', 'EUR', ' .'],
  ['EUR or USD', undefined, '  or  '],
  ['Price ($)', undefined, 'Price ( )'],
  ['Price US$', 'USD', 'Price  '],
  ['Cost (A$)', 'AUD', 'Cost ( )'],
  ['price pln', undefined, 'price pln'],
  // `TRY` is a word as well, and `ft` is a measure as well.
  ['TRY price', undefined, 'TRY price'],
  ['Length ft', undefined, 'Length ft'],
  ['PRICEPLN', undefined, 'PRICEPLN'],
  ['XYZ', undefined, 'XYZ'],
  [LONG, 'EUR', `${'x'.repeat(60)}  `],
  [`x${LONG}`, undefined, `x${LONG}`],
])('the column %j names %s', (name, currency, rest) => {
  expect([currencyOfColumn(name), withoutCurrency(name)]).toEqual([currency, rest])
})

test.each([
  ['€249.90', 'EUR'],
  ['€ 249.90', 'EUR'],
  ['249,90 zł', 'PLN'],
  ['249,90zł', 'PLN'],
  ['USD 5', 'USD'],
  ['5 USD', 'USD'],
  ['€5€', undefined],
  ['5', undefined],
  ['x 5', undefined],
  ['5 pcs', undefined],
  // The second text is longer than any price.
  [`${'1'.repeat(38)} €`, 'EUR'],
  [`${'1'.repeat(39)} €`, undefined],
])('the price %j is in %s', (cell, currency) => {
  expect(currencyOfPrice(cell)).toBe(currency)
})

test.each([
  ['1.250', '.'],
  ['1,250', ','],
  ['€ 1,250', ','],
  ['12,500', ','],
  ['125.000', '.'],
  ['1250.000', null],
  ['0.125', null],
  ['12.50', null],
  ['1.2500', null],
  ['no price', null],
])('the mark of %j that may be read in two ways is %s', (cell, mark) => {
  expect(ambiguousMark(cell)).toBe(mark)
})

test.each([
  [[], null],
  [['5', 'no price', '1.250'], null],
  [['no price', '1,50'], ','],
  [['1,50', '2,5'], ','],
  [['1,50', '2.50'], 'mixed'],
  [['2.50', '5', '1,50'], 'mixed'],
  [['1.234,5'], ','],
  [['1,234.50'], '.'],
  [['1.234.567'], ','],
  [['1,234,567'], '.'],
  [['1.2500'], '.'],
])('the cells %j have the decimal mark %j', (cells, mark) => {
  expect(decimalOf(cells)).toBe(mark)
})

test.each([
  ['1.250', null, undefined],
  ['1.250', '.', '1.25'],
  ['1.250', ',', '1250'],
  ['1,250', ',', '1.25'],
  ['1,250', '.', '1250'],
  // A price with three digits after the point is ambiguous.
  ['1.234', '.', undefined],
  ['249,-', null, '249'],
  ['249.–', null, '249'],
  ['249.90', ',', '249.90'],
  ['249.9', null, '249.9'],
  ['249.9000', null, '249.90'],
  ['249.9100', null, '249.91'],
  ['249.9010', null, undefined],
  ["1'234.50", null, '1234.50'],
  ['1’234’567', null, '1234567'],
  ['1 234,50', null, '1234.50'],
  ['1 234 567', null, '1234567'],
  // Different signs between groups, or groups of other sizes, do not separate thousands.
  ["1 234'567", null, undefined],
  ['12 34', null, undefined],
  ['1234 567', null, undefined],
  ['1.234.567', null, '1234567'],
  ['1.234,567', null, undefined],
  ['1.234.56', null, undefined],
  ['1.234,50', null, '1234.50'],
  ['0.125', '.', undefined],
  ['.5', null, undefined],
  ['-5', null, undefined],
  ['', null, undefined],
] as const)('%j with the decimal mark %j is %s', (cell, decimal, price) => {
  expect(priceOf(cell, decimal)).toBe(price)
})

test('a price in a currency that is not taken is none', () => {
  const isTaken = (currency: string) => currency === 'PLN'
  expect([priceOf('5 zł', null, isTaken), priceOf('5 €', null, isTaken), priceOf('5', null, isTaken)]).toEqual([
    '5',
    undefined,
    '5',
  ])
})
