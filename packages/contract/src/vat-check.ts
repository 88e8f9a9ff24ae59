import { z } from 'zod'
import { DateOnly, Flag, optionalText, requiredVatNumber, Timestamp } from './fields.ts'
import { VAT_CHECK_SOURCES } from './vat-check-doubt.ts'

/**
 * A check of a VAT number with VIES, as the shop keeps it. Nobody changes one, and it is deleted only with its
 * customer. `name` and `address` are what VIES says about the holder; many states say nothing.
 */
export const VatCheck = z.object({
  id: z.int(),
  vat_number: z.string(),
  checked_on: z.string(),
  is_valid: z.boolean(),
  reference: z.string().nullable(),
  source: z.enum(VAT_CHECK_SOURCES),
  name: z.string().nullable(),
  address: z.string().nullable(),
  created_by_name: z.string().nullable(),
  created_at: Timestamp,
})
export type VatCheck = z.infer<typeof VatCheck>

/** An answer that a person has read on the Commission's page. `vat_number` is the number that they checked there. */
export const TypedVatCheck = z.object({
  vat_number: requiredVatNumber(),
  checked_on: DateOnly,
  is_valid: Flag,
  /** The consultation number. */
  reference: optionalText(100).optional(),
})
export type TypedVatCheck = z.infer<typeof TypedVatCheck>

/** A customer's checks. */
export const CustomerVatChecks = z.object({
  /** Whether this server may ask VIES by itself (the setting VIES). */
  may_ask: z.boolean(),
  /** The days for which a check counts. */
  days: z.int(),
  /** Today by the company's clock. */
  today: z.string(),
  /** The newest check of the customer's present VAT number. */
  newest: VatCheck.nullable(),
  /** The newest checks of all numbers that the customer has had, newest first; at most 20. */
  history: z.array(VatCheck),
})
export type CustomerVatChecks = z.infer<typeof CustomerVatChecks>
