import { expect, test } from 'vitest'
import { marginOf, marginPercent } from './stock-figures.ts'

test('a margin is the price less the cost; without a price there is none', () => {
  expect(marginOf({ sales_price: 14_990, cost: 10_000 })).toBe(4990)
  expect(marginPercent({ sales_price: 14_990, cost: 10_000 })).toBe(33.3)
  expect(marginPercent({ sales_price: 100, cost: 250 })).toBe(-150)
  expect([marginOf({ sales_price: null, cost: 1 }), marginPercent({ sales_price: null, cost: 1 })]).toEqual([
    null,
    null,
  ])
  expect(marginPercent({ sales_price: 0, cost: 1 })).toBeNull()
})
