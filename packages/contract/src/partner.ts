import { z } from 'zod'
import { LoadedAt, OptionalId, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/** A partner is another system that uses the partner API. Its orders are sales to its customer, `customer_id`. */
export const Partner = z.object({
  id: z.int(),
  name: z.string(),
  customer_id: z.int().nullable(),
  customer_name: z.string().nullable(),
  has_key: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Partner = z.infer<typeof Partner>

export const PartnerInput = z.object({ name: requiredText(), customer_id: OptionalId.optional(), updated_at: LoadedAt })
export type PartnerInput = z.infer<typeof PartnerInput>

export const PartnerQuery = listQuery(['id', 'name'], {})
