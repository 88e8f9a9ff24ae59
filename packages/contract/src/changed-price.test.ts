import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BELOW_ZERO,
  changedPrice,
  NO_COST,
  type PriceChange,
  ROUNDINGS,
  type Rounding,
  TOO_HIGH,
} from './changed-price.ts'
import { MAX_PRICE } from './money.ts'

const price = fc.integer({ min: 0, max: MAX_PRICE })
const round = fc.constantFrom<Rounding>(...ROUNDINGS)
const percent = fc.integer({ min: -10_000, max: 100_000 }).map((hundredths) => hundredths / 100)
const base = fc.constantFrom('sales_price' as const, 'purchase_price' as const)
const change: fc.Arbitrary<PriceChange> = fc.oneof(
  fc.record({ set: price, round }),
  fc.record({ add: fc.integer({ min: -MAX_PRICE, max: MAX_PRICE }), round }),
  fc.record({ percent, of: base, round }),
)
const sales = (sold: number | null, cost: number, how: PriceChange, least?: number) =>
  changedPrice(how, 'sales_price', { sales_price: sold, purchase_price: cost }, least)
const got = (answer: ReturnType<typeof changedPrice>) => ('price' in answer ? answer.price : answer.problem)

/** Whether a price has the ending that a rounding wants. A price of 0 counts only for roundings to .00. */
function ends(amount: number, how: Rounding): boolean {
  if (how === 'none') return true
  return how === '.99' ? amount % 100 === 99 : amount % (how === '.00' ? 100 : 500) === 0
}

test('every price is whole hundredths from 0 to the highest one, and ends as asked', () => {
  fc.assert(
    fc.property(price, price, change, fc.boolean(), (sold, cost, how, isKept) => {
      const answer = sales(sold, cost, how, isKept ? cost : undefined)
      if ('problem' in answer) return [BELOW_ZERO, NO_COST, TOO_HIGH].includes(answer.problem)
      const { price } = answer
      return (
        price !== null &&
        Number.isInteger(price) &&
        price >= 0 &&
        price <= MAX_PRICE &&
        ends(price, how.round ?? 'none') &&
        (!isKept || price >= cost)
      )
    }),
  )
})

test('a percentage is worked out without a floating point: half a cent up, and no further than half a step', () => {
  fc.assert(
    fc.property(price, percent, (sold, percent) => {
      const exact = BigInt(sold) * BigInt(10_000 + Math.round(percent * 100))
      const answer = sales(sold, 0, { percent, of: 'sales_price' })
      if ('problem' in answer) return exact > BigInt(MAX_PRICE) * 10_000n
      const off = BigInt(answer.price!) * 10_000n - exact
      return -5_000n < off && off <= 5_000n
    }),
  )
  fc.assert(
    fc.property(price, round, (set, round) => {
      const step = { none: 0, '.99': 50, '.00': 50, '5.00': 250 }[round]
      const answer = sales(null, 0, { set, round })
      if ('problem' in answer) return set + step >= MAX_PRICE
      return set < 2 * step || Math.abs(answer.price! - set) <= step
    }),
  )
})

test('a higher price never becomes a lower one than a lower price does', () => {
  fc.assert(
    fc.property(price, price, percent, round, (a, b, percent, round) => {
      const priced = (sold: number) => sales(sold, 0, { percent, of: 'sales_price', round })
      const [low, high] = [priced(Math.min(a, b)), priced(Math.max(a, b))]
      return 'problem' in high || ('price' in low && low.price! <= high.price!)
    }),
  )
})

test.each<[PriceChange, number | string | null]>([
  [{ percent: 5, of: 'sales_price', round: '.99' }, 31_499],
  [{ percent: 5, of: 'sales_price' }, 31_500],
  [{ percent: 5, of: 'sales_price', round: '5.00' }, 31_500],
  [{ percent: -12.34, of: 'sales_price', round: '.00' }, 26_300],
  [{ percent: 35, of: 'purchase_price', round: '.99' }, 26_999],
  [{ percent: -100, of: 'sales_price' }, 0],
  [{ add: -500, round: '5.00' }, 29_500],
  [{ add: -30_001 }, BELOW_ZERO],
  [{ set: 24_949, round: '.99' }, 24_999],
  [{ set: 24_948, round: '.99' }, 24_899],
  [{ set: 3, round: '5.00' }, 500],
  [{ set: 0, round: '5.00' }, 0],
  [{ set: 0, round: '.99' }, 99],
  [{ set: null, round: '.99' }, null],
  [{ set: MAX_PRICE, round: '.99' }, 99_999_999],
  [{ add: MAX_PRICE }, TOO_HIGH],
])('a price of 300.00 that cost 200.00: %j', (how, expected) => {
  expect(got(sales(30_000, 20_000, how))).toBe(expected)
})

test.each<[cost: number, Rounding, number | string]>([
  [20_050, 'none', 20_050],
  [20_050, '.99', 20_099],
  [20_099, '.99', 20_099],
  [20_100, '.99', 20_199],
  [20_000, '.00', 20_000],
  [20_001, '.00', 20_100],
  [20_000, '5.00', 20_000],
  [20_001, '5.00', 20_500],
  [1, '.99', 99],
  [1, '5.00', 500],
  [MAX_PRICE - 99, '.00', MAX_PRICE],
  [MAX_PRICE, '5.00', MAX_PRICE],
  [MAX_PRICE, '.99', TOO_HIGH],
])(
  'a price that may not go below a cost of %d is, rounded to %s, the lowest one with that ending: %s',
  (cost, round, expected) => {
    expect(got(sales(cost, cost, { percent: -50, of: 'sales_price', round }, cost))).toBe(expected)
  },
)

test('a lowest price neither allows a price below 0 nor puts a price on an item that is to have none', () => {
  expect(got(sales(30_000, 20_000, { add: -30_001 }, 20_000))).toBe(BELOW_ZERO)
  expect(got(sales(30_000, 20_000, { set: null }, 20_000))).toBeNull()
})

test.each<[PriceChange, sold: number | null, cost: number | null, number | string]>([
  [{ add: 100 }, 30_000, 20_000, 20_100],
  [{ add: 100 }, null, 0, 100],
  [{ add: 100 }, 30_000, null, 'It has no purchase price.'],
  [{ percent: 50, of: 'sales_price' }, 30_000, null, 45_000],
  [{ percent: 50, of: 'sales_price' }, null, 20_000, 'It has no sales price.'],
  [{ percent: 50, of: 'purchase_price' }, 30_000, 20_000, 30_000],
  [{ percent: 50, of: 'purchase_price' }, 30_000, null, 'It has no purchase price.'],
])('a purchase price by %j, at a sales price of %j and a cost of %j: %j', (how, sold, cost, expected) => {
  expect(got(changedPrice(how, 'purchase_price', { sales_price: sold, purchase_price: cost }))).toBe(expected)
})

test('an item without a price has none to add to, and none to take a percentage of', () => {
  expect(got(sales(null, 20_000, { add: 100 }))).toBe('It has no sales price.')
  expect(got(sales(null, 20_000, { percent: 5, of: 'sales_price' }))).toBe('It has no sales price.')
  expect(got(sales(null, 20_000, { percent: 35, of: 'purchase_price' }))).toBe(27_000)
  // An item with a cost of 0 is refused too: a percentage of its cost would give it away.
  expect(got(sales(30_000, 0, { percent: 35, of: 'purchase_price' }))).toBe('It has no cost.')
  expect(got(sales(0, 0, { percent: 35, of: 'sales_price' }))).toBe(0)
})
