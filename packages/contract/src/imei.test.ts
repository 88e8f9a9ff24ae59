import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compactIdentifier,
  hexadecimalMeid,
  imeiByForm,
  imeiKey,
  imeiProblem,
  luhnCheckDigit,
  mistypedImei,
  passesLuhn,
  withLostZero,
} from './imei.ts'

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

test('spaces and dashes are not part of an IMEI', () => {
  expect(compactIdentifier(' 49-015420\u2010323751‐–—―−\t8 ')).toBe('490154203237518')
})

const DIGITS = 'An IMEI has digits only.'
const shortened = (imei: string) =>
  `A spreadsheet has shortened this IMEI to ${imei}: format the column as text and export it again.`
const length = (n: number) => `An IMEI has 14 to 16 digits; this one has ${n}.`
test.each<(string | null)[]>([
  ...['3.56E+14', '3,5612E+14', '35E+14', '3.56e14', '3.56E+1'].map((imei) => [imei, shortened(imei)]),
  ...['49015420323751A', 'A49015420323751', '', '3.56E+14x', 'x3.56E+14', '3.56E+', '3.56'].map((imei) => [
    imei,
    DIGITS,
  ]),
  ['1234567890123', length(13)],
  ['49015420323751012', length(17)],
  ['490154203237519', 'The check digit of IMEI 490154203237519 is wrong: look for a typing mistake.'],
  ['4901542032375199', null],
])('what is wrong with %j: %s', (imei, problem) => {
  expect(imeiProblem(imei!)).toBe(problem)
})

test('only 15 digits with a wrong check digit are a mistyped IMEI', () => {
  expect(mistypedImei('490154203237519')).toBe(imeiProblem('490154203237519'))
  for (const other of ['490154203237518', '49015420323751', '4901542032375190', 'F17QUOTED01', ''])
    expect(mistypedImei(other), other).toBeNull()
})

test('a phone is known by its first 14 digits', () => {
  expect(imeiKey('490154203237518')).toBe('49015420323751')
})

test('a zero that a spreadsheet has taken off an IMEI is put back if nothing else can be meant', () => {
  expect(withLostZero('13880001234566')).toBe('013880001234566')
  for (const none of ['13880001234567', '35000009000019', '1388000123456', '013880001234566', 'A3880001234566', ''])
    expect(withLostZero(none)).toBeNull()
  fc.assert(
    fc.property(fc.stringMatching(/^01\d{12}$/), (first14) => {
      const imei = first14 + luhnCheckDigit(first14)
      return withLostZero(imei.slice(1)) === imei
    }),
  )
})

test('a number is an IMEI by its form: 15 digits that pass the check, or 14 that have lost their zero', () => {
  expect(imeiByForm('49-015420 323751 8')).toBe('490154203237518')
  expect(imeiByForm('13880001234566')).toBe('013880001234566')
  for (const other of ['', '490154203237519', '49015420323751', '000000000000000', 'F17QUOTED01'])
    expect(imeiByForm(other), other).toBeNull()
})

test('an MEID has one form, in whichever it is written', () => {
  expect(hexadecimalMeid('AF0123450ABCDEC')).toBe('AF0123450ABCDE')
  expect(hexadecimalMeid('293608736500703710')).toBe('AF0123450ABCDE')
  for (const other of ['AF0123450ABCDED', 'AF0123450ABCDE', '350000090000197', '999999999999999999', 'x'])
    expect(hexadecimalMeid(other)).toBe(other)
})
