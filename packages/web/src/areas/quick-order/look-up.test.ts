import { expect, test } from 'vitest'
import { linesOf, missedLines, withoutLines } from './look-up.ts'

test('the columns of a pasted line stay, and empty lines do not', () => {
  expect(linesOf('350000090000197\tOne\t249.90\r\n\n - \n  350000090000205 ')).toEqual([
    '350000090000197\tOne\t249.90',
    '350000090000205',
  ])
})

test('a line without an item says if its IMEI is mistyped', () => {
  expect(missedLines(['350000090000197', '35-000009 000019 8', 'NOT-HERE'])).toEqual([
    '350000090000197',
    'The check digit of IMEI 350000090000198 is wrong: look for a typing mistake.',
    'NOT-HERE',
  ])
})

test('lines that are done leave the text, however they are written, and all others stay', () => {
  const text = '35-000009 000019 7\nSN-1\n\n350000090000205\n'
  expect(withoutLines(text, ['350000090000197', 'sn-1'])).toBe('350000090000205\n')
  expect(withoutLines('SN-1\r\n350000090000205', ['SN-1', '350000090000205'])).toBe('')
})
