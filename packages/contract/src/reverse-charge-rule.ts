import { z } from 'zod'
import { isCountryCode } from './country.ts'
import { DateOnly, Flag, LoadedAt, OptionalDate, OptionalPrice, optionalText, Timestamp } from './fields.ts'
import { listQuery } from './page.ts'

/**
 * A law of a state that demands reverse charge, for a time, if its businesses sell phones and similar goods to each
 * other (Directive 2006/112/EC, article 199a). `threshold` is in hundredths of `threshold_currency`. If `series` is
 * set, it begins the numbers of invoices that have nothing but such goods.
 */
export const ReverseChargeRule = z.object({
  id: z.int(),
  country_code: z.string(),
  country: z.string(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  threshold: z.int().nullable(),
  threshold_currency: z.string(),
  resellers_any: z.boolean(),
  series: z.string().nullable(),
  note: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ReverseChargeRule = z.infer<typeof ReverseChargeRule>

/** Beginnings of document numbers that other documents use. */
const TAKEN = ['CN', 'SAMPLE', 'PR']

const upper = (value: unknown) => (typeof value === 'string' ? value.trim().toUpperCase() : value)

export const ReverseChargeRuleInput = z.object({
  country_code: z.preprocess(
    upper,
    z.string({ error: 'This field is required.' }).refine(isCountryCode, 'Must be a country from the list.'),
  ),
  valid_from: DateOnly,
  valid_to: OptionalDate.optional(),
  threshold: OptionalPrice.optional(),
  threshold_currency: z
    .preprocess(
      upper,
      z.string({ error: 'Must be a currency.' }).regex(/^[A-Z]{3}$/, 'Must be a currency such as EUR.'),
    )
    .optional(),
  resellers_any: Flag.optional(),
  series: z
    .preprocess(
      (value) => upper(value) || null,
      z
        .string({ error: 'Must be text.' })
        .regex(/^[A-Z][A-Z0-9]{0,7}$/, 'At most 8 letters and digits, with a letter first.')
        .refine((series) => !TAKEN.includes(series), 'Other document numbers begin with this. Choose other letters.')
        .nullable(),
    )
    .optional(),
  note: optionalText(1000).optional(),
  updated_at: LoadedAt,
})
export type ReverseChargeRuleInput = z.infer<typeof ReverseChargeRuleInput>

export const ReverseChargeRuleQuery = listQuery(['id', 'country_code', 'valid_from', 'valid_to'], {})
