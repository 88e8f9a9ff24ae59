import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Role } from '@backstock/contract/role.ts'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/connect.ts'
import { forbidden, nothingHere, Refusal } from './refusal.ts'
import type { App } from './typed-routes.ts'

export const SESSION_COOKIE = 'backstock_session'
export const CSRF_COOKIE = 'XSRF-TOKEN'
const MAX_AGE_SECONDS = 7 * 24 * 3600

/** Who is asking, as the session says. */
export type Actor = { id: number; name: string; role: Role }
/** `csrf` is worked out where it is needed. */
export type Session = Actor & { csrf: () => string; tokenHash: Buffer }

/** Who may call a route. Routes that say nothing want a logged-in user. */
export type Access = 'public' | 'user' | 'admin' | 'partner'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyInstance {
    /** Whether people reach the server by HTTPS, though it speaks HTTP itself. */
    https: boolean
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

const hash = (token: string) => createHash('sha256').update(token).digest()

/** Bound to the session by its secret token, so that it need not be stored. */
const csrfOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

/** Whether the browser talks HTTPS, as far as the server can tell: cookies are then for HTTPS alone. */
export const isHttps = (request: FastifyRequest) => request.server.https || request.protocol === 'https'

type Loaded = Actor & { token_hash: Buffer; stale: boolean }

/**
 * Loads sessions: 12 hours idle and 7 days at most, by the database's clock. Requests that arrive together are one
 * question; each asks after its arrival, so that a session which has ended is gone with the next request.
 */
function sessionLoader(db: Database): (token: string) => Promise<Session | null> {
  let asking = new Map<string, PromiseWithResolvers<Loaded | undefined>>()

  async function ask(): Promise<void> {
    const asked = asking
    asking = new Map()
    try {
      const { rows } = await sql<Loaded>`
        select s.token_hash, u.id, u.name, u.role, s.seen_at < now() - interval '5 minutes' as stale
        from session s join app_user u on u.id = s.user_id
        where s.token_hash = any(${[...asked.keys()].map((key) => Buffer.from(key, 'base64'))}::bytea[])
          and s.expires_at > now() and s.seen_at > now() - interval '12 hours' and u.deleted_at is null`.execute(
        db.read,
      )
      const found = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]))
      for (const [key, one] of asked) one.resolve(found.get(key))
    } catch (error) {
      for (const one of asked.values()) one.reject(error)
    }
  }

  return async (token) => {
    const tokenHash = hash(token)
    const key = tokenHash.toString('base64')
    if (asking.size === 0) setImmediate(ask)
    const one = asking.get(key) ?? Promise.withResolvers<Loaded | undefined>()
    asking.set(key, one)
    const row = await one.promise
    if (!row) return null
    if (row.stale) await markSeen(db, tokenHash)
    return { id: row.id, name: row.name, role: row.role, csrf: () => csrfOf(token), tokenHash }
  }
}

/** On a full disk it is left for the next request: reading goes on. */
async function markSeen(db: Database, tokenHash: Buffer): Promise<void> {
  try {
    await db.writeAlone(sql`update session set seen_at = now() where token_hash = ${tokenHash}`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '53100')) throw error
  }
}

/** Starts a session with a new id and sets its cookies. */
export async function startSession(
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('session')
    .values({ token_hash: hash(token), user_id: userId, expires_at: sql`now() + interval '7 days'` as never })
    .execute()
  reply.setCookie(SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(request),
    maxAge: MAX_AGE_SECONDS,
  })
  setCsrfCookie(request, reply, csrfOf(token))
}

/** Ends one session and takes its cookie back. */
export async function endSession(tx: Tx, reply: FastifyReply, session: Session): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', session.tokenHash).execute()
  reply.clearCookie(SESSION_COOKIE, { path: '/' })
}

/** Ends the sessions of a user but the one that asks, where given; without one, their browsers are forgotten too. */
export async function endSessionsOf(tx: Tx, userId: number, but?: Buffer): Promise<void> {
  if (but === undefined) await tx.deleteFrom('login_device').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .$if(but !== undefined, (query) => query.where('token_hash', '<>', but!))
    .execute()
}

/** The screens read this cookie and send it back as `X-XSRF-TOKEN`. */
export function setCsrfCookie(request: FastifyRequest, reply: FastifyReply, csrf: string): void {
  reply.setCookie(CSRF_COOKIE, csrf, { path: '/', sameSite: 'lax', secure: isHttps(request) })
}

/** The token for somebody who is not logged in: the one they have, or a new one. */
export function anonymousCsrf(request: FastifyRequest, reply: FastifyReply): string {
  const present = request.cookies[CSRF_COOKIE]
  const csrf = present && /^[\w-]{43}$/.test(present) ? present : randomBytes(32).toString('base64url')
  setCsrfCookie(request, reply, csrf)
  return csrf
}

/** The person behind a request. Throws 401. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.session) throw new Refusal(401, 'Please log in.')
  return request.session
}

/** Throws 403 for all but administrators. */
export function adminOnly(actor: Actor): void {
  if (actor.role !== 'ROLE_ADMIN') throw forbidden('Only administrators may do this.')
}

const sameText = (a: string, b: string) => hash(a).equals(hash(b))

/** Whether a route of the API answers. By the route: the router also finds it under an address such as `/%61pi/auth`. */
export const isApi = (request: FastifyRequest) =>
  request.routeOptions.url?.startsWith('/api/') || request.url.startsWith('/api/')

/** Loads the session of every API request, then checks the CSRF token, then who may call the route. */
export function guardRequests(app: App, db: Database, { https }: { https: boolean }): void {
  app.decorate('https', https)
  app.decorateRequest('session', null)
  const load = sessionLoader(db)
  app.addHook('onRequest', async (request, reply) => {
    // What a GET would ask for is not looked up, or even exported, to be thrown away.
    if (request.method === 'HEAD' && isApi(request)) {
      void reply.header('allow', 'GET')
      throw new Refusal(405, 'Ask for this with GET.')
    }
    // Before anything of the body is read.
    if (request.is404) throw nothingHere()
    const access = request.routeOptions.config?.access ?? 'user'
    if (access === 'partner' || !isApi(request)) return
    const token = request.cookies[SESSION_COOKIE]
    if (token) request.session = await load(token)
    if (!['GET', 'OPTIONS'].includes(request.method)) {
      const sent = request.headers['x-xsrf-token']
      const expected = request.session?.csrf() ?? request.cookies[CSRF_COOKIE]
      if (typeof sent !== 'string' || !expected || !sameText(sent, expected))
        throw new Refusal(403, 'Invalid CSRF token, please refresh the page.')
    }
    if (access === 'public') return
    const actor = actorOf(request)
    if (access === 'admin') adminOnly(actor)
  })
}
