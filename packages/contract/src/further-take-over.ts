import { z } from 'zod'
import { TAKE_OVER_FIELDS } from './take-over-fields.ts'

/** The most wrong values that a plan lists. */
export const SHOWN_VALUES = 20

const Field = z.enum(TAKE_OVER_FIELDS, { error: `Must be one of ${TAKE_OVER_FIELDS.join(', ')}.` })
export const TakeOverInput = z.object({ field: Field })

/**
 * A plan to copy the values of a further column into a field of the items. `fits` counts the items whose field is empty
 * and gets a value. `own` counts those whose field has a value already, which stays. `gone` counts those that are no
 * longer here, and therefore get no location. `wrong` counts those whose value the field does not take; `values` are the
 * commonest of these, each with the reason.
 */
export const TakeOverPlan = z.object({
  field: Field,
  fits: z.int(),
  own: z.int(),
  gone: z.int(),
  wrong: z.int(),
  values: z.array(z.object({ value: z.string(), items: z.int(), reason: z.string() })),
})
export type TakeOverPlan = z.infer<typeof TakeOverPlan>

/** `taken` items have the value now. `left` items still wait for it, because one bulk edit takes at most 10,000. */
export const TakenOver = z.object({ bulk_id: z.int(), taken: z.int(), left: z.int() })
export type TakenOver = z.infer<typeof TakenOver>
