import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactBankNumber } from './bank-number.ts'
import { ibanProblem } from './iban-check.ts'
import { shownIban, shownVatNumber, storedBic, storedIban, storedVatNumber } from './party-numbers.ts'
import { vatNumberProblem } from './vat-number-check.ts'
import { compactVatNumber, stateOfVatNumber } from './vat-territory.ts'

const REAL =
  `ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 ESB58378431
   FI20774740 FR40303265045 GB980780684 HR33392005961 HU12892312 IE6433435F IT00743110157 LT119511515 LU15027442
   LV40003521600 MT11679112 NL004495445B01 PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619
   XI980780684`.split(/\s+/)

test.each(REAL)(
  '%s is a VAT number, also with blanks, dots and dashes; with another letter or digit it is none',
  (real) => {
    expect(vatNumberProblem(real)).toBeNull()
    expect(
      vatNumberProblem(` ${real.slice(0, 2).toLowerCase()} ${real.slice(2, 5)}.${real.slice(5, 8)}-${real.slice(8)} `),
    ).toBeNull()
    expect(vatNumberProblem(`${real}7777777`)).toMatch(
      /does not look like a valid .+ VAT number: such numbers have a different format\.$/,
    )
    // Each scheme notices a change of at least one of the number's digits. Most notice a change of any digit.
    const changed = [...real].flatMap((sign, n) =>
      /\d/.test(sign) ? [real.slice(0, n) + ((Number(sign) + 1) % 10) + real.slice(n + 1)] : [],
    )
    expect(changed.some((number) => vatNumberProblem(number)?.endsWith('its check digits do not match.'))).toBe(true)
  },
)

test('the message for a wrong VAT number names its state’s rule', () => {
  expect(vatNumberProblem('PL8567346216')).toBe(
    'This does not look like a valid Polish VAT number: its check digits do not match.',
  )
  expect(vatNumberProblem('XI980780685')).toBe(
    'This does not look like a valid Northern Irish VAT number: its check digits do not match.',
  )
  expect(vatNumberProblem('DE 12', null, 'DE 12')).toBe(
    'DE 12 does not look like a valid German VAT number: such numbers have a different format.',
  )
  expect(vatNumberProblem('GR094259216')).toBe(
    'This does not look like a valid VAT number: a Greek one begins with EL.',
  )
})

test('a number without letters is told of if its holder is in a member state, and not elsewhere', () => {
  expect(vatNumberProblem('094259216', 'GR')).toMatch(/an EU country prefix, such as EL\.$/)
  expect(vatNumberProblem('136695976', 'DE')).toMatch(/an EU country prefix, such as DE\.$/)
  // One letter, or two letters that are not at the start, are not the letters of a state.
  for (const number of ['A1366959', '12AB']) expect(vatNumberProblem(number, 'DE')).toMatch(/an EU country prefix/)
  for (const number of [null, '', ' ', 'CHE123']) expect(vatNumberProblem(number, 'DE')).toBeNull()
  for (const country of [null, 'US', 'CH']) expect(vatNumberProblem('12-3456789', country)).toBeNull()
  for (const number of [null, '', ' ', 'CHE-123.456.788 MWST', 'NO 923 609 016 MVA', 'US123'])
    expect(vatNumberProblem(number, 'CH')).toBeNull()
})

test('each single wrong digit of a German number is noticed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 9 }), (place, more) => {
      const digits = [...'136695976']
      digits[place] = String((Number(digits[place]) + more) % 10)
      expect(vatNumberProblem(`DE${digits.join('')}`)).not.toBeNull()
    }),
  )
})

test('an IBAN is looked at with and without blanks', () => {
  for (const real of ['NL91 ABNA 0417 1643 00', 'de89370400440532013000', 'IE29-AIBK-9311-5212-3456-78', '', null])
    expect(ibanProblem(real)).toBeNull()
  const said = (iban: string) => ibanProblem(iban)?.replace('This does not look like a valid IBAN: ', '')
  expect(said('NL92ABNA0417164300')).toBe('its check digits do not match.')
  expect(said('NL91ABNA041716430')).toBe('IBANs of this country have a different format.')
  expect(said('1234')).toBe('it does not start with the code of a country that uses IBANs.')
  expect(ibanProblem('NL1', 'NL1')).toMatch(/^NL1 does not look/)
})

test('separators in a number are taken off before it is checked, counted or printed', () => {
  for (const number of ['DK: 13585628', 'dk-13 58.56/28', 'DK 13585628', 'DK_13585628']) {
    expect(compactVatNumber(number)).toBe('DK13585628')
    expect([vatNumberProblem(number), stateOfVatNumber(number)]).toEqual([null, 'DK'])
  }
  for (const iban of ['de89-3704-0044-0532-0130-00', 'DE89 3704 0044 0532 0130 00', 'DE89.3704.0044.0532.0130.00']) {
    expect(compactBankNumber(iban)).toBe('DE89370400440532013000')
    expect(ibanProblem(iban)).toBeNull()
  }
  expect(compactBankNumber('COBA DE FF')).toBe('COBADEFF')
})

test.each([
  ['DK: 13585628', 'DK13585628', 'DK13585628'],
  ['nl 8104.33941.b01', 'NL810433941B01', 'NL810433941B01'],
  ['CHE-123.456.788 MWST', 'CHE123456788MWST', 'CHE-123.456.788 MWST'],
  ['no 923 609 016 mva', 'NO923609016MVA', 'NO 923 609 016 MVA'],
  // A text that does not have the form of a VAT number of these countries stays as it is.
  ['12-3456789', '12-3456789', '12-3456789'],
  ['n/a', 'n/a', 'n/a'],
  ['applied for in 2026', 'applied for in 2026', 'applied for in 2026'],
  ['de company', 'de company', 'de company'],
  ['fr x1 only', 'fr x1 only', 'fr x1 only'],
  ['ie 1a.b2c', 'IE1AB2C', 'IE1AB2C'],
  ['', '', ''],
])('the VAT number %j is stored as %j and shown as %j', (typed, stored, shown) => {
  expect(storedVatNumber(typed)).toBe(stored)
  expect(shownVatNumber(stored)).toBe(shown)
  expect(storedVatNumber(shown)).toBe(stored)
})

test('an IBAN is stored in one piece and shown in groups of four; a BIC has no blanks', () => {
  expect(storedIban('de89-3704-0044-0532-0130-00')).toBe('DE89370400440532013000')
  expect(shownIban('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
  expect([storedIban('ask us'), shownIban('ask us'), shownIban('')]).toEqual(['ask us', 'ask us', ''])
  expect([storedBic('coba de ff xxx'), storedBic('soon!')]).toEqual(['COBADEFFXXX', 'soon!'])
})
