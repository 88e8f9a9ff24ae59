import { z } from 'zod'
import { Email, LoadedAt, requiredText, Timestamp } from './fields.ts'
import { LogEntry } from './log.ts'
import { listQuery } from './page.ts'
import { PASSWORD_MAX, PASSWORD_MIN, ROLES } from './role.ts'
import { StockRow } from './stock.ts'

export const UserRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  type: z.literal('staff'),
  roles: z.array(z.enum(ROLES)),
  role: z.enum(ROLES),
  avatar_url: z.string().nullable(),
  /** The URL of the user's Gravatar; null unless the server allows Gravatar and the user has uploaded no picture. */
  gravatar_url: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type UserRow = z.infer<typeof UserRow>

/** The fields of a user that the quick search shows. */
export const UserHit = UserRow.pick({ id: true, name: true, email: true })

/** A member of staff. `recent_logs` are the newest 20 entries by this user, without the texts of mails. */
export const User = UserRow.extend({
  basket_items: z.array(StockRow),
  recent_logs: z.array(LogEntry),
  logs: z.array(LogEntry).optional(),
})
export type User = z.infer<typeof User>

const Password = z
  .string({ error: 'This field is required.' })
  .min(PASSWORD_MIN, {
    error: ({ input }) => (input === '' ? 'This field is required.' : `At least ${PASSWORD_MIN} characters.`),
  })
  .max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters.`)
const Role = z.enum(ROLES, { error: 'Must be User or Admin.' })

/** If the password is empty, the user keeps the present one. */
export const UserInput = z.object({
  name: requiredText(),
  email: Email,
  role: Role,
  password: z.preprocess((value) => (value === '' || value === null ? undefined : value), Password.optional()),
  updated_at: LoadedAt,
})
export type UserInput = z.infer<typeof UserInput>

export const UserCreateInput = UserInput.omit({ updated_at: true }).extend({ password: Password })
export type UserCreateInput = z.infer<typeof UserCreateInput>

export const UserQuery = listQuery(['id', 'name', 'email'], {})
