import { expect, test } from 'vitest'
import { addressInput, addressValues, COUNTRY_CHOICES } from './address-fields.tsx'

const none = addressValues(null)

test('an address in which nothing is filled in is none, and each of its fields makes one', () => {
  const blank = { ...none, address_1: ' ', address_2: '\t', city: '  ', state: ' ', postal_code: ' ' }
  expect([addressInput(none), addressInput(blank)]).toEqual([null, null])
  for (const field of Object.keys(none)) expect(addressInput({ ...blank, [field]: 'NL' }), field).not.toBeNull()
  const address = { ...none, city: 'Ede', country_code: 'NL' }
  expect(addressInput(address)).toEqual(address)
})

test('countries stand in the order of their names', () => {
  const names = COUNTRY_CHOICES.map(({ label }) => label)
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(names.indexOf('Åland Islands')).toBeLessThan(names.indexOf('Albania'))
  expect(COUNTRY_CHOICES).toContainEqual({ value: 'NL', label: 'Netherlands' })
})
