import { compactBankNumber } from './bank-number.ts'
import { countryName } from './country.ts'

/** The member states of the EU, by their ISO codes. */
const MEMBER_STATES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Northern Ireland counts as a member state for goods; its VAT numbers begin with these letters. */
export const NORTHERN_IRELAND = 'XI'

/**
 * Places in member states that are outside the VAT territory (Directive 2006/112/EC, articles 5 and 6; for Denmark and
 * France articles 349 and 355 of the Treaty on the Functioning of the EU), by how their postal codes begin: the Canary
 * Islands, Ceuta, Melilla; Åland; the French overseas departments and territories; Livigno, Campione d'Italia;
 * Heligoland, Büsingen; Mount Athos; Greenland. The Faroes have three digits, and Denmark four: their codes begin with
 * FO. `digits` is the length of a code of the country.
 */
const OUTSIDE: Readonly<Record<string, { digits: number; starts: readonly string[] }>> = {
  DE: { digits: 5, starts: ['27498', '78266'] },
  DK: { digits: 4, starts: ['39'] },
  ES: { digits: 5, starts: ['35', '38', '51', '52'] },
  FI: { digits: 5, starts: ['22'] },
  FR: { digits: 5, starts: ['97', '984', '986', '987', '988'] },
  GR: { digits: 5, starts: ['63086', '63087'] },
  IT: { digits: 5, starts: ['23041', '22061'] },
}

/** No postal code is longer, with its country in front and blanks. */
const LONGEST_CODE = 20

/**
 * The digits of a postal code of a country with places outside the VAT territory; null if it has not the country's form,
 * as `3501`, from which a spreadsheet has taken the zero of 03501. Letters of a country in front (`E-`, `FIN-`) and blanks
 * do not count.
 */
function codeIn(country: string, postalCode: string): string | null {
  const code = postalCode.slice(0, LONGEST_CODE).replaceAll(/\s/g, '')
  const digits = /^(?:[A-Z]{1,3}-?)?(\d+)$/i.exec(code)?.[1]
  return digits?.length === OUTSIDE[country]?.digits && digits !== undefined ? digits : null
}

export type Place = { country_code: string | null; postal_code: string | null }

/**
 * The member state, for goods, in which a place is; `outside` of the VAT territory; null if the country is not
 * known. Monaco counts as France. `vatNumber` is that of the party at the address: a number of Northern Ireland
 * tells that place from the rest of the United Kingdom if the postal code does not.
 */
export function vatStateOf(place: Place, vatNumber: string | null = null): string | null {
  const country = place.country_code
  if (country === null) return null
  if (country === 'GB') {
    const isNorthern =
      /^BT\s*\d/i.test(place.postal_code?.trim() ?? '') || stateOfVatNumber(vatNumber) === NORTHERN_IRELAND
    return isNorthern ? NORTHERN_IRELAND : 'outside'
  }
  if (country === 'MC') return 'FR'
  if (!MEMBER_STATES.has(country)) return 'outside'
  const code = codeIn(country, place.postal_code ?? '')
  const isFaroese = country === 'DK' && /^FO-?\s?\d{3}$/i.test(place.postal_code?.trim() ?? '')
  const isOutside = code !== null && OUTSIDE[country]?.starts.some((start) => code.startsWith(start))
  return isOutside || isFaroese ? 'outside' : country
}

/**
 * Why the postal code of a place is wrong, if that may decide its VAT: a sentence. Null if it has the form of its
 * country, if there is none, and for countries that are in the VAT territory as a whole.
 */
export function postalCodeProblem({ country_code, postal_code }: Place): string | null {
  const form = country_code === null ? undefined : OUTSIDE[country_code]
  const code = postal_code?.trim() ?? ''
  if (country_code === null || form === undefined || code === '') return null
  const isOfPlace = codeIn(country_code, code) !== null || vatStateOf({ country_code, postal_code }) === 'outside'
  const digits = form.digits === 4 ? 'four' : 'five'
  return isOfPlace
    ? null
    : `${code} is no postal code of ${countryName(country_code)}, which has ${digits} digits: check the address, since VAT depends on it.`
}

/** A VAT number without the blanks and signs that people write between its parts, as in bank numbers; in capitals. */
export const compactVatNumber = compactBankNumber

/** The member state whose VAT number this is, by its first two letters (EL is Greece); null if they name none. */
export function stateOfVatNumber(number: string | null): string | null {
  const letters = number === null ? '' : compactVatNumber(number).slice(0, 2)
  if (letters === 'EL') return 'GR'
  return letters === NORTHERN_IRELAND || (MEMBER_STATES.has(letters) && letters !== 'GR') ? letters : null
}
