import { z } from 'zod'
import { Flag, LoadedAt, optionalCount, optionalText, requiredText, Timestamp } from './fields.ts'
import { addressProblem, canonicalAddress, MAX_ADDRESS } from './list-address.ts'
import { LIST_AREAS } from './list-area.ts'
import { listQuery, wordsFilter } from './page.ts'

/** The most views that one person can save for one list. The shared views of a list have the same limit together. */
export const MAX_VIEWS = 50

/**
 * A saved view: the address of a list under a name. Everybody sees a shared view. Only the person who made a view that
 * is not shared sees it.
 */
export const View = z.object({
  id: z.int(),
  area: z.enum(LIST_AREAS),
  name: z.string(),
  shared: z.boolean(),
  /** The address's part after the question mark, in the form that `canonicalAddress` gives it. */
  address: z.string(),
  position: z.int(),
  created_by: z.int(),
  created_by_name: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type View = z.infer<typeof View>

const ViewAddress = optionalText(MAX_ADDRESS)
  .transform((text) => text ?? '')
  .superRefine((text, context) => {
    const problem = addressProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(canonicalAddress)

/**
 * `position` is the view's place, from 0, among the views of the same list and owner. A new view without a position
 * comes last.
 */
export const ViewInput = z.object({
  name: requiredText(60),
  address: ViewAddress,
  shared: Flag.optional(),
  position: optionalCount(0, MAX_VIEWS).optional(),
  updated_at: LoadedAt,
})
export type ViewInput = z.infer<typeof ViewInput>

export const ViewCreateInput = ViewInput.extend({
  area: z.enum(LIST_AREAS, { error: 'Must be a list for which views can be saved.' }),
})
export type ViewCreateInput = z.infer<typeof ViewCreateInput>

export const ViewQuery = listQuery(['id', 'name', 'position'], { area: wordsFilter(LIST_AREAS) }, 'position_asc')
