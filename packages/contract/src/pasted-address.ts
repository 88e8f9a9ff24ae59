import { COUNTRIES } from './country.ts'

export type PastedAddress = {
  address_1: string
  address_2: string
  postal_code: string
  city: string
  /** Null if no line of the address is a country. */
  country_code: string | null
}

const LONGEST = 600

/**
 * A Dutch line: `1012 LG Amsterdam`. The letters must be capitals, because `7100 La Louvière` and `5076 De Bilt` are
 * four digits and a city.
 */
const DUTCH_FIRST = /^((?:NL-)?\d{4} ?[A-Z]{2})[ ,]+([^\d ,].*)$/
/** A postal code before the city: `90-001 Łódź`, `D-10115 Berlin`, `114 55 Stockholm`, `1000-001 Lisboa`. */
const CODE_FIRST = /^((?:[A-Z]{1,2}-)?(?:\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4,6}))[ ,]+([^\d ,].*)$/i
/** A postal code after the city: `London SW1A 1AA`, `Dublin 2, D02 X285`, `Rīga, LV-1010`. */
const CITY_FIRST = /^(.*\p{L}.*?)[ ,]+([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[\dW] ?[A-Z\d]{4}|[A-Z]{2}-\d{4,5})$/iu

const byName = new Map(Object.entries(COUNTRIES).map(([code, name]) => [name.toLowerCase(), code]))
const countryOf = (line: string) => byName.get(line.toLowerCase()) ?? null

function placeOf(line: string, country: string | null): Pick<PastedAddress, 'postal_code' | 'city'> | null {
  const isDutch = country === null || country === 'NL'
  const [, code, city] = (isDutch && DUTCH_FIRST.exec(line)) || CODE_FIRST.exec(line) || []
  if (code && city) return { postal_code: code.toUpperCase(), city }
  const [, town, behind] = CITY_FIRST.exec(line) ?? []
  return town && behind ? { postal_code: behind.toUpperCase(), city: town } : null
}

/**
 * A street that ends in a house number: `Damrak 1`, `Damrak 12a`, `Kerkstraat 12-3`, `Rue Haute 16 bis`. `4Phones BV`
 * is not a street.
 */
const ENDS_IN_NUMBER = /(?:^|\s)\d+(?: ?\p{L}| bis| ter| hs|[-/ ]\d+\p{L}?)?$/iu
/** A line with a house number anywhere: `10 Downing Street`, `Poststraße 5 (Hof)`. */
const HAS_NUMBER = /(?:^|\s)\d+\p{L}?(?!\p{L}|\d)/u
/** A line that names a part of a house. It may have a number without being the street. */
const IS_PART = /^(?:floor|level|suite|unit|apartment|apt\.?|flat|room|block|building|etage|top)\b/i

function streetOf(lines: readonly string[]): string {
  const whole = lines.filter((line) => !IS_PART.test(line))
  return whole.find((line) => ENDS_IN_NUMBER.test(line)) ?? whole.find((line) => HAS_NUMBER.test(line)) ?? lines.at(-1)!
}

/**
 * Splits an address that was pasted as several lines, as a letterhead or an email has it: street, postal code and city,
 * and perhaps the country in English. Null if the text is not surely an address; the caller then leaves the text as it
 * is.
 */
export function pastedAddress(text: string): PastedAddress | null {
  if (text.length > LONGEST) return null
  const filled = text
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .replaceAll(/\s+/g, ' ')
        .replace(/(?<![ ,])[ ,]+$/, '')
        .trim(),
    )
    .filter((line) => line !== '')
  const country_code = filled.length > 2 ? countryOf(filled.at(-1)!) : null
  const [place, ...above] = (country_code === null ? filled : filled.slice(0, -1)).toReversed()
  const found = place === undefined ? null : placeOf(place, country_code)
  if (!found || above.length === 0 || above.length > 3) return null
  const lines = above.toReversed()
  const street = streetOf(lines)
  const others = lines.filter((line) => line !== street)
  return { address_1: street, address_2: others.join(', '), ...found, country_code }
}
