import { createHash, randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/connect.ts'
import { isHttps } from './session.ts'

const DEVICE_COOKIE = 'backstock_device'
/** The number of days without a login after which a browser is forgotten. */
const REMEMBERED_DAYS = 180

const hash = (token: string) => createHash('sha256').update(token).digest()

/**
 * The name of a browser if it has logged in to this account before, else undefined. Wrong passwords from known browsers
 * are counted separately, so that strangers who guess passwords cannot lock the owner out.
 */
export async function knownDevice(db: Database, request: FastifyRequest, email: string): Promise<string | undefined> {
  const token = request.cookies[DEVICE_COOKIE]
  if (!token) return undefined
  const tokenHash = hash(token)
  const found = await db.read
    .selectFrom('login_device as d')
    .innerJoin('app_user as u', 'u.id', 'd.user_id')
    .select('u.id')
    .where('d.token_hash', '=', tokenHash)
    .where(sql<string>`lower(u.email)`, '=', email.toLowerCase())
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`d.seen_at > now() - make_interval(days => ${REMEMBERED_DAYS})`)
    .executeTakeFirst()
  return found && tokenHash.toString('hex')
}

/** Remembers a browser after a login, under its name for this account, or under a new one. */
export async function rememberDevice(
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const present = request.cookies[DEVICE_COOKIE]
  const known = await tx
    .updateTable('login_device')
    .set({ seen_at: sql<string>`now()` })
    .where('token_hash', '=', hash(present ?? ''))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const isKnown = present !== undefined && known.numUpdatedRows > 0n
  const token = isKnown ? present : randomBytes(32).toString('base64url')
  if (!isKnown)
    await tx
      .insertInto('login_device')
      .values({ token_hash: hash(token), user_id: userId })
      .execute()
  await sql`
    delete from login_device where user_id = ${userId}
      and seen_at < now() - make_interval(days => ${REMEMBERED_DAYS})`.execute(tx)
  reply.setCookie(DEVICE_COOKIE, token, {
    path: '/api/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(request),
    maxAge: REMEMBERED_DAYS * 24 * 3600,
  })
}
