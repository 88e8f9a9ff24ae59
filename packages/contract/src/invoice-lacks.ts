import { z } from 'zod'
import { listOf, OptionalId, optionalText } from './fields.ts'
import { Lacks, ProfileLacks } from './lacks.ts'
import { NewCustomer } from './sale.ts'
import { TREATMENTS } from './treatment.ts'

const MAX_LINES = 500

/**
 * The facts of a sale that is not stored yet. They decide which data its invoice lacks: the buyer as chosen or typed so
 * far, and the treatments of the items. `vat_rate` is in percent.
 */
export const InvoiceLacksInput = NewCustomer.omit({ customer_email: true, customer_phone: true })
  .partial()
  .extend({
    customer_id: OptionalId.optional(),
    reference_number: optionalText().optional(),
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

/**
 * `invoice` has the facts that an invoice must have and lacks. `xml` has the further facts that it lacks for an
 * e-invoice inside its PDF. `profile` has those that it lacks for the profile of e-invoices that the customer asks for.
 */
export const InvoiceLacks = z.object({ invoice: Lacks, xml: Lacks, profile: ProfileLacks })
export type InvoiceLacks = z.infer<typeof InvoiceLacks>
