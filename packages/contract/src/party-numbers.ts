import { compactBankNumber } from './bank-number.ts'
import { compactVatNumber } from './vat-territory.ts'

/**
 * The letters at the start of VAT numbers of the member states, Northern Ireland, the United Kingdom, Norway and
 * Switzerland, and the characters that may follow them.
 */
const VAT_NUMBER =
  /^(?:AT|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[A-Z\d+*]{2,13}$/

/**
 * A VAT number as the server stores it: in capitals, without blanks and signs. A text that does not have this form,
 * such as a tax number from outside Europe, stays as a person wrote it.
 */
export function storedVatNumber(text: string): string {
  const compact = compactVatNumber(text)
  return VAT_NUMBER.test(compact) && /\d[^\d]*\d/.test(compact) ? compact : text
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/

/** An IBAN as the server stores it. A text that does not begin like an IBAN stays as a person wrote it. */
export function storedIban(text: string): string {
  const compact = compactBankNumber(text)
  return IBAN.test(compact) ? compact : text
}

/** A BIC as the server stores it. A text with other signs, or with more than 11, stays as a person wrote it. */
export function storedBic(text: string): string {
  const compact = compactBankNumber(text)
  return /^[A-Z\d]{1,11}$/.test(compact) ? compact : text
}

/**
 * A stored VAT number as people write it: Swiss and Norwegian ones in groups, those of member states as VIES shows
 * them.
 */
export function shownVatNumber(stored: string): string {
  const [, country, one, two, three, tax] = /^(CHE|NO)(\d{3})(\d{3})(\d{3})(MWST|TVA|IVA|MVA)?$/.exec(stored) ?? []
  if (country === undefined) return stored
  const number = country === 'CHE' ? `CHE-${one}.${two}.${three}` : `NO ${one} ${two} ${three}`
  return tax === undefined ? number : `${number} ${tax}`
}

/** A stored IBAN in groups of four digits, as documents and banks show it. */
export const shownIban = (stored: string) => (IBAN.test(stored) ? stored.replaceAll(/(.{4})(?=.)/g, '$1 ') : stored)
