import { expect, test } from 'vitest'
import { proposedAmount } from './entry-lines.tsx'

test.each([
  ['the open amount, if the entry has more left', 5_000, 3_000, 3_000],
  ['all that is left, if more is open', 2_000, 3_000, 2_000],
  ['both, if they are equal', 3_000, 3_000, 3_000],
  ['all that is left, if nothing is open', 5_000, 0, 5_000],
  ['all that is left, if the shop owes the customer', 5_000, -100, 5_000],
  ['nothing, if nothing is left', 0, 3_000, null],
  ['nothing, if the other lines are too much', -500, 3_000, null],
  ['nothing, if they are too much and nothing is open', -500, 0, null],
])('a sale of an entry is proposed %s', (_, left, open, amount) => {
  expect(proposedAmount(left, open)).toBe(amount)
})
