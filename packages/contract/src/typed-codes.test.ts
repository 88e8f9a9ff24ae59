import { expect, test } from 'vitest'
import { ReverseChargeRuleInput } from './reverse-charge-rule.ts'
import { VatInput } from './vat.ts'

const exemption = VatInput.shape.exemption_code
const { country_code, threshold_currency, series } = ReverseChargeRuleInput.shape

test.each([
  ['an exemption code', ' vatex-eu-132 ', 'VATEX-EU-132', exemption],
  ['an exemption code', ' ', null, exemption],
  ['an exemption code', null, null, exemption],
  ['a country', ' nl ', 'NL', country_code],
  ['a currency', 'eur ', 'EUR', threshold_currency],
  ['a series', ' rc1 ', 'RC1', series],
  ['a series', ' ', null, series],
  ['a series', null, null, series],
])('%s is stored in capitals and without blanks, and an empty one as none: %j, %j', (_, typed, stored, field) => {
  expect(field.parse(typed)).toBe(stored)
})

test.each([
  ['an exemption code', 132, exemption],
  ['an exemption code', 'VATEX-EU-1', exemption],
  ['a country', 'NLD', country_code],
  ['a country', undefined, country_code],
  ['a currency', 'EURO', threshold_currency],
  ['a currency', '€', threshold_currency],
  ['a series', '1A', series],
  ['a series', 'LONGER789', series],
  ['a series', 'cn', series],
  ['a series', 7, series],
])('%s that is none is refused: %j', (_, typed, field) => {
  expect(field.safeParse(typed).success).toBe(false)
})
