import {
  austria,
  belgium,
  bulgaria,
  type Country,
  checkVAT,
  croatia,
  cyprus,
  czechRepublic,
  denmark,
  estonia,
  finland,
  france,
  germany,
  greece,
  hungary,
  ireland,
  italy,
  latvia,
  lithuania,
  luxembourg,
  malta,
  netherlands,
  poland,
  portugal,
  romania,
  slovakiaRepublic,
  slovenia,
  spain,
  sweden,
  unitedKingdom,
} from 'jsvat-next'
import { compactVatNumber, NORTHERN_IRELAND, vatStateOf } from './vat-territory.ts'

/** By the letters that a VAT number begins with: whose numbers these are, and their rules. */
const STATES: Readonly<Record<string, readonly [adjective: string, rules: Country]>> = {
  AT: ['Austrian', austria],
  BE: ['Belgian', belgium],
  BG: ['Bulgarian', bulgaria],
  CY: ['Cypriot', cyprus],
  CZ: ['Czech', czechRepublic],
  DE: ['German', germany],
  DK: ['Danish', denmark],
  EE: ['Estonian', estonia],
  EL: ['Greek', greece],
  ES: ['Spanish', spain],
  FI: ['Finnish', finland],
  FR: ['French', france],
  GB: ['British', unitedKingdom],
  HR: ['Croatian', croatia],
  HU: ['Hungarian', hungary],
  IE: ['Irish', ireland],
  IT: ['Italian', italy],
  LT: ['Lithuanian', lithuania],
  LU: ['Luxembourgish', luxembourg],
  LV: ['Latvian', latvia],
  MT: ['Maltese', malta],
  NL: ['Dutch', netherlands],
  PL: ['Polish', poland],
  PT: ['Portuguese', portugal],
  RO: ['Romanian', romania],
  SE: ['Swedish', sweden],
  SI: ['Slovenian', slovenia],
  SK: ['Slovak', slovakiaRepublic],
  [NORTHERN_IRELAND]: ['Northern Irish', unitedKingdom],
}

/**
 * Why something does not look like a VAT number, as a sentence that begins with `called`; null if nothing is wrong with
 * its form and check digits. It knows nothing about numbers of other countries. `country` is that of its holder: in a
 * member state a number has the letters of one. It is for a warning: whether a number is in use, VIES alone knows.
 */
export function vatNumberProblem(number: string | null, country: string | null = null, called = 'This'): string | null {
  const compact = compactVatNumber(number ?? '')
  if (compact === '') return null
  if (compact.startsWith('GR')) return `${called} does not look like a valid VAT number: a Greek one begins with EL.`
  const [adjective, rules] = STATES[compact.slice(0, 2)] ?? []
  if (!adjective || !rules) return lettersProblem(compact, country, called)
  const { isValid, isValidFormat } = checkVAT(compact, [rules])
  if (isValid) return null
  const why = isValidFormat ? 'its check digits do not match' : 'such numbers have another form'
  return `${called} does not look like a valid ${adjective} VAT number: ${why}.`
}

function lettersProblem(compact: string, country: string | null, called: string): string | null {
  if (/^[A-Z]{2}/.test(compact)) return null
  const state = vatStateOf({ country_code: country, postal_code: null })
  if (state === null || state === 'outside') return null
  const letters = state === 'GR' ? 'EL' : state
  return `${called} does not look like a valid VAT number: it does not begin with the letters of a member state, such as ${letters}.`
}
