import { expect, test } from 'vitest'
import { asksForSupplyDay, isSuppliedWhenIssued, SUPPLY_DAYS } from './supply-day.ts'
import { USUAL_CATEGORIES } from './usual-categories.ts'
import { usualVat } from './usual-vat.ts'

test.each([
  [8.1, 'CH'],
  [17, 'LU'],
  [18, 'MT'],
  [19, 'CY DE'],
  [20, 'AT BG FR GB'],
  [21, 'BE CZ ES LT LV NL RO'],
  [22, 'IT SI'],
  [23, 'IE PL PT SK'],
  [24, 'EE GR'],
  [25, 'DK HR NO SE'],
  [25.5, 'FI'],
  [27, 'HU'],
])('the standard rate is %s% in %s', (rate, countries) => {
  for (const country of countries.split(' '))
    expect([country, ...usualVat(country)]).toEqual([
      country,
      { name: 'Standard', rate, treatment: 'standard' },
      { name: 'Margin scheme', rate: 0, treatment: 'margin' },
    ])
})

test('nothing is proposed for a country whose rate is not known', () => {
  expect(['US', 'XX', null].flatMap(usualVat)).toEqual([])
})

test('a new shop is offered the categories of the trade', () => {
  expect(USUAL_CATEGORIES.join(', ')).toBe('Smartphones, Tablets, Laptops, Watches, Accessories')
})

test('Germany and Austria ask for a date of supply on each invoice; a shop may choose another way', () => {
  const countries = ['DE', 'AT', 'FR', null]
  expect(countries.map(asksForSupplyDay)).toEqual([true, true, false, false])
  expect(SUPPLY_DAYS.map((set) => countries.map((country) => isSuppliedWhenIssued(set, country)))).toEqual([
    [true, true, false, false],
    [true, true, true, true],
    [false, false, false, false],
  ])
})
