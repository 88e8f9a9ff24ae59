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
  ' Σ ',
  'Total'.padStart(60),
])('%s adds up other rows', (cell) => {
  expect(saysSum(cell)).toBe(true)
})

test.each([
  'Total, totals, Subtotal, subtotals, Sub total, Grand total, sum, sums, Sum total, Total general, Total sum',
  'Summe, Summen, Gesamt, Gesamtsumme, Zwischensumme, Endsumme, Teilsumme, insgesamt',
  'Totaux, Total général, Sous-total, Somme, Somme totale, Montant total',
  'Totaal, Subtotaal, Sub-totaal, Eindtotaal, Algemeen totaal, Totalen, Som',
  'Totales, Suma, Sumas, Suma total, Sumatorio',
  'Totale, Totali, Totale generale, Subtotale, Sub-totale, Somma',
  'Razem, Suma, Suma częściowa, Suma końcowa, Ogółem, Łącznie, W sumie',
])('each language has its words for a total: %s', (words) => {
  expect(words.split(', ').filter((word) => !isSum(`${word}: 12 (990.00)`))).toEqual([])
})

test.each(['Samsung', 'Summer edition', 'totally fine', 'iPhone 13', 'F17AAA0002', '', 'Total'.padStart(61)])(
  '%s adds up nothing',
  (cell) => {
    expect(saysSum(cell)).toBe(false)
  },
)

test('in a sentence only the whole of it counts', () => {
  expect([isSum('Total: 6'), isSum('total loss of the display')]).toEqual([true, false])
})
