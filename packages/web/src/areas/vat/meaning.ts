import { TREATMENT_NAMES, type VatTypeTreatment } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'

/** The meanings that a rate of 0 may have. */
export const MEANINGS = ['zero', 'margin', 'exempt'] as const satisfies VatTypeTreatment[]
export const NOT_SAID = 'Not said yet'

/** Whether an administrator should still set the meaning of the rate. */
export const isUnsettled = ({ treatment }: Vat) => treatment === null

export const meaningOf = ({ treatment }: Vat) => (treatment === null ? NOT_SAID : TREATMENT_NAMES[treatment])

/** The probable meaning of a rate of 0, by its name in several languages; null for no idea. */
export function proposalOf(name: string): VatTypeTreatment | null {
  if (/marg|differen|rebu/i.test(name)) return 'margin'
  if (/exempt|exonér|exent|esent|vrijgest|befreit|steuerfrei/i.test(name)) return 'exempt'
  if (/zero|nul|\b0\b/i.test(name)) return 'zero'
  return null
}
