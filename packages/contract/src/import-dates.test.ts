import { expect, test } from 'vitest'
import { bothDays, dateOf, firstOfDate, monthFirstDate } from './import-dates.ts'

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
  ['18/11/26', '2026-11-18'],
  ['18/11/26 14:33', '2026-11-18'],
  ['18-11-26', undefined],
  ['20261118', '2026-11-18'],
  ['20261318', undefined],
  ['19261118', undefined],
  ['120261118', undefined],
  ['202611180', undefined],
  ['2026/1/2', '2026-01-02'],
  ['2026.11.18', '2026-11-18'],
  ['2026-11/18', undefined],
  ['2026-11-181', undefined],
  ['12026-11-18', undefined],
  ['1.2.2026', '2026-02-01'],
  ['31.04.2026', undefined],
  ['118.11.2026', undefined],
  ['18.11.20261', undefined],
  ['18.11.202', undefined],
  ['November 18th, 2026', '2026-11-18'],
  ['1st November 2026', '2026-11-01'],
  ['2nd-Nov-26', '2026-11-02'],
  ['May 3rd 2026', '2026-05-03'],
  ['1er janvier 2026', '2026-01-01'],
  ['2e février/2026', '2026-02-02'],
  ['18 nov.26', '2026-11-18'],
  ['de 18 del noviembre 2026', '2026-11-18'],
  ['118 November 2026', undefined],
  ['18 November', undefined],
  ['18 Smarch 2026', undefined],
  ['31 April 2026', undefined],
  ['18.11.2026 9:05 pm', '2026-11-18'],
  ['18.11.2026 14:33:05,5', '2026-11-18'],
  ['18.11.2026 14:33z', '2026-11-18'],
  ['18.11.2026 14:33 -0100', '2026-11-18'],
  ['18.11.2026 14:33+01:00', '2026-11-18'],
  ['18.11.2026 , 14:33', '2026-11-18'],
  ['18.11.2026\u00a014:33', '2026-11-18'],
  ['18.11.2026 14:3', undefined],
  ['18.11.2026 114:33', undefined],
  ['18.11.2026 14:33:5', undefined],
  ['18.11.2026 14:33 +1', undefined],
  ['18.11.2026 14:33 x', undefined],
  ['18.11.2026x14:33', undefined],
  ['18.11.2026 at 14:33', undefined],
  ['14:33', undefined],
  ['18.11.2026 t14:33', undefined],
  ['2026-11-10t14:33', '2026-11-10'],
  ['2026-11-19T14:33', '2026-11-19'],
  ['18.11.2026,, 14:33', '2026-11-18'],
  ['', undefined],
  // A text of more than 64 characters is no date.
  [`  18.11.2026${' '.repeat(49)}14:33  `, '2026-11-18'],
  [`18.11.2026${' '.repeat(50)}14:33`, undefined],
])('the date of %j is %s', (text, date) => {
  expect(dateOf(text)).toBe(date)
})

const TODAY = '2026-11-25'

test('a date tells whether its day or its month stands first if one of them can be no month', () => {
  for (const text of ['13/04/2026', '13-04-2026', '13/12/2026', ' 31/1/2026 2:33 PM', '18/11/26'])
    expect([text, firstOfDate(text, TODAY)]).toEqual([text, 'day'])
  for (const text of ['04/13/2026', '4-13-2026', '12/13/2026', ' 1/31/2026 2:33 PM', '4/13/26'])
    expect([text, firstOfDate(text, TODAY)]).toEqual([text, 'month'])
  for (const text of ['03/04/2026', '12/12/2026', '13/13/2026', '13/14/2026', '31/02/2026', '10/1/2026', '03/04/26'])
    expect([text, firstOfDate(text, TODAY)]).toEqual([text, null])
})

test('a day that is still to come is proof that the other order is meant', () => {
  expect(firstOfDate('12/11/2026', TODAY)).toBe('day')
  expect(firstOfDate('11/12/2026', TODAY)).toBe('month')
  expect(firstOfDate('11/12/26', TODAY)).toBe('month')
  // One reading is tomorrow, the other is later. So the first one is right.
  expect([firstOfDate('03/12/2026', '2026-03-11'), firstOfDate('12/03/2026', '2026-03-11')]).toEqual(['month', 'day'])
  // Nothing tells which reading is right: both days are past, both are to come, or one is tomorrow, which has begun
  // elsewhere.
  for (const [text, today] of [
    ['11/12/2026', '2026-12-31'],
    ['11/12/2027', TODAY],
    ['03/12/2026', '2026-12-02'],
    ['11/12/2026', '2026-12-10'],
  ] as const)
    expect([text, firstOfDate(text, today)]).toEqual([text, null])
})

test('points have the day first; other forms tell nothing of strokes, and neither does what is no date', () => {
  expect([firstOfDate('3.4.2026', TODAY), firstOfDate('3.4.26', TODAY)]).toEqual(['day', 'day'])
  for (const text of ['2026-04-03', '3 April 2026', 'today', '', '4-13-26', '31.02.2026', '04/13-2026'])
    expect([text, firstOfDate(text, TODAY)]).toEqual([text, null])
})

test('a date that may be two days is both, and one that is the same either way is one', () => {
  expect(bothDays('11/02/2026')).toEqual({ day: '2026-02-11', month: '2026-11-02' })
  expect(bothDays('1-2-2026 9:05')).toEqual({ day: '2026-02-01', month: '2026-01-02' })
  expect(bothDays('11/02/26')).toEqual({ day: '2026-02-11', month: '2026-11-02' })
  for (const text of ['11/11/2026', '18/11/2026', '11.02.2026', '2026-11-02', '11-02-26', ''])
    expect([text, bothDays(text)]).toEqual([text, undefined])
})

test('if the month stands first, only a date of that form is read so', () => {
  expect(['11/18/2026', '3-4-2026', ' 11/18/2026 9:05 AM'].map(monthFirstDate)).toEqual([
    '2026-11-18',
    '2026-03-04',
    '2026-11-18',
  ])
  expect(monthFirstDate('11/18/26')).toBe('2026-11-18')
  for (const text of ['18/11/2026', '02/30/2026', '11.18.2026', '11-18-26', '11/18-2026', 'Nov 18 2026', ''])
    expect([text, monthFirstDate(text)]).toEqual([text, undefined])
})

test.each([' ', 't', ',', '1', '1t', ' t,', '\u0301', '\ufdfa', '1:'])(
  'a date followed by a megabyte of %j is none, and nothing but its length is looked at',
  (one) => {
    const long = `1${one.repeat(1_000_000)}x`
    for (const read of [dateOf, firstOfDate, monthFirstDate, bothDays])
      expect(read(long, TODAY) ?? undefined).toBe(undefined)
  },
)

test.each(['en', 'de', 'fr', 'nl', 'es', 'it', 'pl'])(
  'each month is known by its name in %s, and by its short one',
  (lang) => {
    for (let month = 1; month <= 12; month++)
      for (const length of ['long', 'short'] as const) {
        const parts = new Intl.DateTimeFormat(lang, { day: 'numeric', month: length, year: 'numeric', timeZone: 'UTC' })
        const name = parts
          .formatToParts(new Date(Date.UTC(2026, month - 1, 18)))
          .find(({ type }) => type === 'month')!.value
        expect([name, dateOf(`18 ${name} 2026`)]).toEqual([name, `2026-${String(month).padStart(2, '0')}-18`])
      }
  },
)
