import { expect, test } from 'vitest'
import { linesOf } from './look-up.ts'

test('the columns of a pasted line stay, and empty lines do not', () => {
  expect(linesOf('350000090000197\tOne\t249.90\r\n\n - \n  350000090000205 ')).toEqual([
    '350000090000197\tOne\t249.90',
    '350000090000205',
  ])
})
