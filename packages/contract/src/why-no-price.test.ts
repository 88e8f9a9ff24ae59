import { expect, test } from 'vitest'
import { unpricedItems, whyNoPrice } from './why-no-price.ts'

test.each([
  ['abc', 'Must be a price such as 249.90, at most 1,000,000.00.'],
  [' -5', 'Must not be negative.'],
])('%j is not a price', (text, message) => {
  expect(whyNoPrice(text)).toBe(message)
})

test('one item without a price is named, and several are', () => {
  expect(unpricedItems([{ id: 7 }])).toBe('Must be a price such as 249.90: item #7.')
  expect(unpricedItems([{ id: 7 }, { id: 9 }])).toBe('Must be a price such as 249.90: items #7, #9.')
})
