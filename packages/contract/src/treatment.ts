/**
 * The treatment of a sale's line, for exactly one reason. `none`: its item has no VAT type, or one without a
 * meaning; it is sold at 0 %.
 */
export const TREATMENTS = [
  'standard',
  'zero',
  'margin',
  'reverse_charge',
  'intra_community',
  'export',
  'exempt',
  'none',
] as const
export type Treatment = (typeof TREATMENTS)[number]
export const TREATMENT_NAMES: Record<Treatment, string> = {
  standard: 'Standard',
  zero: 'Zero rate',
  margin: 'Margin scheme',
  reverse_charge: 'Reverse charge',
  intra_community: 'Intra-Community',
  export: 'Export',
  exempt: 'Exempt',
  none: 'No VAT type',
}

/** The meaning of a VAT type for the items that bear it; a rate above 0 is always `standard`. */
export const VAT_TYPE_TREATMENTS = ['standard', 'zero', 'margin', 'exempt'] as const satisfies Treatment[]
export type VatTypeTreatment = (typeof VAT_TYPE_TREATMENTS)[number]

/**
 * The treatment of an item's purchase. Only `margin` (and `unknown`, by its VAT type) may be sold under the margin
 * scheme.
 */
export const PURCHASE_TREATMENTS = [
  'unknown',
  'standard',
  'margin',
  'reverse_charge',
  'intra_community',
  'import',
] as const
export type PurchaseTreatment = (typeof PURCHASE_TREATMENTS)[number]
export const PURCHASE_TREATMENT_NAMES: Record<PurchaseTreatment, string> = {
  unknown: 'Unknown',
  standard: 'With VAT',
  margin: 'Margin scheme',
  reverse_charge: 'Reverse charge',
  intra_community: 'Intra-Community',
  import: 'Import',
}
