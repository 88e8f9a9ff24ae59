import { z } from 'zod'
import { LoadedAt, optionalCount, optionalText, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/** A grade of the shop's own list: how a used device looks. Lists begin with the lowest `position`, the best grade. */
export const Grade = z.object({
  id: z.int(),
  name: z.string(),
  position: z.int(),
  description: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Grade = z.infer<typeof Grade>

/** A new grade without a position comes last. */
export const GradeInput = z.object({
  name: requiredText(30),
  position: optionalCount(0, 1000).optional(),
  description: optionalText().optional(),
  updated_at: LoadedAt,
})
export type GradeInput = z.infer<typeof GradeInput>

export const GradeQuery = listQuery(['id', 'name', 'position'], {}, 'position_asc')
