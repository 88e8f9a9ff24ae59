import { z } from 'zod'
import { DateOnly, optionalText, Timestamp } from './fields.ts'
import { MAX_PAYMENT } from './payment-state.ts'

const numeric = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value)

/**
 * Money that came in for a sale, or went back if `amount` is below 0. `paid_on` is null for sales that were paid before
 * Backstock recorded payments. `undoes_id` is the wrong payment that this one reverses. `bank_entry_id` is the bank
 * entry from which the payment was booked.
 */
export const Payment = z.object({
  id: z.int(),
  paid_on: z.string().nullable(),
  amount: z.int(),
  note: z.string().nullable(),
  undoes_id: z.int().nullable(),
  is_undone: z.boolean(),
  bank_entry_id: z.int().nullable(),
  created_by: z.int().nullable(),
  created_by_name: z.string().nullable(),
  created_at: Timestamp,
})
export type Payment = z.infer<typeof Payment>

/**
 * A payment for a sale. If `amount` is left out, it is the open sum, which is below 0 if the shop has to give money
 * back. `open_amount` is the open sum that the caller saw; if another sum is open now, the server refuses the payment.
 */
export const PayInput = z.object({
  paid_on: DateOnly,
  amount: z
    .preprocess(
      numeric,
      z
        .int('Must be a whole number of cents.')
        .min(-MAX_PAYMENT, 'This is more than any sale can cost.')
        .max(MAX_PAYMENT, 'This is more than any sale can cost.')
        .refine((amount) => amount !== 0, 'Must not be 0.')
        .nullable(),
    )
    .optional(),
  note: optionalText().optional(),
  open_amount: z.int().optional(),
})
export type PayInput = z.infer<typeof PayInput>
