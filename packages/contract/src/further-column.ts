import { z } from 'zod'
import { nameInList } from './name-in-list.ts'
import { listQuery } from './page.ts'
import { MAX_COLUMNS } from './page-size.ts'

/**
 * A further column, which an import or a partner's push brought. `name` is its name in a file (`grading_x` for grading
 * data).
 */
export const FurtherColumn = z.object({
  id: z.int(),
  name: z.string(),
  /** The partner whose push brought the column first; null if an import did. */
  partner_id: z.int().nullable(),
  partner_name: z.string().nullable(),
})
export type FurtherColumn = z.infer<typeof FurtherColumn>

export const FurtherColumnQuery = listQuery(['id', 'name'], {})

/** The number of items that have a value in each column, by the column's id. A column that no item uses is left out. */
export const FurtherColumnCounts = z.object({ success: z.literal(true), data: z.record(z.string(), z.int()) })
export type FurtherColumnCounts = z.infer<typeof FurtherColumnCounts>

/** The names of all further columns, from which people choose the columns of a list. */
export const FurtherColumnNames = z.object({ success: z.literal(true), data: z.array(z.string()) })
export type FurtherColumnNames = z.infer<typeof FurtherColumnNames>

/** A filter that names further columns, comma-separated and each written by `listedName`. An empty value names none. */
export const furtherNames = z
  .preprocess(
    (value) =>
      String((Array.isArray(value) ? value.join(',') : value) ?? '')
        .split(',')
        .filter(Boolean)
        .map(nameInList),
    z
      .array(
        z.string({ error: 'must be names of further columns' }).max(255, 'must have names of at most 255 characters'),
      )
      .max(MAX_COLUMNS, `takes at most ${MAX_COLUMNS} names`),
  )
  .transform((names) => (names.length ? [...new Set(names)] : undefined))
  .optional()
