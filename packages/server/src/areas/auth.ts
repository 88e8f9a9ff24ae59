import { createHash } from 'node:crypto'
import { Done, ErrorAnswer } from '@backstock/contract/answer.ts'
import { AuthAnswer, LoginInput } from '@backstock/contract/auth.ts'
import { User } from '@backstock/contract/user.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Counter } from 'prom-client'
import type { Database, Tx } from '../db/connect.ts'
import { done } from '../http/answer.ts'
import { found } from '../http/crud.ts'
import { failure } from '../http/errors.ts'
import { knownDevice, rememberDevice } from '../http/login-device.ts'
import { BODY } from '../http/read-bodies.ts'
import { Refusal } from '../http/refusal.ts'
import { actorOf, anonymousCsrf, endSession, setCsrfCookie, startSession } from '../http/session.ts'
import { countTry, uncountTry } from '../http/throttle.ts'
import type { App } from '../http/typed-routes.ts'
import { isPassword, withPlaceInQueue } from '../records/password.ts'
import { type UserParts, userOf } from './user/user.ts'

const WRONG = 'Invalid email or password.'
const TRIES = 10
const WINDOW_SECONDS = 15 * 60

type Logins = Counter<'end'>

/** Counts attempts to log in by their outcome; `too_many` is a 429. */
function loginCounter({ metrics }: App): Logins {
  const logins: Logins = new Counter({
    name: 'backstock_logins_total',
    help: 'Tries to log in, by how they ended.',
    labelNames: ['end'],
    registers: [metrics],
  })
  for (const end of ['right', 'wrong', 'too_many']) logins.inc({ end }, 0)
  return logins
}

/** The routes for login, logout and the data that the screens need at their start. */
export function authRoutes(app: App, db: Database, parts: UserParts): void {
  const logins = loginCounter(app)
  app.get(
    '/api/auth',
    { schema: { response: { 200: AuthAnswer, 401: ErrorAnswer } }, config: { access: 'public' } },
    async (request, reply) => {
      if (!request.session) {
        const csrf = anonymousCsrf(request, reply)
        return reply.code(401).send({ ...failure(new Refusal(401, 'Please log in.')), csrf_token: csrf })
      }
      const { id } = request.session
      const csrf = request.session.csrf()
      setCsrfCookie(request, reply, csrf)
      const [user, attention, viewed] = await Promise.all([
        userOf(db.read, id, parts),
        db.read
          .selectFrom('sale')
          .select(sql<number>`count(*)`.as('n'))
          .where('status', '=', 'Requires Attention')
          .executeTakeFirstOrThrow(),
        db.read
          .selectFrom('list_view')
          .select('area')
          .distinct()
          .where((is) => is.or([is('user_id', 'is', null), is('user_id', '=', id)]))
          .orderBy('area')
          .execute(),
      ])
      return {
        user: found(user, 'Your account'),
        csrf_token: csrf,
        sales_requiring_attention: attention.n,
        lists_with_views: viewed.map(({ area }) => area),
        has_connector: parts.hasConnector,
      }
    },
  )

  app.post(
    '/api/login',
    { schema: { body: LoginInput, response: { 200: User } }, config: { access: 'public' }, bodyLimit: BODY.login },
    async (request, reply) => {
      const { username, password } = request.body
      const account = await checkLogin(db, logins, request, username, password)
      const user = await db.write(async (tx) => {
        await stillHolds(tx, account)
        if (request.session) await endSession(tx, reply, request.session)
        await startSession(tx, request, reply, account.id)
        await rememberDevice(tx, request, reply, account.id)
        return found(await userOf(tx, account.id, parts), 'Your account')
      })
      return user
    },
  )

  app.post('/api/logout', { schema: { response: { 200: Done } } }, async (request, reply) => {
    actorOf(request)
    const { session } = request
    if (session) await db.write((tx) => endSession(tx, reply, session))
    return done('You are logged out.', null)
  })
}

/**
 * A hash of a username for the log. It shows which refusals belong together, and a person who knows an address can find
 * it. The address itself stays out of the log.
 */
const nameless = (username: string) => createHash('sha256').update(username.toLowerCase()).digest('hex').slice(0, 16)

type Account = { id: number; password_hash: string }

/**
 * Throws 401 if the account was deleted or its password changed while the server checked the login. Such a change ends
 * all sessions, but it would miss this new one. The lock on the account makes the change wait until the session is
 * stored, so that the change ends it too.
 */
async function stillHolds(tx: Tx, { id, password_hash }: Account): Promise<void> {
  const account = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!account) throw new Refusal(401, WRONG)
}

/**
 * The account of this username if the password is right. Throws 401 or 429 otherwise. It counts every attempt and logs
 * wrong passwords.
 */
async function checkLogin(
  db: Database,
  logins: Logins,
  request: FastifyRequest,
  username: string,
  password: string,
): Promise<Account> {
  const device = await knownDevice(db, request, username)
  const lane = device ? 'known' : 'strangers'
  const key = device ? `login device:${device}` : `login:${username.toLowerCase()}`
  const { log, ip } = request
  try {
    return await withPlaceInQueue(lane, async () => {
      const counted = await countTry(db, key, TRIES, WINDOW_SECONDS)
      const account = await db.read
        .selectFrom('app_user')
        .select(['id', 'password_hash'])
        .where(sql<string>`lower(email)`, '=', username.toLowerCase())
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const isRight = await isPassword(password, account?.password_hash, lane)
      if (!account || !isRight) {
        log.warn({ account: nameless(username), user: account?.id, ip, browser: lane }, 'Login with a wrong password')
        throw new Refusal(401, WRONG)
      }
      await uncountTry(db, counted)
      logins.inc({ end: 'right' })
      return account
    })
  } catch (error) {
    if (error instanceof Refusal) logins.inc({ end: error.status === 401 ? 'wrong' : 'too_many' })
    throw error
  }
}
