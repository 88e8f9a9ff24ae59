import { z } from 'zod'
import { compactIdentifier } from './imei.ts'

/** Eight digits are enough: they are the TAC. The rest may still be being typed. */
export const ProposedProductQuery = z.object({
  imei: z
    .string({ error: 'must be an IMEI' })
    .max(64, 'must be an IMEI')
    .transform(compactIdentifier)
    .refine((imei) => /^\d{8,16}$/.test(imei), 'must be an IMEI'),
})

/** The product that the shop has had most under a TAC: so many of the `phones` looked at were `product_id`. */
export const ProposedProduct = z.object({
  tac: z.string(),
  product_id: z.int(),
  display_name: z.string(),
  times: z.int(),
  phones: z.int(),
})
export type ProposedProduct = z.infer<typeof ProposedProduct>
export const ProposedProductAnswer = z.object({ success: z.literal(true), data: ProposedProduct.nullable() })
