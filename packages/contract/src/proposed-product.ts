import { z } from 'zod'
import { compactIdentifier } from './imei.ts'

/** The IMEI may be incomplete while a person types it: its first eight digits, the TAC, are enough. */
export const ProposedProductQuery = z.object({
  imei: z
    .string({ error: 'must be an IMEI' })
    .max(64, 'must be an IMEI')
    .transform(compactIdentifier)
    .refine((imei) => /^\d{8,16}$/.test(imei), 'must be an IMEI'),
})

/** The product that most of the shop's newest phones under a TAC have: `times` of the `phones` that were looked at. */
export const ProposedProduct = z.object({
  tac: z.string(),
  product_id: z.int(),
  display_name: z.string(),
  times: z.int(),
  phones: z.int(),
})
export type ProposedProduct = z.infer<typeof ProposedProduct>
export const ProposedProductAnswer = z.object({ success: z.literal(true), data: ProposedProduct.nullable() })
