import type { PurchaseTreatment } from './treatment.ts'

/** The facts about an item's purchase: those that its sale recorded, or the present ones of the item itself. */
export type Purchase = { purchase_treatment: PurchaseTreatment; vat_type_id: number | null }

/**
 * Whether an item's purchase treatment is no longer the one that its sale recorded. If both are unknown, the VAT types
 * are compared.
 */
export const isBoughtOtherwise = (sold: Purchase, now: Purchase): boolean =>
  now.purchase_treatment !== sold.purchase_treatment ||
  (now.purchase_treatment === 'unknown' && now.vat_type_id !== sold.vat_type_id)
