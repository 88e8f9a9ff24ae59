import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoDateText, numberFormat, numberText } from './number-text.ts'

const shown = (value: string, code: string | number = 0, is1904 = false) =>
  numberText(value, typeof code === 'number' ? numberFormat(code, undefined) : numberFormat(164, code), is1904)

test.each([
  ['490154203237518', '490154203237518'],
  ['4.90154203237518E+14', '490154203237518'],
  ['249.90000000000001', '249.9'],
  ['0.30000000000000004', '0.3'],
  ['249', '249'],
  ['1E-3', '0.0010'],
  ['1.234', '1.2340'],
  ['-5.5', '-5.5'],
  ['x', 'x'],
])('%s is %s', (value, text) => {
  expect(shown(value)).toBe(text)
})

test.each([
  ['999999999999999', '999999999999999'],
  ['1000000000000000', '1E+15'],
  ['4901542032375187', '4.90154203237519E+15'],
  ['3.5693803564380902E+15', '3.56938035643809E+15'],
  ['89049032000000000000000000000000', '8.9049032E+31'],
])('%s has lost its last digits: %s', (value, text) => {
  expect(shown(value)).toBe(text)
})

test('numbers are shown by their format, if that says more than the number', () => {
  expect(shown('83.333333', '0.00')).toBe('83.33')
  expect(shown('83.333333', 4)).toBe('83.33')
  expect(shown('1249.5', '#,##0.00\\ "€"')).toBe('1249.5')
  expect(shown('1249.555', '_-* #,##0.00\\ [$€-407]_-')).toBe('1249.56')
  expect(shown('12345678901234', '000000000000000')).toBe('012345678901234')
  expect(shown('0.21', 9)).toBe('21%')
  expect(shown('0.055', '0.0%')).toBe('5.5%')
  expect(shown('83.333', 'General')).toBe('83.3330')
})

// Excel writes these formats for its buttons and menus: currency, accounting, thousands, and codes of a fixed length.
test.each([
  ['241.53333333', '#,##0.00_);(#,##0.00)', '241.53'],
  ['241.53333333', '#,##0.00\\ "€";[Red]\\-#,##0.00\\ "€"', '241.53'],
  ['241.53333333', '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', '241.53'],
  ['241.53333333', '_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)', '241.53'],
  ['241.53333333', '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', '241.53333333'],
  ['123', '00000;-00000', '00123'],
  ['123', '00000;;"none"', '00123'],
  ['0.21', '0%;-0%', '21%'],
  ['241.53333333', 39, '241.53'],
  ['241.53333333', 40, '241.53'],
  ['241.53333333', 43, '241.53'],
  ['241.53333333', 44, '241.53'],
  ['241.53333333', 41, '241.53333333'],
])('%s in the format %s is %s', (value, code, text) => {
  expect(shown(value, code)).toBe(text)
})

test.each<[string, string | number, boolean?]>([
  ['46344', 14],
  ['46344', 'dd.mm.yyyy'],
  ['46344', '[$-407]d\\.\\ mmmm\\ yyyy;@'],
  ['44882', 'yyyy-mm-dd', true],
])('%s in the format %s is the 18th of November 2026', (value, code, is1904) => {
  expect(shown(value, code, is1904)).toBe('2026-11-18')
})

test('a day has its time if there is one; times and colours are no days', () => {
  expect(shown('46344.604166666664', 22)).toBe('2026-11-18 14:30')
  expect(shown('0.5', 'h:mm')).toBe('0.5')
  expect(shown('5', '[Red]0;"day"0')).toBe('5')
  expect(shown('-1', 14)).toBe('-1')
  expect(shown('1e12', 14)).toBe('1e12')
  expect(['2026-11-18T00:00:00', '2026-11-18', '2026-11-18T14:30:00'].map(isoDateText)).toEqual([
    '2026-11-18',
    '2026-11-18',
    '2026-11-18 14:30:00',
  ])
})

test('every number of 15 digits stays whole, also with an exponent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (whole) => {
      expect(shown(String(whole))).toBe(String(whole))
      expect(shown(Number(whole).toExponential())).toBe(String(whole))
    }),
  )
})
