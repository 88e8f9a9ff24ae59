import { expect, test } from 'vitest'
import { isForVies, vatCheckDoubt, viesSaid } from './vat-check-doubt.ts'

const check = { vat_number: 'DE136695976', checked_on: '2026-08-29', is_valid: true, reference: 'W1' }
const doubt = (more: Partial<typeof check> | null, day = '2026-11-27', days = 90, isSold = false) =>
  vatCheckDoubt('DE136695976', { check: more && { ...check, ...more }, day, days }, isSold)

test('a check carries a sale for the days that were set, and only for its own number', () => {
  expect(doubt({})).toBeNull()
  expect(doubt({}, '2026-11-28')).toMatch(/last checked with VIES on 29\/08\/2026, more than 90 days ago/)
  expect(doubt({}, '2026-08-31', 1)).toMatch(/more than 1 day ago/)
  // The sale may have been made before the check.
  expect(doubt({}, '2026-08-01')).toBeNull()
  expect(doubt(null)).toMatch(/DE136695976 has not been checked/)
  expect(doubt({ vat_number: 'DE811907980' })).toMatch(/has not been checked/)
  expect(doubt({ vat_number: 'de 136 695 976' })).toBeNull()
  expect(doubt({ is_valid: false })).toMatch(/was not valid when VIES was asked on 29\/08\/2026/)
})

test('the doubt about a sale that was made says nothing about later checks', () => {
  expect(doubt(null, '2026-11-27', 90, true)).toMatch(/ had not been checked with VIES when the sale was made\.$/)
  expect(doubt({}, '2026-11-28', 90, true)).toMatch(/ on 29\/08\/2026, more than 90 days before the sale\.$/)
  expect(doubt({}, '2026-11-27', 90, true)).toBeNull()
})

test('VIES in words, and the numbers that it knows', () => {
  expect(viesSaid(check)).toBe('Valid on 29/08/2026, reference W1')
  expect(viesSaid({ ...check, is_valid: false, reference: null })).toBe('Not valid on 29/08/2026, without a reference')
  const known = ['EL094259216', 'XI123456789', 'NL810433941B01', 'GB980780684', 'CHE123456788', '12-34', null]
  expect(known.map(isForVies)).toEqual([true, true, true, false, false, false, false])
})
