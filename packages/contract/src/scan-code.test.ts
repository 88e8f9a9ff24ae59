import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imeiKey, luhnCheckDigit } from './imei.ts'
import { codeKey, isGtin, readCode } from './scan-code.ts'

const IMEI = '490154203237518'
const imei = fc.stringMatching(/^\d{14}$/).map((first) => first + luhnCheckDigit(first))

test.each([
  [IMEI, IMEI],
  [' 49-015420-323751-8\t', '490154203237518'],
  ['49015420323751', '49015420323751'],
  ['4901542032375101', '4901542032375101'],
  [`]C1${IMEI}`, IMEI],
  [`(01)${IMEI}`, IMEI],
  [`]C1(01)${IMEI}`, IMEI],
  [`\u001d${IMEI}\u0000`, IMEI],
  [`3\t${IMEI}\tiPhone 13`, IMEI],
  [`3;iPhone 13;="${IMEI}"`, IMEI],
  [`iPhone 13\r\n${IMEI}`, IMEI],
  [`IMEI: ${IMEI}`, IMEI],
])('%j is the IMEI %s', (code, text) => {
  expect(readCode(code)).toMatchObject({ item: null, lookUps: [{ text, asImei: true }], hint: null })
})

test.each([
  ['F2LXQ1ABCD', ['F2LXQ1ABCD']],
  ['SF2LXQ1ABCDE', ['SF2LXQ1ABCDE', 'F2LXQ1ABCDE']],
  ['sf2lxq1abcde', ['sf2lxq1abcde', 'f2lxq1abcde']],
  ['SF2LXQ1AB', ['SF2LXQ1AB', 'F2LXQ1AB']],
  ['SF2LXQ1A', ['SF2LXQ1A']],
  [`S${'A'.repeat(14)}`, [`S${'A'.repeat(14)}`, 'A'.repeat(14)]],
  [`S${'A'.repeat(15)}`, [`S${'A'.repeat(15)}`]],
  ['A'.repeat(255), ['A'.repeat(255)]],
  ['SM-1', ['SM-1']],
  ['BS 17', ['BS 17']],
  ['12345', ['12345']],
  ['#x', ['#x']],
])('%j may be the identifiers %j', (code, texts) => {
  expect(readCode(code)).toEqual({
    code,
    item: null,
    lookUps: texts.map((text) => ({ text, asImei: false })),
    hint: null,
  })
})

test('a code of 256 characters is no identifier', () => {
  const hint = 'That is too long to be an IMEI or a serial number.'
  expect(readCode('A'.repeat(256))).toEqual({ code: 'A'.repeat(255), item: null, lookUps: [], hint })
})

test('#7 is an item', () => {
  expect(readCode(' #7 ')).toEqual({ code: '#7', item: 7, lookUps: [], hint: null })
  expect(readCode('#0')?.item).toBeNull()
  expect(readCode('#99999999999')?.item).toBeNull()
})

test('the codes on a box are told apart, and a number of its length may still be a serial number', () => {
  expect(readCode('8'.repeat(32))).toMatchObject({
    lookUps: [{ asImei: false }],
    hint: expect.stringMatching(/^That is the EID/),
  })
  for (const ean of ['40170725', '012345678905', '4006381333931'])
    expect(readCode(ean)).toMatchObject({
      lookUps: [{ text: ean, asImei: false }],
      hint: expect.stringMatching(/^That is the EAN of the box/),
    })
  expect(isGtin('04006381333931')).toBe(true)
  expect(readCode('(01)04006381333931')).toMatchObject({
    lookUps: [{ asImei: false }],
    hint: expect.stringMatching(/EAN/),
  })
  expect(readCode('04006381333931')).toMatchObject({ lookUps: [{ asImei: true }], hint: null })
})

