import { z } from 'zod'
import { listOf, OptionalId, optionalText } from './fields.ts'
import { NewCustomer } from './sale.ts'
import { TREATMENTS } from './treatment.ts'

const MAX_LINES = 500

/**
 * A sale that is being made, as far as its invoice's completeness rests on it: the buyer, chosen or typed so far, and in
 * which ways its items are taxed. `vat_rate` is in percent.
 */
export const InvoiceLacksInput = NewCustomer.omit({ customer_email: true, customer_phone: true })
  .partial()
  .extend({
    customer_id: OptionalId.optional(),
    lines: listOf(
      z.array(
        z.object({
          vat_treatment: z.enum(TREATMENTS),
          vat_rate: z.number().min(0).max(100),
          vat_name: optionalText(),
        }),
      ),
      MAX_LINES,
      `At most ${MAX_LINES} ways.`,
    ),
  })
export type InvoiceLacksInput = z.infer<typeof InvoiceLacksInput>

/** The missing data, in words, by the page that has them: the company, the customer, the items' VAT types. */
const Lacks = z.object({ seller: z.array(z.string()), buyer: z.array(z.string()), items: z.array(z.string()) })
export type Lacks = z.infer<typeof Lacks>

/** `invoice`: facts that an invoice must have; `xml`: further facts that its PDF needs for an e-invoice inside. */
export const InvoiceLacks = z.object({ invoice: Lacks, xml: Lacks })
export type InvoiceLacks = z.infer<typeof InvoiceLacks>
