import { expect, test } from 'vitest'
import { choicesOf, kindOf, nameOf, periodIn, periodOf, problemOf } from './period.ts'

test('a month, quarter or year is the one that holds the day, or one some steps away', () => {
  expect(periodOf('month', '2026-02-11')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(periodOf('month', '2026-01-31', -1)).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(periodOf('quarter', '2026-12-31')).toEqual({ from: '2026-10-01', to: '2026-12-31' })
  expect(periodOf('quarter', '2026-12-31', 1)).toEqual({ from: '2027-01-01', to: '2027-03-31' })
  expect(periodOf('year', '2028-02-29', -4)).toEqual({ from: '2024-01-01', to: '2024-12-31' })
})

test('days that are a whole month, quarter or year count as such, unless days are asked for', () => {
  expect(kindOf({ from: '2026-10-01', to: '2026-10-31' }, undefined)).toBe('month')
  expect(kindOf({ from: '2026-10-01', to: '2026-12-31' }, undefined)).toBe('quarter')
  expect(kindOf({ from: '2026-01-01', to: '2026-12-31' }, undefined)).toBe('year')
  expect(kindOf({ from: '2026-10-01', to: '2026-10-30' }, 'month')).toBe('days')
  expect(kindOf({ from: '2026-10-01', to: '2026-10-31' }, 'days')).toBe('days')
})

test('an address that names no period, or one that the server refuses, counts as none', () => {
  expect(periodIn({ from: '2026-10-01', to: '2026-10-31' })).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  for (const address of [
    {},
    { from: '2026-10-01' },
    { from: '2026-10-02', to: '2026-10-01' },
    { from: '2026-02-30', to: '2026-10-01' },
    { from: '2020-01-01', to: '2026-10-01' },
  ])
    expect(periodIn(address)).toBeUndefined()
})

test('two days that are no period are told why', () => {
  expect(problemOf('2026-02-30', '2026-10-01')).toBe('Must be a date.')
  expect(problemOf('2026-10-02', '2026-10-01')).toBe('Before the first day.')
  expect(problemOf('2020-01-01', '2026-10-01')).toBe('More than three years.')
  expect(problemOf('2026-10-01', '2026-10-01')).toBeNull()
})

test('the choices begin with today’s period, and include the chosen one', () => {
  const chosen = periodOf('quarter', '2001-05-05')
  const choices = choicesOf('quarter', '2026-11-23', chosen)
  expect(choices[0]).toEqual({ value: '2026-10-01', label: 'Q4 2026' })
  expect(choices.at(-1)).toEqual({ value: '2001-04-01', label: 'Q2 2001' })
  expect(nameOf('month', periodOf('month', '2026-10-05'))).toBe('October 2026')
  // A chosen period that is offered anyway is there once. The oldest one is three, four or ten years old.
  const today = '2026-11-23'
  expect(
    (['month', 'quarter', 'year'] as const).map((kind) => {
      const all = choicesOf(kind, today, periodOf(kind, today, -1))
      return [all.length, all[0]?.label, all[1]?.label, all.at(-1)?.label]
    }),
  ).toEqual([
    [36, 'November 2026', 'October 2026', 'December 2023'],
    [16, 'Q4 2026', 'Q3 2026', 'Q1 2023'],
    [10, '2026', '2025', '2017'],
  ])
  // A later period than today's comes first.
  expect(choicesOf('year', today, periodOf('year', today, 1))[0]?.label).toBe('2027')
})
