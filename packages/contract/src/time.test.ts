import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInFuture } from './future-day.ts'
import { duration, isCalendarDate, isMonday, timeAgo } from './time.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3600, 86_400]
test.each([
  [-5, 'a few seconds'],
  [9.4, 'a few seconds'],
  [9.5, '10 seconds'],
  [44 * SECOND, '44 seconds'],
  [45 * SECOND, '1 minute'],
  [89, '1 minute'],
  [90, '2 minutes'],
  [45 * MINUTE - 1, '45 minutes'],
  [45 * MINUTE, '1 hour'],
  [21 * HOUR - 1, '21 hours'],
  [21 * HOUR, '1 day'],
  [26 * DAY - 1, '26 days'],
  [26 * DAY, '1 month'],
  [336 * DAY - 1, '11 months'],
  [336 * DAY, '1 year'],
  [730 * DAY, '2 years'],
])('%s seconds are %s', (seconds, words) => {
  expect(duration(seconds * 1000)).toBe(words)
  expect(timeAgo('2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1) + seconds * 1000)).toBe(`${words} ago`)
})

test('every day of the calendar since 1900 is one, and a Monday comes every seventh', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 80_000 }), (days) => {
      const text = new Date(Date.UTC(1900, 0, 1 + days)).toISOString().slice(0, 10)
      return isCalendarDate(text) && isMonday(text) === (days % 7 === 0)
    }),
  )
})

test.each([
  ...['1899-12-31', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '26-01-01'],
  ...['2026-1-01', '2026-01-1', ' 2026-01-01', '2026-01-012', '02026-01-01', '2026-01-01T00:00:00Z', ''],
])('%j is no day', (text) => {
  expect([isCalendarDate(text), isMonday(text)]).toEqual([false, false])
})

test.each([
  ['2026-12-31', '2026-12-31', false],
  ['2027-01-01', '2026-12-31', false],
  ['2027-01-02', '2026-12-31', true],
  ['2028-02-29', '2028-02-28', false],
  ['2028-03-01', '2028-02-28', true],
  ['2026-03-30', '2026-03-29', false],
])('%s is in the future on %s: %s', (day, today, future) => {
  expect(isInFuture(day, today)).toBe(future)
})
