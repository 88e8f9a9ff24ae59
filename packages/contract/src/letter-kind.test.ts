import { expect, test } from 'vitest'
import { isStated, levelName, nextLevel, REMINDER_LEVELS, skippingTo, whyNotReminded } from './letter-kind.ts'

const TODAY = '2026-11-27'
const LATE = { document_id: 7, number: '2026-00042', open: 1, due_on: '2026-11-26', is_sent: true }

test.each([
  [{}, null],
  [{ open: 0 }, '2026-00042 is paid.'],
  [{ open: -500 }, '2026-00042 is paid.'],
  [{ due_on: TODAY }, '2026-00042 is not overdue.'],
  [{ due_on: null }, '2026-00042 is not overdue.'],
  [{ is_sent: false }, '2026-00042 has not been sent to the customer yet.'],
  [{ number: null }, 'This sale has no invoice.'],
  [{ document_id: null }, 'This sale has no invoice.'],
])('a reminder of an overdue invoice with %j', (change, why) => {
  expect(whyNotReminded({ ...LATE, ...change }, TODAY)).toBe(why)
})

test.each([
  [{ number: '1', open: 100, is_sent: true }, true],
  [{ number: '1', open: 100, is_sent: false }, false],
  [{ number: null, open: 100, is_sent: true }, false],
  [{ number: '1', open: -1, is_sent: false }, true],
  [{ number: null, open: -1, is_sent: false }, true],
  [{ number: '1', open: 0, is_sent: false }, false],
])('a statement lists %j: %s', (item, listed) => {
  expect(isStated(item)).toBe(listed)
})

test.each([
  [[null], 1],
  [[1], 2],
  [[2, 3], 3],
  [[3, 3], 3],
  [[3, null], 1],
  [[3, 1, 2], 2],
] as const)('after the levels %j comes level %i: that of the invoice with the fewest reminders', (last, next) => {
  expect(nextLevel(last)).toBe(next)
})

test('a level skips the invoices that have not had the level before it', () => {
  const items = [null, 1, 2, 3].map((last_level) => ({ last_level: last_level as 1 | 2 | 3 | null }))
  const skipped = REMINDER_LEVELS.map((level) => skippingTo(level, items).map(({ last_level }) => last_level))
  expect(skipped).toEqual([[], [null], [null, 1]])
  expect(REMINDER_LEVELS.map(levelName)).toEqual([
    'Level 1, friendly reminder',
    'Level 2, second reminder',
    'Level 3, final notice',
  ])
})