test('an article number is told apart without its brackets, too', () => {
  const EAN = expect.stringMatching(/^That is the EAN of the box/)
  const article = '0100190199220256'
  expect(readCode(article)).toMatchObject({ lookUps: [{ text: article, asImei: true }], hint: EAN })
  for (const symbology of [']C1', ']d2'])
    expect(readCode(symbology + article)).toMatchObject({ lookUps: [{ text: article, asImei: false }], hint: EAN })
  // The check digit of the article number is wrong, so the code is an IMEI with its software version.
  expect(readCode(']C10100190199220257')).toMatchObject({ lookUps: [{ asImei: true }], hint: null })
})

test.each([
  ['(01)00190199220256(21)F2LXQ1ABCD', 'F2LXQ1ABCD', false],
  ['(01)00190199220256(21)F2LXQ1ABCD(10)LOT7', 'F2LXQ1ABCD', false],
  ['(21)F2(L)XQ1(240)7', 'F2(L)XQ1', false],
  [`]C1(01)00190199220256(21)${IMEI}`, IMEI, true],
  [`(01)00190199220256(8002)${IMEI}`, IMEI, true],
  ['(01)00190199220256(21)40170725', '40170725', false],
  ['(21)', '(21)', false],
  ['BS(21)7', 'BS(21)7', false],
])('of %s the device is looked up: %s', (given, text, asImei) => {
  expect(readCode(given)).toMatchObject({ code: text, lookUps: [{ text, asImei }], hint: null })
})

test('a wrong digit never passes for a phone', () => {
  fc.assert(
    fc.property(imei, fc.nat(14), fc.integer({ min: 1, max: 9 }), (right, at, by) => {
      const wrong = right.slice(0, at) + ((Number(right[at]) + by) % 10) + right.slice(at + 1)
      const read = readCode(wrong)
      return read?.lookUps.every(({ asImei }) => !asImei) && /check digit/.test(read.hint ?? '')
    }),
  )
})

test('an IMEI is read the same in each of its forms, whatever stands around it', () => {
  // IMEIs that look like an article number are left out.
  const ofPhone = imei.filter((digits) => !digits.startsWith('01'))
  const around = fc.constantFrom('', ']C1', ']d2', '(01)', ']C1(01)', ' ', '\u200b')
  fc.assert(
    fc.property(ofPhone, around, fc.constantFrom('', ' ', '\r'), (right, before, after) => {
      const texts = [right, `${right.slice(0, 14)}07`].map((form) => readCode(before + form + after)?.lookUps)
      return texts.every(
        (found) => found?.length === 1 && found[0]!.asImei && imeiKey(found[0]!.text) === imeiKey(right),
      )
    }),
  )
})

test.each([
  ['C39XQ1ZPN7', ' c39xq1zpn7', true],
  ['C39XQ1ZPN7', 'C39XQ1ZPN8', false],
  [IMEI, `${IMEI.slice(0, 14)}07`, true],
  [IMEI, IMEI.slice(0, 14), true],
  ['#7', '#7', true],
  ['#7', '#8', false],
])('%j and %j are scans of one code: %s', (one, other, same) => {
  expect(codeKey(readCode(one)!) === codeKey(readCode(other)!)).toBe(same)
})

test('any text is read, and what is kept of it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 300 }), (text) => {
      const read = readCode(text)
      return read === null || (read.code.length > 0 && read.code.length <= 255 && read.code.isWellFormed())
    }),
  )
  expect(readCode(' -- ')).toBeNull()
  expect(readCode(']C1')).toBeNull()
  expect(readCode('9'.repeat(300))).toMatchObject({ lookUps: [], hint: expect.stringMatching(/too long/) })
  // Normalising turns each of these letters into a sentence of 18 letters.
  expect(readCode('\ufdfa'.repeat(120))).toMatchObject({ lookUps: [], hint: expect.stringMatching(/too long/) })
  expect(readCode('\ufdfa'.repeat(5))?.lookUps).toHaveLength(1)
})
