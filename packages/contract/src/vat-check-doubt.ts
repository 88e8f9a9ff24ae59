import { shownVatNumber } from './party-numbers.ts'
import { shownDay } from './time.ts'
import { compactVatNumber, stateOfVatNumber } from './vat-territory.ts'

/** The number of days after which a check of a VAT number is too old for a sale, unless the company says otherwise. */
export const VAT_CHECK_DAYS = 90

/** A person reads the answer of VIES on the Commission's page, or the server asks by itself. */
export const VAT_CHECK_SOURCES = ['typed', 'asked'] as const
export type VatCheckSource = (typeof VAT_CHECK_SOURCES)[number]

/** The page on which the Commission checks VAT numbers for anybody. */
export const VIES_PAGE = 'https://ec.europa.eu/taxation_customs/vies/'

/** An answer of VIES about one VAT number, on one day (yyyy-mm-dd). */
export type VatAnswer = {
  vat_number: string
  checked_on: string
  is_valid: boolean
  /** The consultation number, which VIES gives only to those who ask with a VAT number of their own. */
  reference: string | null
}

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Whether VIES knows the state of this VAT number: a member state, or Northern Ireland. */
export const isForVies = (number: string | null): number is string => stateOfVatNumber(number) !== null

/** Whether a check is of this number. A check counts for no other number. */
export const isOfNumber = (check: Pick<VatAnswer, 'vat_number'>, number: string | null) =>
  number !== null && compactVatNumber(check.vat_number) === compactVatNumber(number)

/** An answer of VIES in words, without the number. */
export function viesSaid({ is_valid, checked_on, reference }: VatAnswer): string {
  const said = `${is_valid ? 'Valid' : 'Not valid'} on ${shownDay(checked_on)}`
  return reference === null ? `${said}, without a reference` : `${said}, reference ${reference}`
}

/** The newest check of the buyer's number, with the day of the sale and the days for which a check counts. */
export type VatChecked = { check: VatAnswer | null; day: string; days: number }

/**
 * Why the check of a buyer's VAT number is not enough for an intra-Community supply without VAT (Directive 2006/112/EC,
 * article 138(1a)), as a sentence; null if it is enough. The sale is allowed all the same. If `isSold` is true, the sale
 * was made on `day`, and the sentence speaks of that day: somebody may have checked the number since.
 */
export function vatCheckDoubt(number: string, { check, day, days }: VatChecked, isSold = false): string | null {
  const named = `The buyer’s VAT number ${shownVatNumber(number)}`
  if (check === null || !isOfNumber(check, number))
    return isSold
      ? `${named} had not been checked with VIES when the sale was made.`
      : `${named} has not been checked with VIES.`
  const on = shownDay(check.checked_on)
  if (!check.is_valid) return `${named} was not valid when VIES was asked on ${on}.`
  if (daysBetween(check.checked_on, day) <= days) return null
  const age = `more than ${days} ${days === 1 ? 'day' : 'days'}`
  return isSold
    ? `${named} had last been checked with VIES on ${on}, ${age} before the sale.`
    : `${named} was last checked with VIES on ${on}, ${age} ago.`
}
