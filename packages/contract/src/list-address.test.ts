import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, addressProblem, canonicalAddress, MAX_ADDRESS, readAddress } from './list-address.ts'
import { plainName } from './plain-text.ts'

const name = fc.stringMatching(/^[a-z][a-z_]{0,12}$/).filter((name) => !['page', 'per_page', 'view'].includes(name))
const said = fc.dictionary(name, fc.string({ unit: 'grapheme', maxLength: 30 }), { maxKeys: 6, noNullPrototype: true })

test('an address reads back as it was written', () => {
  fc.assert(
    fc.property(said, (said) => {
      const address = addressOf(said)
      const plain = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, plainName(value)]))
      expect(readAddress(address)).toEqual(plain)
    }),
  )
})

test('all that mean the same are written in one way, and that way is written as it is', () => {
  fc.assert(
    fc.property(said, fc.integer({ min: 1, max: 99 }), (said, n) => {
      const address = addressOf(said)
      expect(canonicalAddress(address)).toBe(address)
      const other = Object.entries(said)
        .reverse()
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      const whole = `/admin/stock?${[...other, `page=${n}`, `view=${n}`].join('&')}`
      expect(canonicalAddress(`${whole}&per_page=${n}`)).toBe(address)
    }),
  )
  expect(canonicalAddress('b=2&a=1&b=3&page=7')).toBe('a=1&b=3')
  // Only the first question mark and the first equals sign have a meaning.
  expect(canonicalAddress('/admin/stock?search=a=b?')).toBe('search=a%3Db%3F')
  expect(addressOf({ columns: 'id,attr:Zone', status: '', search: 'a b', none: undefined })).toBe(
    'columns=id,attr%3AZone&search=a+b&status=',
  )
})

test('any text is either a problem or an address that says the same again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters()), (text) => {
      if (addressProblem(text) !== null) return
      const address = canonicalAddress(text)
      expect(addressProblem(address)).toBeNull()
      expect(canonicalAddress(address)).toBe(address)
      expect(address).toMatch(/^[!-~]*$/)
    }),
  )
})

test.each([
  ['search=%00', /control character/],
  ['search=a%0Ab', /one line/],
  ['a b=1', /address of a list/],
  ['__proto__=1', /address of a list/],
  [`search=${'x'.repeat(MAX_ADDRESS)}`, /At most 2,000/],
  [`search=${'é'.repeat(400)}`, /At most 2,000/],
  ['search=%ed%a0%80&status=In+Stock', null],
])('%s', (text, problem) => {
  if (problem) expect(addressProblem(text)).toMatch(problem)
  else expect(addressProblem(text)).toBeNull()
})
