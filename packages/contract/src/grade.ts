import { z } from 'zod'
import { LoadedAt, optionalCount, optionalText, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/** How a device looks, by the shop's own list. Lists have the lowest `position` first: the best grade. */
export const Grade = z.object({
  id: z.int(),
  name: z.string(),
  position: z.int(),
  description: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Grade = z.infer<typeof Grade>

/** A new grade comes last unless its input has a position. */
export const GradeInput = z.object({
  name: requiredText(30),
  position: optionalCount(0, 1000).optional(),
  description: optionalText().optional(),
  updated_at: LoadedAt,
})
export type GradeInput = z.infer<typeof GradeInput>

export const GradeQuery = listQuery(['id', 'name', 'position'], {}, 'position_asc')
