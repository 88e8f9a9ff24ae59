import { compactBankNumber } from './bank-number.ts'
import { compactVatNumber } from './vat-territory.ts'

/**
 * The letters of member states, Northern Ireland, the United Kingdom, Norway and Switzerland, and the patterns that
 * follow them.
 */
const VAT_NUMBER =
  /^(?:AT|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[A-Z\d+*]{2,13}$/

/**
 * A VAT number as it is stored: without blanks and signs, in capitals. A text without the form of one with the letters
 * of its country, such as a tax number of another part of the world, stays as written.
 */
export function storedVatNumber(text: string): string {
  const compact = compactVatNumber(text)
  return VAT_NUMBER.test(compact) && /\d[^\d]*\d/.test(compact) ? compact : text
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/

/** An IBAN as it is stored; a text that does not begin like one stays as it was written. */
export function storedIban(text: string): string {
  const compact = compactBankNumber(text)
  return IBAN.test(compact) ? compact : text
}

/** A BIC as it is stored; a text with other signs, or more than 11, stays as it was written. */
export function storedBic(text: string): string {
  const compact = compactBankNumber(text)
  return /^[A-Z\d]{1,11}$/.test(compact) ? compact : text
}

/** A stored VAT number as people write it: Swiss and Norwegian ones in groups, those of member states as VIES has them. */
export function shownVatNumber(stored: string): string {
  const [, country, one, two, three, tax] = /^(CHE|NO)(\d{3})(\d{3})(\d{3})(MWST|TVA|IVA|MVA)?$/.exec(stored) ?? []
  if (country === undefined) return stored
  const number = country === 'CHE' ? `CHE-${one}.${two}.${three}` : `NO ${one} ${two} ${three}`
  return tax === undefined ? number : `${number} ${tax}`
}

/** A stored IBAN in groups of four, as papers and banks show it. */
export const shownIban = (stored: string) => (IBAN.test(stored) ? stored.replaceAll(/(.{4})(?=.)/g, '$1 ') : stored)
