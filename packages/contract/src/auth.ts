import { z } from 'zod'
import { requiredIdentifier } from './fields.ts'
import { EMAIL_MAX, PASSWORD_MAX } from './role.ts'
import { User } from './user.ts'

/** `username` is the email address. */
export const LoginInput = z.object({
  username: requiredIdentifier(EMAIL_MAX),
  password: z
    .string({ error: 'This field is required.' })
    .min(1, 'This field is required.')
    .max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters.`),
})

export const AuthAnswer = z.object({
  user: User,
  csrf_token: z.string(),
  sales_requiring_attention: z.int(),
  /** The lists for which this person has saved views. */
  lists_with_views: z.array(z.string()),
  /** Whether e-invoices can be handed over to a connector. */
  has_connector: z.boolean(),
})
export type AuthAnswer = z.infer<typeof AuthAnswer>
