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

/** The letters at the start of a VAT number, with the adjective of its state and the rules for its numbers. */
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
 * Why a text does not look like a VAT number, as a sentence that begins with `called`; null if its form and check
 * digits are right. Numbers of unknown countries are never wrong. `country` is the holder's country: in a member state,
 * the number must begin with the letters of that state. The caller should only warn: VIES alone knows whether a number
 * is in use.
 */
export function vatNumberProblem(number: string | null, country: string | null = null, called = 'This'): string | null {
  const compact = compactVatNumber(number ?? '')
  if (compact === '') return null
  if (compact.startsWith('GR')) return `${called} does not look like a valid VAT number: a Greek one begins with EL.`
  const [adjective, rules] = STATES[compact.slice(0, 2)] ?? []
  if (!adjective || !rules) return lettersProblem(compact, country, called)
  const { isValid, isValidFormat } = checkVAT(compact, [rules])
  if (isValid) return null
  const why = isValidFormat ? 'its check digits do not match' : 'such numbers have a different format'
  return `${called} does not look like a valid ${adjective} VAT number: ${why}.`
}

function lettersProblem(compact: string, country: string | null, called: string): string | null {
  if (/^[A-Z]{2}/.test(compact)) return null
  const state = vatStateOf({ country_code: country, postal_code: null })
  if (state === null || state === 'outside') return null
  const letters = state === 'GR' ? 'EL' : state
  return `${called} does not look like a valid VAT number: it does not start with an EU country prefix, such as ${letters}.`
}
