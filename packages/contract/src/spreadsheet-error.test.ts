import { expect, test } from 'vitest'
import { spreadsheetError } from './spreadsheet-error.ts'

test.each(
  [
    '#N/A #NV #WERT! #BEZUG! #DIV/0! #NAME? #ZAHL! #VALEUR! #NOMBRE! #¡VALOR! #¿NOMBRE? #VALORE! #ARG! #LICZBA! #ADR!',
    '#WAARDE! #GETAL! #VERW! #value! Err:502',
  ].flatMap((line) => line.split(' ')),
)('%s is an error of a spreadsheet', (cell) => {
  expect(spreadsheetError(cell)).toBe(cell)
  expect(spreadsheetError(`'${cell} `)).toBe(cell)
})

test.each(['N/A', '#7', '#12345', 'REF!', 'Error', '', '#'.repeat(1000)])('%s is none', (cell) => {
  expect(spreadsheetError(cell)).toBeNull()
})
