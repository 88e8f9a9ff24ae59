import { formatAmount, formatDate, formatMoneyWithCode, formatRate } from '@backstock/contract/format-in-language.ts'
import { INVOICE_LANGUAGES } from '@backstock/contract/invoice-language.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countryName, daysAfter } from './format.ts'

const plainSpaces = (text: string) => text.replace(/\s/g, ' ')
const decimal = (amount: number) => {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
}

test('amounts of any size read as the language writes them, to the cent', () => {
  fc.assert(
    fc.property(fc.constantFrom(...INVOICE_LANGUAGES), fc.maxSafeInteger(), (lang, amount) => {
      const cldr = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, useGrouping: 'always' })
      // The amount is passed as text, which `Intl` formats exactly.
      expect(plainSpaces(formatAmount(amount, lang))).toBe(plainSpaces(cldr.format(decimal(amount))))
    }),
    {
      examples: [
        ['pl', 0],
        ['de', -5],
        ['fr', 100_000],
        ['es', 123_456],
      ],
    },
  )
})

test('rates, dates, due dates and countries', () => {
  expect([2300, 550, 0, 1005, 10_000].map((rate) => plainSpaces(formatRate(rate, 'de')))).toEqual([
    ...['23 %', '5,5 %', '0 %', '10,05 %', '100 %'],
  ])
  expect(INVOICE_LANGUAGES.map((lang) => formatDate('2026-03-04', lang))).toEqual([
    ...['4 March 2026', '04.03.2026', '04/03/2026', '04-03-2026', '04/03/2026', '04/03/2026', '04.03.2026'],
  ])
  expect([daysAfter('2026-12-20', 14), daysAfter('2028-02-28', 1), daysAfter('2026-03-18', 0)]).toEqual([
    ...['2027-01-03', '2028-02-29', '2026-03-18'],
  ])
  expect(plainSpaces(formatMoneyWithCode(98_508, 'EUR', 'en'))).toBe('EUR 985.08')
  expect(plainSpaces(formatMoneyWithCode(98_508, 'EUR', 'pl'))).toBe('985,08 EUR')
  expect([
    countryName('PL', 'Poland', 'de'),
    countryName('ZX', 'Elsewhere', 'fr'),
    countryName(null, null, 'en'),
  ]).toEqual([...['Polen', 'Elsewhere', null]])
})
