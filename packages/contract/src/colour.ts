import { z } from 'zod'
import { LoadedAt, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

export const Colour = z.object({ id: z.int(), name: z.string(), created_at: Timestamp, updated_at: Timestamp })
export type Colour = z.infer<typeof Colour>

export const ColourInput = z.object({ name: requiredText(), updated_at: LoadedAt })
export type ColourInput = z.infer<typeof ColourInput>

export const ColourQuery = listQuery(['id', 'name'], {})
