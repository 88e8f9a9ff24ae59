import { z } from 'zod'
import { Id, itemIds } from './fields.ts'
import { PURCHASE_TREATMENTS, VAT_TYPE_TREATMENTS } from './treatment.ts'

const Place = z.object({ country_code: z.string().nullable(), postal_code: z.string().nullable() })

/** `sale_id` is a sale that a person corrects. The answer then has the facts of the day of that sale, too. */
export const TaxFactsInput = z.object({ items: itemIds(), sale_id: Id.optional() })
export type TaxFactsInput = z.infer<typeof TaxFactsInput>

/**
 * The facts that decide the VAT of a new sale, beside its customer and the fields of its items. They are the input of
 * `treatmentsOf`. `day` is today by the company's clock, or the day of the sale or of its dispatch. Rates are in
 * hundredths of a percent. `reverse_charge_ends` is the last day of reverse charge in the seller's state, as
 * `reverseChargeEnds` finds it; it is missing for the correction of a sale. `sold` is for a correction: the buyer and
 * the facts of the items on the day of the sale.
 */
export const TaxFacts = z.object({
  day: z.string(),
  seller: Place.extend({ vat_number: z.string().nullable() }),
  margin_rate: z.int().nullable(),
  rule: z
    .object({
      country_code: z.string(),
      valid_from: z.string(),
      valid_to: z.string().nullable(),
      threshold: z.int().nullable(),
      threshold_currency: z.string(),
      resellers_any: z.boolean(),
      series: z.string().nullable(),
    })
    .nullable(),
  reverse_charge_ends: z.string().nullable().optional(),
  /** The ids of the products that are goods for which some states demand reverse charge on domestic sales. */
  reverse_charge_products: z.array(z.int()),
  sold: z
    .object({
      buyer: Place.extend({ vat_number: z.string().nullable() }),
      delivery: Place.nullable(),
      items: z.array(
        z.object({
          stock_id: z.int(),
          purchase: z.enum(PURCHASE_TREATMENTS),
          vat: z.object({ rate: z.int(), treatment: z.enum(VAT_TYPE_TREATMENTS).nullable() }).nullable(),
          isReverseChargeGood: z.boolean(),
        }),
      ),
    })
    .nullable(),
})
export type TaxFacts = z.infer<typeof TaxFacts>
