import { expect, test } from 'vitest'
import { isSum, saysSum } from './sum-row.ts'

test.each([
  'Total',
  'TOTAL:',
  'Samsung Total',
  'Total Samsung',
  'Grand total (6)',
  'Sub-total',
  'Sum',
  'Summe',
  'Gesamt: 12',
  'Zwischensumme Apple',
  'Totaal',
  'Subtotaal',
  'Total général',
  'Sous-total',
  'suma',
  'Razem',
  'Ogółem',
  'Totale',
  'Σ',
])('%s adds up other rows', (cell) => {
  expect(saysSum(cell)).toBe(true)
})

test.each(['Samsung', 'Summer edition', 'totally fine', 'iPhone 13', 'F17AAA0002', '', 'x'.repeat(500)])(
  '%s adds up nothing',
  (cell) => {
    expect(saysSum(cell)).toBe(false)
  },
)

test('in a sentence only the whole of it counts', () => {
  expect([isSum('Total: 6'), isSum('total loss of the display')]).toEqual([true, false])
})
