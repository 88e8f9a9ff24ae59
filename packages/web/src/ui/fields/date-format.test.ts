import { expect, test } from 'vitest'
import { dateProblem, formatDate, parseDate } from './date-format.ts'

test('reads dd/MM/yyyy, padded or not, and only days of the calendar', () => {
  expect(parseDate('05/03/2026', 'dd/MM/yyyy')).toBe('2026-03-05')
  expect(parseDate('29/02/2028', 'dd/MM/yyyy')).toBe('2028-02-29')
  expect(parseDate('5/3/2026', 'dd/MM/yyyy')).toBe('2026-03-05')
  for (const bad of ['29/02/2026', '31/04/2026', '31/4/2026', '2026-03-05', '05/03/26', '05.03.2026', '00/01/2026'])
    expect(parseDate(bad, 'dd/MM/yyyy'), bad).toBeNull()
  expect(formatDate('2026-03-05', 'dd/MM/yyyy')).toBe('05/03/2026')
})

test('reads purchase dates as yyyy-mm-dd, padded or not', () => {
  expect(parseDate('2026-03-05', 'yyyy-mm-dd')).toBe('2026-03-05')
  expect(parseDate('2026-3-5', 'yyyy-mm-dd')).toBe('2026-03-05')
  expect(parseDate('2026-2-30', 'yyyy-mm-dd')).toBeNull()
  expect(parseDate('26-3-5', 'yyyy-mm-dd')).toBeNull()
  expect(parseDate('05/03/2026', 'yyyy-mm-dd')).toBeNull()
})

test('says which rule a date breaks', () => {
  expect(dateProblem('31/02/2026', 'dd/MM/yyyy')).toBe('There is no 31/02/2026 in the calendar.')
  expect(dateProblem('2026-2-30', 'yyyy-mm-dd')).toBe('There is no 2026-02-30 in the calendar.')
  expect(dateProblem('tomorrow', 'dd/MM/yyyy')).toBe('Must be a date as dd/MM/yyyy.')
  expect(dateProblem('01/01/2027', 'dd/MM/yyyy', '2026-12-31')).toBe('Must not be after 31/12/2026.')
  expect(dateProblem('1/1/2027', 'dd/MM/yyyy', '2026-12-31')).toBe('Must not be after 31/12/2026.')
  expect(dateProblem('31/12/2026', 'dd/MM/yyyy', '2026-12-31')).toBeNull()
  expect(dateProblem('', 'dd/MM/yyyy', '2026-12-31')).toBeNull()
})
