/**
 * The VAT treatment of a sale's line. Each line has exactly one. `none` means that its item has no VAT type, or one
 * without a meaning; the line is sold at 0%.
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
  standard: 'With VAT',
  zero: 'Zero rate',
  margin: 'Margin scheme',
  reverse_charge: 'Reverse charge',
  intra_community: 'Intra-Community',
  export: 'Export',
  exempt: 'Exempt',
  none: 'No VAT type',
}

/** The name of a treatment with its rate in percent, if it has one: `VAT 9%`, `Margin scheme`. */
export const treatmentAt = (treatment: Treatment, rate: number): string =>
  treatment === 'standard' ? `VAT ${rate}%` : TREATMENT_NAMES[treatment]

/** The treatments that a VAT type can mean for its items. A rate above 0 always means `standard`. */
export const VAT_TYPE_TREATMENTS = ['standard', 'zero', 'margin', 'exempt'] as const satisfies Treatment[]
export type VatTypeTreatment = (typeof VAT_TYPE_TREATMENTS)[number]

/**
 * The treatment with which an item was bought. Only an item bought with `margin` may be sold under the margin scheme;
 * for `unknown`, the item's VAT type decides.
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
