import { expect, test } from 'vitest'
import { correctedTaxes, type SoldTax } from './corrected-tax.ts'
import type { SaleTax } from './treatment-of.ts'

const place = (country_code: string) => ({ country_code, postal_code: '1000' })
const to = (country: string, vat_number: string | null): SaleTax => ({
  seller: { ...place('NL'), vat_number: 'NL810433941B01' },
  buyer: { ...place(country), vat_number },
  delivery: place(country),
  rule: null,
})
const STANDARD = { treatment: 'standard' as const, rate: 2100, why: 'As its VAT type says.' }
const line = (patch: Partial<SoldTax> = {}): SoldTax => ({
  ...{ purchase: 'unknown', vat: { rate: 2100, treatment: 'standard' }, isReverseChargeGood: false, price: 10_000 },
  ...{ sold: STANDARD, wanted: undefined, ...patch },
})
const BY_HAND = { ...STANDARD, why: 'Chosen by hand.' }
const margin = (patch: Partial<SoldTax> = {}) => line({ purchase: 'margin', ...patch })
const UNDER_SCHEME = { ...line(), purchase: 'margin' as const }
const taken = (one: SoldTax, was: SaleTax, now: SaleTax) => {
  const [{ taken: it, isKept }] = correctedTaxes([one], [], { was, now }, false) as [
    ReturnType<typeof correctedTaxes>[0],
  ]
  return [it.treatment, it.rate, isKept]
}

const HOME = to('NL', null)
const GERMAN = to('DE', 'DE136695976')
test.each([
  ['nothing is asked, nothing changes', line(), HOME, HOME, ['standard', 2100, true]],
  [
    'also where the rules would not say so',
    line({ sold: { ...STANDARD, rate: 1900 } }),
    HOME,
    HOME,
    ['standard', 1900, true],
  ],
  ['another address at home', line(), HOME, to('NL', 'NL123456782B90'), ['standard', 2100, true]],
  ['another state and a number there', line(), HOME, GERMAN, ['intra_community', 0, false]],
  [
    'the number was none',
    line({ sold: { treatment: 'intra_community', rate: 0, why: '' } }),
    GERMAN,
    to('DE', null),
    ['standard', 2100, false],
  ],
  ['a scheme chosen by hand', margin({ sold: BY_HAND }), HOME, GERMAN, ['standard', 2100, true]],
  ['the goods left the Union', margin({ sold: BY_HAND }), HOME, to('CH', null), ['export', 0, false]],
  [
    'a person chooses the other that is allowed',
    line({ sold: { treatment: 'intra_community', rate: 0, why: '' }, wanted: 'standard' }),
    GERMAN,
    GERMAN,
    ['standard', 2100, false],
  ],
  ['an item bought under the scheme since', line({ now: UNDER_SCHEME }), HOME, HOME, ['margin', 0, false]],
  [
    'one bought under the scheme since, which leaves the Union as before',
    line({ sold: { treatment: 'export', rate: 0, why: '' }, now: UNDER_SCHEME }),
    to('CH', null),
    to('CH', null),
    ['export', 0, true],
  ],
  ['a choice that needs the scheme', margin({ sold: BY_HAND, now: line() }), HOME, HOME, ['standard', 2100, false]],
  ['wanted as it was sold', line({ wanted: 'standard' }), HOME, GERMAN, ['standard', 2100, true]],
] as const)('%s', (_, one, was, now, wanted) => {
  expect(taken(one, was, now)).toEqual(wanted)
})

test('a correction that is impossible says why', () => {
  const [first] = correctedTaxes([line({ wanted: 'margin' })], [], { was: HOME, now: HOME }, false)
  expect(first!.taken.problem).toBe('the item was not bought under the margin scheme')
})
