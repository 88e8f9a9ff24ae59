import { TREATMENT_NAMES, type VatTypeTreatment } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'

/** The treatments that a VAT type with a rate of 0 may stand for. */
export const MEANINGS = ['zero', 'margin', 'exempt'] as const satisfies VatTypeTreatment[]
export const NOT_SAID = 'Not specified yet'

/** Whether an administrator must still say what a VAT type means. */
export const isUnsettled = ({ treatment }: Vat) => treatment === null

export const meaningOf = ({ treatment }: Vat) => (treatment === null ? NOT_SAID : TREATMENT_NAMES[treatment])

/**
 * The likely treatment of a VAT type with a rate of 0, judged by its name in several languages; null if the name says
 * nothing.
 */
export function proposalOf(name: string): VatTypeTreatment | null {
  if (/marg|differen|rebu/i.test(name)) return 'margin'
  if (/exempt|exonér|exent|esent|vrijgest|befreit|steuerfrei/i.test(name)) return 'exempt'
  if (/zero|nul|\b0\b/i.test(name)) return 'zero'
  return null
}
