import { z } from 'zod'
import { PURCHASE_TREATMENTS, TREATMENTS } from './treatment.ts'

export const PurchaseTreatmentField = z.enum(PURCHASE_TREATMENTS, {
  error: `Must be one of ${PURCHASE_TREATMENTS.join(', ')}.`,
})

/** The treatment that a person chose for a line. If it is empty or left out, the rules decide. */
export const ChosenTreatment = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  z.enum(TREATMENTS, { error: `Must be one of ${TREATMENTS.join(', ')}.` }).optional(),
)
