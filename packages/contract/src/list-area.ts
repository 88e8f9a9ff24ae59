/** The lists that can have saved views, by the name in their address. */
export const LIST_AREAS = [
  'stock',
  'batch',
  'sale',
  'document',
  'purchase-receipt',
  'return',
  'user',
  'customer',
  'partner',
  'supplier',
  'supplier-claim',
  'product',
  'make',
  'colour',
  'category',
  'grade',
  'vat',
  'reverse-charge-rule',
  'further-column',
] as const
export type ListAreaName = (typeof LIST_AREAS)[number]
