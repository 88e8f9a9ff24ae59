import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { CapacityUnit } from '@backstock/contract/product-name.ts'
import type { CsvValues, NamedItem } from '../../stock/columns.ts'

/** A product as a row describes it, with the names as typed. */
export type DescribedProduct = {
  make: string
  model: string
  capacity: number | null
  capacity_unit: CapacityUnit | null
  colour: string | null
  /** The category is used only if the import creates the product. */
  category: string | null
}

const COLUMNS = ['make', 'model', 'capacity', 'capacity_unit', 'colour'] as const

export const saysProduct = (values: CsvValues) => COLUMNS.some((column) => values[column] !== undefined)

/**
 * The product that a row describes. Missing facts are taken from the present product of the item. Null if the row says
 * nothing about its product, or too little.
 */
export function describedProduct(values: CsvValues, item: NamedItem | null): DescribedProduct | null {
  if (item && !saysProduct(values)) return null
  const now = item?.product
  const { make = now?.make, model = now?.model, category = now?.category ?? null } = values
  const { capacity = now?.capacity ?? null, capacity_unit = now?.capacity_unit ?? null } = values
  const { colour = now?.colour ?? null } = values
  if (make === undefined || model === undefined || (capacity === null) !== (capacity_unit === null)) return null
  return { make, model, capacity, capacity_unit, colour, category }
}

/** A key that is equal for equal descriptions. */
export function productKey({ make, model, capacity, capacity_unit, colour }: DescribedProduct): string {
  return JSON.stringify([make, model, capacity, capacity_unit, colour])
}

/** A key that is equal even if the case of names differs, because a product is found in any case. */
export function productKeyInAnyCase(product: DescribedProduct): string {
  return productKey(product).toLowerCase()
}

export const NEEDS_CATEGORY = 'A new product needs a category.'
/** The error if a new item lacks a required field. */
export const REQUIRED = 'This field is required.'

/** The errors for the facts that a description lacks. */
export function descriptionErrors(product: Partial<DescribedProduct>): FieldErrors {
  const errors: FieldErrors = {}
  if (!product.make) errors['make'] = REQUIRED
  if (!product.model) errors['model'] = REQUIRED
  const both = 'Enter both capacity and unit, or neither.'
  if (product.capacity && !product.capacity_unit) errors['capacity_unit'] = both
  if (product.capacity_unit && !product.capacity) errors['capacity'] = both
  return errors
}
