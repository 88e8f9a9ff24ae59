import { plainIdentifier } from './plain-text.ts'

/**
 * IMEIs as 3GPP TS 23.003 (6.2.1, annex B) defines them: 14 digits of type allocation code and serial number, then a
 * Luhn check digit (15 digits) or a software version (16 digits).
 */

/** The message if an item has neither an IMEI nor a serial number. */
export const NEEDS_IDENTIFIER = 'An IMEI or a serial number is needed.'

/** The identifier without spaces and dashes, which people paste with it, and without invisible characters. */
export function compactIdentifier(text: string): string {
  return plainIdentifier(text).replace(/[\s\-‐-―−]/g, '')
}

const ZERO = '0'.charCodeAt(0)

/** Whether the last of these digits, such as those of a 15-digit IMEI, is the Luhn check digit of the others. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - ZERO
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The check digit that makes 14 digits a 15-digit IMEI. */
export function luhnCheckDigit(first14: string): string {
  for (let digit = 0; digit < 10; digit++) if (passesLuhn(first14 + digit)) return String(digit)
  return '0'
}

/** Why an IMEI (already compact) is wrong, as the sentence to show; null if it is right. */
export function imeiProblem(imei: string): string | null {
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(imei))
    return `A spreadsheet has shortened this IMEI to ${imei}: format the column as text and export it again.`
  if (!/^\d+$/.test(imei)) return 'An IMEI has digits only.'
  if (imei.length < 14 || imei.length > 16) return `An IMEI has 14 to 16 digits; this one has ${imei.length}.`
  if (imei.length === 15 && !passesLuhn(imei))
    return `The check digit of IMEI ${imei} is wrong: look for a typing mistake.`
  return null
}

/** Why 15 digits (already compact) are no IMEI, as the sentence to show; null for any other text. */
export const mistypedImei = (text: string): string | null => (/^\d{15}$/.test(text) ? imeiProblem(text) : null)

/** Whether digits are a whole IMEI by their form: 15 digits, the last one being the check digit. */
export const isWholeImei = (text: string) => /^\d{15}$/.test(text) && /[1-9]/.test(text) && passesLuhn(text)

/**
 * The whole IMEI, if a spreadsheet has removed its leading zero; null for any other digits. The TACs of phones for
 * North America begin with 01. Without the zero, they begin with 1. No phone's own TAC begins with 10 to 19, because
 * these are for cordless telephones.
 */
export function withLostZero(digits: string): string | null {
  return /^1\d{13}$/.test(digits) && isWholeImei(`0${digits}`) ? `0${digits}` : null
}

/** The whole IMEI that a number is by its form, in whichever field it is; null for any other number. */
export function imeiByForm(number: string): string | null {
  const compact = compactIdentifier(number)
  return isWholeImei(compact) ? compact : withLostZero(compact)
}

/** The key by which an IMEI finds its phone: the first 14 digits, which the forms with 14, 15 and 16 digits share. */
export function imeiKey(imei: string): string {
  return imei.slice(0, 14)
}

/** The type allocation code, which names the model: the first eight digits (3GPP TS 23.003, 6.2.1). */
export const TAC_DIGITS = 8
export function tacOf(imei: string): string {
  return imei.slice(0, TAC_DIGITS)
}

/**
 * The number of newest phones under a TAC that decide which product the server proposes. Older ones do not count,
 * because the shop may have used another product for the TAC before.
 */
export const PHONES_LOOKED_AT = 200

/** Why an MEID (compact), which 3GPP2 S.R0048 defines, is wrong; null if it is right. */
export function meidProblem(meid: string): string | null {
  return /^[0-9A-F]{14}$/i.test(meid) ? null : 'An MEID has 14 digits, of which some may be A to F.'
}

/**
 * The hexadecimal form of a compact MEID. It may be written as 18 decimal digits, or with its check digit at the end
 * (3GPP2 S.R0048, 3 and annex B). Any other text stays as it is.
 */
export function hexadecimalMeid(meid: string): string {
  if (/^\d{18}$/.test(meid)) {
    const [high, low] = [Number(meid.slice(0, 10)).toString(16), Number(meid.slice(10)).toString(16)]
    return high.length === 8 && low.length <= 6 ? (high + low.padStart(6, '0')).toUpperCase() : meid
  }
  if (!/^(?=\d*[A-F])[0-9A-F]{15}$/i.test(meid)) return meid
  return passesHexadecimalLuhn(meid) ? meid.slice(0, 14) : meid
}

function passesHexadecimalLuhn(meid: string): boolean {
  let sum = 0
  for (const [n, digit] of [...meid].toReversed().entries()) {
    const value = Number.parseInt(digit, 16) * (n % 2 === 1 ? 2 : 1)
    sum += value > 15 ? value - 15 : value
  }
  return sum % 16 === 0
}

/** Why an EID (compact), which GSMA SGP.02 defines, is wrong; null if it is right. */
export function eidProblem(eid: string): string | null {
  return /^\d{32}$/.test(eid) ? null : 'An EID has 32 digits.'
}
