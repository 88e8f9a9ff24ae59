import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Role } from '@backstock/contract/role.ts'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Database, type Tx, waitingLess } from '../db/connect.ts'
import { askTogether } from './ask-together.ts'
import { forbidden, nothingHere, Refusal } from './refusal.ts'
import type { App } from './typed-routes.ts'

const SESSION_COOKIE = 'backstock_session'
const CSRF_COOKIE = 'XSRF-TOKEN'
const MAX_AGE_SECONDS = 7 * 24 * 3600

/** The person who sends a request, according to the session. */
export type Actor = { id: number; name: string; role: Role }
/** A session. `csrf` is a function because few requests need the token. */
export type Session = Actor & { csrf: () => string; tokenHash: Buffer }

/** The callers that a route accepts. A route without this setting wants a logged-in user. */
export type Access = 'public' | 'user' | 'admin' | 'partner'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
  interface FastifyInstance {
    /** Whether people reach the server by HTTPS, even if the server itself speaks HTTP. */
    https: boolean
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

const hash = (token: string) => createHash('sha256').update(token).digest()

/** The CSRF token of a session. It is computed from the session's secret token, so it is not stored. */
const csrfOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

/** Whether the browser uses HTTPS, as far as the server can tell. If so, cookies are sent by HTTPS only. */
export const isHttps = (request: FastifyRequest) => request.server.https || request.protocol === 'https'

type Loaded = Actor & { stale: boolean }

/**
 * Loads the session of a token. A session ends after 12 idle hours or after 7 days, by the database's clock. No session
 * is cached: each request asks the database, so a session that has ended is gone for the next request.
 */
function sessionLoader(db: Database): (token: string) => Promise<Session | null> {
  const load = askTogether(async (hashes): Promise<Map<string, Loaded>> => {
    const { rows } = await sql<Loaded & { token_hash: Buffer }>`
      select s.token_hash, u.id, u.name, u.role, s.seen_at < now() - interval '5 minutes' as stale
      from session s join app_user u on u.id = s.user_id
      where s.token_hash = any(${hashes.map((key) => Buffer.from(key, 'base64'))}::bytea[])
        and s.expires_at > now() and s.seen_at > now() - interval '12 hours' and u.deleted_at is null`.execute(db.read)
    return new Map(rows.map(({ token_hash, ...loaded }) => [token_hash.toString('base64'), loaded]))
  })
  return async (token) => {
    const tokenHash = hash(token)
    const loaded = await load(tokenHash.toString('base64'))
    if (!loaded) return null
    const { stale, ...actor } = loaded
    if (stale) await markSeen(db, tokenHash)
    return { ...actor, csrf: () => csrfOf(token), tokenHash }
  }
}

/**
 * Stores that a session was used. If the disk is full, or if it would have to wait for a connection, it does nothing, so
 * that people can still read; the next request tries again.
 */
async function markSeen(db: Database, tokenHash: Buffer): Promise<void> {
  const { total, idle, waiting } = db.figures().write
  if (total >= db.pool.options.max && idle <= waiting) return
  try {
    const statement = sql`update session set seen_at = now() where token_hash = ${tokenHash}`
    await db.write((tx) => waitingLess(tx, () => statement.execute(tx)))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '53100')) throw error
  }
}

/** Starts a session with a new token, and sets its cookies. */
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

/** Ends a session and deletes its cookie. */
export async function endSession(tx: Tx, reply: FastifyReply, session: Session): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', session.tokenHash).execute()
  reply.clearCookie(SESSION_COOKIE, { path: '/' })
}

/**
 * Ends all sessions of a user. `but` is the hash of the token of the session that stays: the one that sends the
 * request. If it is left out, the user's known browsers are forgotten too.
 */
export async function endSessionsOf(tx: Tx, userId: number, but?: Buffer): Promise<void> {
  if (but === undefined) await tx.deleteFrom('login_device').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .$call((query) => (but === undefined ? query : query.where('token_hash', '<>', but)))
    .execute()
}

/** Sets the cookie that the screens read and send back as `X-XSRF-TOKEN`. */
export function setCsrfCookie(request: FastifyRequest, reply: FastifyReply, csrf: string): void {
  reply.setCookie(CSRF_COOKIE, csrf, { path: '/', sameSite: 'lax', secure: isHttps(request) })
}

/** The CSRF token for a person who is not logged in: the one that the browser has, or a new one. */
export function anonymousCsrf(request: FastifyRequest, reply: FastifyReply): string {
  const present = request.cookies[CSRF_COOKIE]
  const csrf = present && /^[\w-]{43}$/.test(present) ? present : randomBytes(32).toString('base64url')
  setCsrfCookie(request, reply, csrf)
  return csrf
}

/** The person who sends a request. Throws 401 if nobody is logged in. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.session) throw new Refusal(401, 'Please log in.')
  return request.session
}

/** Throws 403 unless the person is an administrator. */
export function adminOnly(actor: Actor): void {
  if (actor.role !== 'ROLE_ADMIN') throw forbidden('Only administrators may do this.')
}

const sameText = (a: string, b: string) => hash(a).equals(hash(b))

/** Whether a request goes to the API. The route decides, because its address may be written as `/%61pi/auth`. */
export const isApi = (request: FastifyRequest) =>
  request.routeOptions.url?.startsWith('/api/') || request.url.startsWith('/api/')

/**
 * Whether a page of another origin caused the request, even by a link; browsers send that in a header (W3C Fetch
 * Metadata). It matters because some GET routes write: the download of a document makes it final.
 */
const isAskedByAnotherSite = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

/**
 * Loads the session of every API request. Then it checks the CSRF token, the origin of the page, and whether the person
 * may call the route.
 */
export function guardRequests(app: App, db: Database, { https }: { https: boolean }): void {
  app.decorate('https', https)
  app.decorateRequest('session', null)
  const load = sessionLoader(db)
  app.addHook('onRequest', async (request, reply) => {
    // A HEAD would run the whole GET, even an export, without any use.
    if (request.method === 'HEAD' && isApi(request)) {
      void reply.header('allow', 'GET')
      throw new Refusal(405, 'Ask for this with GET.')
    }
    // An unknown address is refused here, before the body is read.
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
    if (isAskedByAnotherSite(request)) throw forbidden('Another website cannot ask for this. Open it in Backstock.')
    const actor = actorOf(request)
    if (access === 'admin') adminOnly(actor)
  })
}
