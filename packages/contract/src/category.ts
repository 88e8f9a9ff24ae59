import { z } from 'zod'
import { LoadedAt, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

export const Category = z.object({ id: z.int(), name: z.string(), created_at: Timestamp, updated_at: Timestamp })
export type Category = z.infer<typeof Category>

export const CategoryInput = z.object({ name: requiredText(), updated_at: LoadedAt })
export type CategoryInput = z.infer<typeof CategoryInput>

export const CategoryQuery = listQuery(['id', 'name'], {})
