import { z } from 'zod'
import {
  ALSO_WHEN_WRONG,
  Flag,
  Id,
  LoadedAt,
  OptionalId,
  optionalCount,
  optionalText,
  requiredText,
  Timestamp,
} from './fields.ts'
import { LogEntry } from './log.ts'
import { listQuery } from './page.ts'
import { CAPACITY_UNITS } from './product-name.ts'

const Named = z.object({ id: z.int(), name: z.string() })

export const Product = z.object({
  id: z.int(),
  display_name: z.string(),
  make_id: z.int(),
  category_id: z.int(),
  colour_id: z.int().nullable(),
  make: Named,
  category: Named,
  colour: Named.nullable(),
  active: z.boolean(),
  model: z.string(),
  capacity: z.int().nullable(),
  capacity_unit: z.enum(CAPACITY_UNITS).nullable(),
  image_url: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  logs: z.array(LogEntry).optional(),
})
export type Product = z.infer<typeof Product>

const Unit = z.preprocess(
  (value) => (value === '' ? null : value),
  z.enum(CAPACITY_UNITS, { error: 'Must be MB, GB or TB.' }).nullable(),
)

/**
 * Capacity and unit must both be given or both be empty. On an edit, the server checks that against the whole record.
 */
export const ProductInput = z.object({
  make_id: Id,
  category_id: Id,
  colour_id: OptionalId.optional(),
  model: requiredText(),
  capacity: optionalCount(1, 1_000_000).optional(),
  capacity_unit: Unit.optional(),
  active: Flag.optional(),
  image_url: optionalText().optional(),
  updated_at: LoadedAt,
})
export type ProductInput = z.infer<typeof ProductInput>

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

/** If only one of capacity and unit is given, the field that is missing, with the sentence to show; else empty. */
export function halfCapacity(product: { capacity?: unknown; capacity_unit?: unknown }): Record<string, string> {
  const [amount, unit] = [isMissing(product.capacity), isMissing(product.capacity_unit)]
  return amount === unit ? {} : { [amount ? 'capacity' : 'capacity_unit']: 'Enter both capacity and unit, or neither.' }
}

/** A new product. The answer names all missing fields at once. */
export const ProductCreateInput = ProductInput.superRefine((product, context) => {
  for (const [path, message] of Object.entries(halfCapacity(product)))
    context.addIssue({ code: 'custom', path: [path], message })
}, ALSO_WHEN_WRONG)

export const ProductQuery = listQuery(['id', 'model', 'display_name'], {})
