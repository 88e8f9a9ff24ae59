import { z } from 'zod'
import { TAKE_OVER_FIELDS } from './take-over-fields.ts'

/** Values that a plan shows. */
export const SHOWN_VALUES = 20

const Field = z.enum(TAKE_OVER_FIELDS, { error: `Must be one of ${TAKE_OVER_FIELDS.join(', ')}.` })
export const TakeOverInput = z.object({ field: Field })

/**
 * The values that a field would take from a further column. `fits`: items whose field is empty and gets a value; `own`:
 * items that have a value of their own, which stays; `wrong`: items with a value that the field does not take. `values`
 * are the commonest of those, with the reason.
 */
export const TakeOverPlan = z.object({
  field: Field,
  fits: z.int(),
  own: z.int(),
  wrong: z.int(),
  values: z.array(z.object({ value: z.string(), items: z.int(), reason: z.string() })),
})
export type TakeOverPlan = z.infer<typeof TakeOverPlan>

/** `taken` items have the value now; `left` could have it, too: one act takes 10,000 at most. */
export const TakenOver = z.object({ bulk_id: z.int(), taken: z.int(), left: z.int() })
export type TakenOver = z.infer<typeof TakenOver>
