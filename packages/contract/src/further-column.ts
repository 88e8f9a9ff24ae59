import { z } from 'zod'
import { listQuery } from './page.ts'

/** A column that imports and pushes brought, by its name in a file (`grading_x` for grading data). */
export const FurtherColumn = z.object({
  id: z.int(),
  name: z.string(),
  /** The partner whose push brought it first; null where it was an import. */
  partner_id: z.int().nullable(),
  partner_name: z.string().nullable(),
})
export type FurtherColumn = z.infer<typeof FurtherColumn>

export const FurtherColumnQuery = listQuery(['id', 'name'], {})

/** How many items have each column, by its id. Whoever has none is missing. */
export const FurtherColumnCounts = z.object({ success: z.literal(true), data: z.record(z.string(), z.int()) })
export type FurtherColumnCounts = z.infer<typeof FurtherColumnCounts>
