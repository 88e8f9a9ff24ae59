export const CAPACITY_UNITS = ['MB', 'GB', 'TB'] as const
export type CapacityUnit = (typeof CAPACITY_UNITS)[number]

/** The name of a product on all screens and documents: `Apple iPhone 13 128 GB Black`. */
export function productDisplayName(
  make: string,
  model: string,
  capacity: number | null,
  unit: string | null,
  colour: string | null,
): string {
  return [make, model, capacity === null ? null : `${capacity} ${unit ?? ''}`.trim(), colour].filter(Boolean).join(' ')
}

/** The text of a capacity column: number and unit, or '-'. */
export function capacityText(capacity: number | null, unit: string | null): string {
  return capacity === null ? '-' : `${capacity} ${unit ?? ''}`.trim()
}
