import type { PurchaseTreatment } from './treatment.ts'

/** How an item was bought: as its sale says, or as the item itself says now. */
export type Purchase = { purchase_treatment: PurchaseTreatment; vat_type_id: number | null }

/**
 * Whether an item's purchase treatment is no longer the one that its sale recorded. If both are unknown, the VAT types
 * are compared.
 */
export const isBoughtOtherwise = (sold: Purchase, now: Purchase): boolean =>
  now.purchase_treatment !== sold.purchase_treatment ||
  (now.purchase_treatment === 'unknown' && now.vat_type_id !== sold.vat_type_id)
