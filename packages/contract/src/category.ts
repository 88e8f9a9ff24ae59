import { z } from 'zod'
import { Flag, LoadedAt, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/**
 * `is_reverse_charge_good` marks phones and similar goods. Some states demand reverse charge if a business sells them
 * to another business in the same state.
 */
export const Category = z.object({
  id: z.int(),
  name: z.string(),
  is_reverse_charge_good: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Category = z.infer<typeof Category>

export const CategoryInput = z.object({
  name: requiredText(),
  is_reverse_charge_good: Flag.optional(),
  updated_at: LoadedAt,
})
export type CategoryInput = z.infer<typeof CategoryInput>

export const CategoryQuery = listQuery(['id', 'name'], {})
