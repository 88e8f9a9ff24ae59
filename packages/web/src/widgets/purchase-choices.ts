import { PURCHASE_TREATMENT_NAMES, PURCHASE_TREATMENTS } from '@backstock/contract/treatment.ts'

/** Under what an item may have been bought, for a select. */
export const PURCHASE_CHOICES = PURCHASE_TREATMENTS.map((value) => ({ value, label: PURCHASE_TREATMENT_NAMES[value] }))
