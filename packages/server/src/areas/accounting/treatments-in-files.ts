import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'

/** The treatments in CSV and Excel files. Programs read them, so `Standard` stays, which screens no longer say. */
export const FILED_TREATMENTS: Readonly<Record<Treatment, string>> = { ...TREATMENT_NAMES, standard: 'Standard' }
