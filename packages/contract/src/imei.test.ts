import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactIdentifier, imeiKey, imeiProblem, luhnCheckDigit, passesLuhn } from './imei.ts'

const first14 = fc.stringMatching(/^\d{14}$/)

test('exactly one check digit makes 14 digits a valid IMEI', () => {
  fc.assert(
    fc.property(first14, (digits) => {
      const valid = [...'0123456789'].filter((check) => passesLuhn(digits + check))
      return valid.length === 1 && valid[0] === luhnCheckDigit(digits)
    }),
  )
})

test('one wrong digit never passes', () => {
  fc.assert(
    fc.property(first14, fc.nat(14), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
      const imei = digits + luhnCheckDigit(digits)
      const wrong = imei.slice(0, at) + ((Number(imei[at]) + by) % 10) + imei.slice(at + 1)
      return imeiProblem(imei) === null && imeiProblem(wrong) !== null
    }),
  )
})

test('14, 15 and 16 digits are forms of the same phone', () => {
  expect(imeiProblem('490154203237518')).toBeNull()
  expect(imeiProblem('49015420323751')).toBeNull()
  expect(imeiProblem('4901542032375101')).toBeNull()
  expect(new Set(['490154203237518', '49015420323751', '4901542032375101'].map(imeiKey)).size).toBe(1)
})

test('spaces and dashes are not part of an IMEI; a spreadsheet number says what happened to it', () => {
  expect(compactIdentifier(' 49-015420-323751-8 ')).toBe('490154203237518')
  expect(imeiProblem('3.56E+14')).toMatch(/spreadsheet has shortened/)
  expect(imeiProblem('3,56E+14')).toMatch(/spreadsheet has shortened/)
  expect(imeiProblem('1234567890123')).toMatch(/14 to 16 digits; this one has 13/)
  expect(imeiProblem('49015420323751A')).toMatch(/digits only/)
})
