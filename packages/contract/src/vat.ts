import { z } from 'zod'
import { LoadedAt, RatePercent, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/** `rate` is percent (21.5). `display_name` is `name (rate%)`. */
export const Vat = z.object({
  id: z.int(),
  name: z.string(),
  rate: z.number(),
  display_name: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Vat = z.infer<typeof Vat>

export const VatInput = z.object({ name: requiredText(), rate: RatePercent, updated_at: LoadedAt })
export type VatInput = z.infer<typeof VatInput>

export const VatQuery = listQuery(['id', 'name', 'rate'], {})
