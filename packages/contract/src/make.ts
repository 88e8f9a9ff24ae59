import { z } from 'zod'
import { LoadedAt, optionalText, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/** The server stores `logo_image` as it is sent and never loads the image. */
export const Make = z.object({
  id: z.int(),
  name: z.string(),
  logo_image: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Make = z.infer<typeof Make>

export const MakeInput = z.object({ name: requiredText(), logo_image: optionalText().optional(), updated_at: LoadedAt })
export type MakeInput = z.infer<typeof MakeInput>

export const MakeQuery = listQuery(['id', 'name'], {})
