/** The member states of the EU, by their ISO codes. */
const MEMBER_STATES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Northern Ireland counts as a member state for goods; its VAT numbers begin with these letters. */
export const NORTHERN_IRELAND = 'XI'

/**
 * Postal codes in member states that are outside the VAT territory (Directive 2006/112/EC, article 6), by how they
 * begin: the Canary Islands, Ceuta and Melilla; Åland; the French overseas departments; Livigno and Campione d'Italia;
 * Heligoland and Büsingen; Mount Athos.
 */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  ES: ['35', '38', '51', '52'],
  FI: ['22'],
  FR: ['97'],
  IT: ['23041', '22061'],
  DE: ['27498', '78266'],
  GR: ['63086'],
}

export type Place = { country_code: string | null; postal_code: string | null }

/**
 * The member state, for goods, in which a place is; `outside` of the VAT territory; null where the country is not
 * known. Monaco counts as France. `vatNumber` is that of whoever is there: a number of Northern Ireland tells that place
 * from the rest of the United Kingdom where the postal code does not.
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
  const digits = (place.postal_code ?? '').replaceAll(/\D/g, '')
  return OUTSIDE[country]?.some((start) => digits.startsWith(start)) ? 'outside' : country
}

/** A VAT number without blanks, dots and dashes, in capitals. */
export const compactVatNumber = (number: string) => number.replaceAll(/[\s.\-/]/g, '').toUpperCase()

/** The member state whose VAT number this is, by its first two letters (EL is Greece); null where they name none. */
export function stateOfVatNumber(number: string | null): string | null {
  const letters = number === null ? '' : compactVatNumber(number).slice(0, 2)
  if (letters === 'EL') return 'GR'
  return letters === NORTHERN_IRELAND || (MEMBER_STATES.has(letters) && letters !== 'GR') ? letters : null
}
