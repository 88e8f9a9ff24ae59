import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Database, LOCK_TIMEOUT_MS, type Tx } from '../db/connect.ts'
import { Refusal } from './refusal.ts'
import { actorOf } from './session.ts'
import { storableAnswer, storedAnswer } from './typed-routes.ts'

/** The idempotency key of a request, if it has one. Throws 400 if it cannot be a key. */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal(400, 'Idempotency-Key must have 1 to 255 visible ASCII characters.')
  return key
}

export type Once<Answer> = { status: number; answer: Answer }

/** Waits until no other request with this key runs. Throws 409 after 3 seconds. */
async function waitForTwin(tx: Tx, name: string): Promise<void> {
  try {
    const lock = createHash('sha256').update(name).digest().readBigInt64BE()
    await sql
      .raw(
        `set local lock_timeout = '3s'; select pg_advisory_xact_lock(${lock}); set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
      )
      .execute(tx)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '55P03')
      throw new Refusal(409, 'The same request is still being worked on. Please try again in a moment.', {
        retryAfter: 2,
      })
    throw error
  }
}

/**
 * Runs `work` in one transaction, but only once for each owner and key of a request. The first successful answer is
 * stored in the same transaction, as it is sent, and repeated for 24 hours, also by a server of another release. A
 * second request waits up to 3 seconds for the first; after that, it throws 409. Throws 422 if the key was sent with
 * another body.
 */
export async function once<Answer>(
  db: Database,
  request: FastifyRequest,
  owner: string,
  body: string | Buffer,
  work: (tx: Tx) => Promise<Once<Answer>>,
): Promise<Once<Answer>> {
  const key = idempotencyKey(request)
  if (key === undefined) return db.write(work)
  const bodyHash = createHash('sha256').update(body).digest()
  return db.write(async (tx) => {
    await waitForTwin(tx, `${owner} ${key}`)
    const before = await tx
      .selectFrom('idempotency')
      .selectAll()
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where(sql<boolean>`created_at > now() - interval '24 hours'`)
      .executeTakeFirst()
    if (before) {
      if (!before.body_hash.equals(bodyHash))
        throw new Refusal(422, 'This Idempotency-Key was used for another request.')
      const status = before.http_status
      return { status, answer: await storedAnswer(request, status, before.answer as Answer) }
    }
    const made = await work(tx)
    const { status } = made
    const answer = await storableAnswer(request, status, made.answer)
    const stored = { http_status: status, answer: JSON.stringify(answer), body_hash: bodyHash }
    await tx
      .insertInto('idempotency')
      .values({ owner, key, ...stored })
      .onConflict((conflict) => conflict.columns(['owner', 'key']).doUpdateSet({ ...stored, created_at: sql`now()` }))
      .execute()
    return { status, answer }
  })
}

/** Runs `work` once for the person who asks and the key of the request, as `once` does. */
export const onceByActor = <Answer>(
  db: Database,
  request: FastifyRequest,
  body: string | Buffer,
  work: (tx: Tx) => Promise<Once<Answer>>,
) => once(db, request, `user:${actorOf(request).id}`, body, work)
