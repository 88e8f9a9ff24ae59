import { PURCHASE_TREATMENT_NAMES, PURCHASE_TREATMENTS } from '@backstock/contract/treatment.ts'

/** The VAT treatments of a purchase, as options of a select. */
export const PURCHASE_CHOICES = PURCHASE_TREATMENTS.map((value) => ({ value, label: PURCHASE_TREATMENT_NAMES[value] }))
