import { z } from 'zod'
import { EXEMPTION_CODES } from './exemption-code.ts'
import { LoadedAt, optionalText, RatePercent, requiredText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'
import { VAT_TYPE_TREATMENTS } from './treatment.ts'

/**
 * A VAT type. `rate` is in percent (21.5), and `display_name` has the form `name (rate%)`. `treatment` says what a rate
 * of 0 means. It is null if nobody has set it yet.
 */
export const Vat = z.object({
  id: z.int(),
  name: z.string(),
  rate: z.number(),
  display_name: z.string(),
  treatment: z.enum(VAT_TYPE_TREATMENTS).nullable(),
  exemption_text: z.string().nullable(),
  exemption_code: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Vat = z.infer<typeof Vat>

const blank = (value: unknown) => (value === '' ? null : value)

const ExemptionCode = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toUpperCase() || null : value),
  z
    .string()
    .refine((code) => EXEMPTION_CODES.has(code), 'Must be a VATEX code of EN 16931, such as VATEX-EU-132.')
    .nullable(),
)

/**
 * Any rate above 0 has the treatment `standard`. `exemption_text` is the reason that invoices give for an exempt rate.
 * `exemption_code` is the same reason as a code for programs.
 */
export const VatInput = z.object({
  name: requiredText(),
  rate: RatePercent,
  treatment: z
    .preprocess(
      blank,
      z.enum(VAT_TYPE_TREATMENTS, { error: `Must be one of ${VAT_TYPE_TREATMENTS.join(', ')}.` }).nullable(),
    )
    .optional(),
  exemption_text: optionalText().optional(),
  exemption_code: ExemptionCode.optional(),
  updated_at: LoadedAt,
})
export type VatInput = z.infer<typeof VatInput>

export const VatQuery = listQuery(['id', 'name', 'rate'], {})
