import { PURCHASE_TREATMENT_NAMES, PURCHASE_TREATMENTS } from '@backstock/contract/treatment.ts'

/** The treatments of a purchase, for a select. */
export const PURCHASE_CHOICES = PURCHASE_TREATMENTS.map((value) => ({ value, label: PURCHASE_TREATMENT_NAMES[value] }))
