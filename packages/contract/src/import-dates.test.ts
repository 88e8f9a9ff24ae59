import { expect, test } from 'vitest'
import { dateOf, firstOfDate, monthFirstDate } from './import-dates.ts'

test.each([
  [' 18.11.2026 ', '2026-11-18'],
  ['18. November 2026.', '2026-11-18'],
  ['1 de enero del 2026', '2026-01-01'],
  ['1 Mai 26', '2026-05-01'],
  ['18 November 2026 again', undefined],
  ['18 November 202', undefined],
  ['18 November 20261', undefined],
  ['18 November no2026', undefined],
  ['November x 2026', undefined],
  ['November x18 2026', undefined],
  ['November 18x 2026', undefined],
  ['on 18.11.2026', undefined],
  ['18.11.2026x', undefined],
  ['18.11-2026', undefined],
  ['on 2026-11-18', undefined],
  ['2026-11-18x', undefined],
  ['18 August 2026 12:30', '2026-08-18'],
  ['18 août 2026, 9:05 a.m.', '2026-08-18'],
  ['2026-11-18T14:33:05.123Z', '2026-11-18'],
  ['2026-11-18 14:33:05 +0100', '2026-11-18'],
  ['18.11.2026,14:33', '2026-11-18'],
  ['18 augus t12:30', undefined],
  ['18.11.2026 25', undefined],
])('the date of %j is %s', (text, date) => {
  expect(dateOf(text)).toBe(date)
})

test('a date tells whether its day or its month stands first where one of them can be no month', () => {
  for (const text of ['13/04/2026', '13-04-2026', '13/12/2026', ' 31/1/2026 2:33 PM'])
    expect([text, firstOfDate(text)]).toEqual([text, 'day'])
  for (const text of ['04/13/2026', '4-13-2026', '12/13/2026', ' 1/31/2026 2:33 PM'])
    expect([text, firstOfDate(text)]).toEqual([text, 'month'])
  for (const text of ['03/04/2026', '12/12/2026', '13/13/2026', '12/1/2026'])
    expect([text, firstOfDate(text)]).toEqual([text, null])
})

test('a form of its own has the day first, and what is no date tells nothing', () => {
  for (const text of ['3.4.2026', '2026-04-03', '3 April 2026', 'April 3rd, 2026'])
    expect([text, firstOfDate(text)]).toEqual([text, 'day'])
  for (const text of ['today', '', '4/13/26', '31.02.2026', '04/13-2026'])
    expect([text, firstOfDate(text)]).toEqual([text, null])
})

test('where the month stands first, only a date of that form is read so', () => {
  expect(['11/18/2026', '3-4-2026', ' 11/18/2026 9:05 AM'].map(monthFirstDate)).toEqual([
    '2026-11-18',
    '2026-03-04',
    '2026-11-18',
  ])
  for (const text of ['18/11/2026', '02/30/2026', '11.18.2026', '11/18/26', '11/18-2026', 'Nov 18 2026', ''])
    expect([text, monthFirstDate(text)]).toEqual([text, undefined])
})

test.each([' ', 't', ',', '1', '1t', ' t,', '\u0301', '\ufdfa', '1:'])(
  'a date followed by a megabyte of %j is none, and nothing but its length is looked at',
  (one) => {
    const long = `1${one.repeat(1_000_000)}x`
    for (const read of [dateOf, firstOfDate, monthFirstDate]) expect(read(long) ?? undefined).toBe(undefined)
  },
)
