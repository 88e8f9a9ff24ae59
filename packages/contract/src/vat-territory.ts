import { compactBankNumber } from './bank-number.ts'
import { countryName } from './country.ts'

/** The member states of the EU, by their ISO codes. */
const MEMBER_STATES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Northern Ireland counts as a member state for goods. Its VAT numbers begin with these letters. */
export const NORTHERN_IRELAND = 'XI'

/**
 * The parts of member states that are outside the EU's VAT territory: for each country, the first digits of their
 * postal codes. `digits` is the number of digits that a postal code of the country has.
 *
 * The source is Directive 2006/112/EC, articles 5 and 6, with articles 349 and 355 of the Treaty on the Functioning of
 * the EU for France and Denmark. The parts are:
 * - DE: Heligoland, Büsingen
 * - DK: Greenland (the Faroes have codes of three digits after FO, see `vatStateOf`)
 * - ES: the Canary Islands, Ceuta, Melilla
 * - FI: Åland
 * - FR: the overseas departments and territories
 * - GR: Mount Athos
 * - IT: Livigno, Campione d'Italia
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

/**
 * The length to which a text is cut before it is read as a postal code. No code is longer, even with spaces and with
 * its country in front.
 */
const LONGEST_CODE = 20

/**
 * The digits of a postal code of a country in `OUTSIDE`. Spaces and the country's letters in front (`E-`, `FIN-`) are
 * removed. Null if the number of digits is not the country's: a spreadsheet, for instance, drops the first zero of
 * 03501.
 */
function codeIn(country: string, postalCode: string): string | null {
  const code = postalCode.slice(0, LONGEST_CODE).replaceAll(/\s/g, '')
  const digits = /^(?:[A-Z]{1,3}-?)?(\d+)$/i.exec(code)?.[1]
  return digits?.length === OUTSIDE[country]?.digits && digits !== undefined ? digits : null
}

/** The beginning of a British postal code: the letters of its area and a digit. The area of Northern Ireland is BT. */
const BRITISH_CODE = /^([A-Z]{1,2})\s*\d/i

export type Place = { country_code: string | null; postal_code: string | null }

/**
 * The member state in which a place is for the VAT on goods, as an ISO code or XI. The answer is `outside` if the place
 * is outside the VAT territory, and null if its country is not known. Monaco counts as France. `vatNumber` belongs to
 * the party at the address: if the postal code does not show whether the place is in Northern Ireland, the VAT number
 * does.
 */
export function vatStateOf(place: Place, vatNumber: string | null = null): string | null {
  const country = place.country_code
  if (country === null) return null
  if (country === 'GB') {
    const [, area] = BRITISH_CODE.exec(place.postal_code?.trim() ?? '') ?? []
    const isNorthern = area ? area.toUpperCase() === 'BT' : stateOfVatNumber(vatNumber) === NORTHERN_IRELAND
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
 * The name of a place's country. A part of a member state that is outside the VAT territory also has its postal code:
 * `35001 in Spain` are the Canary Islands.
 */
export function placeName(place: Place): string {
  const country = countryName(place.country_code) ?? ''
  const isPart = MEMBER_STATES.has(place.country_code ?? '') && vatStateOf(place) === 'outside'
  return isPart ? `${country}, postal code ${place.postal_code}` : country
}

/**
 * Why a place's postal code is wrong, as a sentence to show. Only the countries in `OUTSIDE` are checked, because there
 * the code can decide the VAT. Null if the code is right or if there is none.
 */
export function postalCodeProblem({ country_code, postal_code }: Place): string | null {
  const form = country_code === null ? undefined : OUTSIDE[country_code]
  const code = postal_code?.trim() ?? ''
  if (country_code === null || form === undefined || code === '') return null
  const isOfPlace = codeIn(country_code, code) !== null || vatStateOf({ country_code, postal_code }) === 'outside'
  const digits = form.digits === 4 ? 'four' : 'five'
  return isOfPlace
    ? null
    : `${code} is not a postal code of ${countryName(country_code)}: those have ${digits} digits. Check the address, since VAT depends on it.`
}

/**
 * A VAT number in capitals, without the spaces and signs that people write between its parts. Bank numbers have the
 * same form.
 */
export const compactVatNumber = compactBankNumber

/**
 * The member state that gave a VAT number, by the number's first two letters (EL is Greece). Null if these letters name
 * no member state.
 */
export function stateOfVatNumber(number: string | null): string | null {
  const letters = number === null ? '' : compactVatNumber(number).slice(0, 2)
  if (letters === 'EL') return 'GR'
  return letters === NORTHERN_IRELAND || (MEMBER_STATES.has(letters) && letters !== 'GR') ? letters : null
}
