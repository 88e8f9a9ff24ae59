import { type Decision, goesToAnotherState, taxWarnings } from '@backstock/contract/treatment-of.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import type { Tx } from '../../db/connect.ts'
import type { TreatmentRoute } from '../../db/tables.ts'
import { vatChecked } from '../vat-check/checks.ts'

/**
 * Notes about the VAT of a sale that is made or corrected: it is allowed, but a person should look at it. `lastDay` is
 * the last day of reverse charge, if it matters.
 */
export async function taxNotes(
  tx: Tx,
  customerId: number,
  route: TreatmentRoute,
  decisions: readonly Decision[],
  lastDay?: string | null,
): Promise<string[]> {
  const { vat_number, country_code } = route.buyer
  const counts = vat_number !== null && goesToAnotherState(route)
  const checked = counts ? await vatChecked(tx, customerId, vat_number, route.day) : undefined
  const misspelt = vatNumberProblem(vat_number, country_code, `The buyer’s VAT number ${vat_number}`) ?? []
  return [...taxWarnings(route, decisions, { checked, day: route.day, lastDay }), ...[misspelt].flat()]
}
