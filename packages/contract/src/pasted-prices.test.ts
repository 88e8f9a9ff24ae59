import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurrencyUnits } from './money.ts'
import { pastedPrices, readPastedLine } from './pasted-prices.ts'

const price = fc.integer({ min: 0, max: 100_000_000 })
/** Any character, with halves of surrogate pairs among them. */
const any = fc.oneof(
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  fc.constantFrom('\t', ';', ' ', '1', '.', '€'),
)
const code = fc.stringMatching(/^[A-Z0-9-]{4,20}$/)
const readPastedPrices = (lines: string[]) =>
  pastedPrices(lines.flatMap((text, n) => readPastedLine(text, n + 1) ?? []))

test('the copy of a spreadsheet is read as it is: codes and prices, in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(code, price), { maxLength: 20 }),
      fc.constantFrom('\t', ';', ' ', ' \t '),
      fc.boolean(),
      (pairs, between, isComma) => {
        const written = (amount: number) => {
          const text = toCurrencyUnits(amount)
          return isComma ? text.replace('.', ',') : text
        }
        const { prices, wrong } = readPastedPrices(pairs.map(([code, price]) => `${code}${between}${written(price)}`))
        expect(wrong).toEqual([])
        expect(prices.map(({ code, price }) => [code, price])).toEqual(pairs)
      },
    ),
  )
})

test('each pasted line that is not empty is a price or wrong, and none is both', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: any, maxLength: 20 }), { maxLength: 10 }), (lines) => {
      const { prices, wrong } = readPastedPrices(lines)
      const numbers = [...prices, ...wrong].map(({ line }) => line).toSorted((a, b) => a - b)
      return numbers.join() === lines.flatMap((text, n) => (text.trim() ? n + 1 : [])).join()
    }),
  )
})

test('a price whose thousands are set off by a space is no identifier with a price, however it is written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000, max: 99_999_999 }),
      fc.constantFrom(' ', '\u00a0', '  ', '\u2009', '\u202f'),
      fc.constantFrom('.00', ',00', ''),
      fc.constantFrom('', 'EUR', ' EUR', '\u00a0€', '€', ' eur'),
      fc.constantFrom('', '€', '€ ', 'EUR '),
      (hundredths, space, cents, after, before) => {
        const units = String(Math.floor(hundredths / 100))
        const text = `${before}${units.slice(0, -3)}${space}${units.slice(-3)}${cents}${after}`
        const { prices, wrong } = readPastedPrices(['999.00', text])
        expect(prices.map(({ code, price }) => [code, price])).toEqual([[null, 99_900]])
        expect(wrong).toMatchObject([{ line: 2 }])
      },
    ),
  )
})

test('short identifiers of digits go before a tab or a semicolon, and before a space if no price reads like that', () => {
  const lines = ['12\t500', '13;500', '14 \t 500,00 €', '15 50', '16 1500', '1234 500', 'A1 500']
  const { prices, wrong } = readPastedPrices(lines)
  expect(wrong).toEqual([])
  expect(prices.map(({ code, price }) => [code, price])).toEqual([
    ...[
      ['12', 50_000],
      ['13', 50_000],
      ['14', 50_000],
      ['15', 5000],
    ],
    ...[
      ['16', 150_000],
      ['1234', 50_000],
      ['A1', 50_000],
    ],
  ])
})

test('from several columns the identifier and the last are read, if no other is a price; a long line is named', () => {
  const lines = [
    "'350000090000197\tOne\t249.90",
    'C39AAA0001;iPhone 13;Blue;249,90',
    'BS-1\t128\t20',
    `x${' '.repeat(998)}\t1`,
    `x${' '.repeat(997)}\t1`,
  ]
  const { prices, wrong } = readPastedPrices(lines)
  expect(prices.map(({ code, price }) => [code, price])).toEqual([
    ['350000090000197', 24_990],
    ['C39AAA0001', 24_990],
    ['x', 100],
  ])
  expect(wrong).toMatchObject([
    { line: 3, problem: 'It does not end in a price such as 249.90.' },
    { line: 4, problem: 'It has more than 1,000 characters: paste one item and its price on each line.' },
  ])
  expect(wrong[1]!.text.length).toBeLessThanOrEqual(80)
})

test('prices alone are in order; a line without a code among others is wrong', () => {
  expect(readPastedPrices(['249.90', '', '249,90 EUR', '€ 10', '0']).prices).toEqual([
    { line: 1, text: '249.90', code: null, price: 24_990 },
    { line: 3, text: '249,90 EUR', code: null, price: 24_990 },
    { line: 4, text: '€ 10', code: null, price: 1000 },
    { line: 5, text: '0', code: null, price: 0 },
  ])
  expect(readPastedPrices(['BS-1\t10', '20'])).toMatchObject({
    prices: [{ code: 'BS-1' }],
    wrong: [{ line: 2, text: '20', problem: 'It has no identifier, although other lines have one.' }],
  })
})

test.each([
  'IMEI\tPrice',
  'BS-1\t1.234,50',
  'BS-1\t-5',
  'BS-1\t10\t20',
  '35 693803 564380 9',
  '356938035643809',
  'BS-1',
  'BS-1\t1000000.01',
])('%j is no price', (text) => {
  expect(readPastedPrices([text])).toMatchObject({ prices: [], wrong: [{ line: 1, problem: expect.any(String) }] })
})
