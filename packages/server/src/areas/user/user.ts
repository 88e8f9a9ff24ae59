import { randomInt } from 'node:crypto'
import type { StockRow } from '@backstock/contract/stock.ts'
import { User, UserCreateInput, UserHit, UserInput, UserQuery, UserRow } from '@backstock/contract/user.ts'
import { type Expression, sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../db/connect.ts'
import { humanOrder, page } from '../../db/page.ts'
import { type Crud, fieldsOf, found } from '../../http/crud.ts'
import { conflict, forbidden, invalid } from '../../http/refusal.ts'
import { adminOnly, endSessionsOf } from '../../http/session.ts'
import { edited } from '../../records/edited.ts'
import { logsOf, recentLogs } from '../../records/log/read.ts'
import { recordChanges, recordMessage } from '../../records/log/write.ts'
import { hashPassword } from '../../records/password.ts'

/**
 * SQL for a user's Gravatar, by the SHA-256 of the email, which is the form that Gravatar asks for. Size, fallback and
 * rating are fixed.
 */
const gravatarUrl = sql<string>`'https://www.gravatar.com/avatar/'
  || encode(sha256(convert_to(lower(trim(email)), 'UTF8')), 'hex') || '?s=40&d=retro&r=g'`

/** The fields that the table stores as they are sent. For the password, it stores a hash. */
const PlainFields = UserInput.omit({ password: true })

/** The query for users. If `gravatar` is true, users without a picture of their own get the URL of their Gravatar. */
const users = (db: Db, gravatar: boolean) =>
  db
    .selectFrom('app_user')
    .select([
      'app_user.id',
      ...fieldsOf(PlainFields),
      sql<'staff'>`'staff'`.as('type'),
      sql<UserRow['roles']>`array[role]`.as('roles'),
      sql<string | null>`case when avatar_file_id is not null
        then '/api/user/' || app_user.id || '/avatar?version=' || avatar_version end`.as('avatar_url'),
      (gravatar ? sql<string | null>`case when avatar_file_id is null then ${gravatarUrl} end` : sql<null>`null`).as(
        'gravatar_url',
      ),
      'created_at',
      'updated_at',
    ])
    .where('deleted_at', 'is', null)

type BasketItems = (db: Db, userId: number) => Promise<z.infer<typeof StockRow>[]>

/** The parts that a whole user needs from other areas. */
export type UserParts = { basketItems: BasketItems; gravatar: boolean; hasConnector: boolean }

/** A whole user, without the log entries about the user. */
export async function userOf(
  db: Db,
  id: number,
  { basketItems, gravatar }: UserParts,
): Promise<z.infer<typeof User> | undefined> {
  const row = await users(db, gravatar).where('app_user.id', '=', id).executeTakeFirst()
  return row && { ...row, basket_items: await basketItems(db, id), recent_logs: await recentLogs(db, id) }
}

/**
 * Throws 409 if no other administrator would be left. It locks all administrators, because two of them could otherwise
 * demote each other at the same moment.
 */
async function keepAnAdministrator(tx: Tx, leaving: number): Promise<void> {
  const admins = await tx
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'ROLE_ADMIN')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (admins.every((admin) => admin.id === leaving))
    throw conflict('The last administrator can be neither deleted nor demoted.')
}

/** Creates a member of staff and returns the id. */
export async function createUser(
  tx: Tx,
  { password, ...fields }: z.output<typeof UserCreateInput>,
  author: { userId: number | null },
): Promise<number> {
  const { id } = await tx
    .insertInto('app_user')
    .values({ ...fields, password_hash: await hashPassword(password) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChanges(tx, author, 'User', id, null, fields)
  return id
}

/** A random password that can be read out over the phone: 16 characters, none of which look alike. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  return Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')
}

/** The routes of staff. Only administrators write, but everyone may edit their own name, email and password. */
export const userArea = (parts: UserParts): Crud<typeof UserQuery, typeof UserInput, typeof UserRow, typeof User> => ({
  area: 'user',
  title: 'User',
  query: UserQuery,
  input: UserInput,
  createInput: UserCreateInput,
  row: UserRow,
  record: User,
  hit: UserHit,
  unique: { app_user_email: { field: 'email', message: 'There is already a user with this email.' } },
  find: (db, query) =>
    page(users(db, parts.gravatar), query, {
      table: 'app_user',
      sort: {
        id: 'app_user.id',
        name: humanOrder('app_user.name'),
        email: sql`lower(app_user.email)` as Expression<unknown> as never,
      },
    }),
  async one(db, id, actor) {
    const user = await userOf(db, id, parts)
    if (!user) return undefined
    const own = actor.id === id
    const others = own ? {} : { basket_items: [], recent_logs: [] }
    return { ...user, ...others, logs: await logsOf(db, 'User', id) }
  },
  async create(tx, input, actor) {
    adminOnly(actor)
    return { id: await createUser(tx, input as z.output<typeof UserCreateInput>, { userId: actor.id }) }
  },
  async edit(tx, id, input, actor) {
    if (actor.id !== id) adminOnly(actor)
    if (input.role !== undefined && input.role !== 'ROLE_ADMIN' && actor.role === 'ROLE_ADMIN')
      await keepAnAdministratorIfLeaving(tx, id)
    const row = await tx
      .selectFrom('app_user')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const { before, after, isChanged } = await edited(tx, PlainFields, {
      ...{ name: `User #${id}`, row, sent: input, logged: { type: 'User', id } },
    })
    if (input.role !== undefined && input.role !== before.role) {
      adminOnly(actor)
      if (actor.id === id) throw invalid({ role: 'You cannot change your own role.' })
    }
    const { password } = input
    if (password === undefined && !isChanged) return { id }
    const passwordHash = password === undefined ? before.password_hash : await hashPassword(password)
    await tx
      .updateTable('app_user')
      .set({ ...after, password_hash: passwordHash })
      .where('id', '=', id)
      .execute()
    await recordChanges(tx, { userId: actor.id }, 'User', id, before, after)
    if (password !== undefined) {
      await endSessionsOf(tx, id, actor.id === id ? (actor as { tokenHash?: Buffer }).tokenHash : undefined)
      await recordMessage(tx, { userId: actor.id }, 'User', id, 'The password was changed.')
    }
    return { id }
  },
  async remove(tx, id, actor) {
    adminOnly(actor)
    if (actor.id === id) throw forbidden('You cannot delete your own account.')
    await keepAnAdministrator(tx, id)
    const before = found(
      await tx
        .selectFrom('app_user')
        .select(['name', 'avatar_file_id'])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst(),
      `User #${id}`,
    )
    await tx
      .updateTable('app_user')
      .set({ deleted_at: sql`now()` as never, avatar_file_id: null })
      .where('id', '=', id)
      .execute()
    if (before.avatar_file_id) await tx.deleteFrom('file').where('id', '=', before.avatar_file_id).execute()
    await endSessionsOf(tx, id)
    await tx.deleteFrom('basket').where('user_id', '=', id).execute()
    await tx.deleteFrom('list_view').where('user_id', '=', id).execute()
    await tx.deleteFrom('import_remembered').where('user_id', '=', id).execute()
    await recordMessage(tx, { userId: actor.id }, 'User', id, `User ${before.name} was deleted.`)
  },
})

/** If this user is an administrator, makes sure that another one stays. */
async function keepAnAdministratorIfLeaving(tx: Tx, id: number): Promise<void> {
  const user = await tx
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user?.role === 'ROLE_ADMIN') await keepAnAdministrator(tx, id)
}
