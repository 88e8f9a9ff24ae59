import { expect, test } from 'vitest'
import { AccountingQuery, BookedDocumentsQuery } from './accounting.ts'
import { daysIn, fiscalYearStart } from './period.ts'

test.each([
  ['2026-11-27', '2026-11-27', 1],
  ['2026-11-27', '2026-12-01', 5],
  ['2028-02-28', '2028-03-01', 3],
  ['2026-03-28', '2026-03-30', 3],
])('from %s to %s there are %i days, both included', (from, to, days) => {
  expect(daysIn(from, to)).toBe(days)
})

test.each([
  ['2026-11-27', 1, '2026-01-01'],
  ['2026-04-01', 4, '2026-04-01'],
  ['2026-03-31', 4, '2025-04-01'],
  ['2026-11-30', 12, '2025-12-01'],
  ['2026-12-01', 12, '2026-12-01'],
])('%s is in the fiscal year from month %i that began on %s', (day, month, start) => {
  expect(fiscalYearStart(day, month)).toBe(start)
})

test.each([
  [{}, null],
  [{ from: '', to: '' }, null],
  [{ from: '2026-11-27', to: '2026-11-27' }, null],
  [{ from: '2024-01-01', to: '2026-12-31' }, null],
  [{ from: '2024-01-01', to: '2027-01-01' }, 'must be at most three years after from'],
  [{ from: '2026-11-27', to: '2026-11-26' }, 'must not be before from'],
  [{ from: '2026-11-27' }, 'must come together with from'],
  [{ to: '2026-11-27', from: '' }, 'must come together with from'],
])('the books of a period %j', (period, problem) => {
  for (const schema of [AccountingQuery, BookedDocumentsQuery]) {
    const { error } = schema.safeParse(period)
    expect(error?.issues.map(({ path, message }) => [path, message]) ?? null).toEqual(problem && [[['to'], problem]])
  }
})
