import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../db/connect.ts'
import { Refusal } from '../../http/refusal.ts'
import { countTry } from '../../http/throttle.ts'
import type { App } from '../../http/typed-routes.ts'

/** How many requests a key may make in a minute, all instances together. */
export const REQUESTS_A_MINUTE = 600

declare module 'fastify' {
  interface FastifyRequest {
    partnerId: number | null
  }
}

/** The partner behind a request. */
export function partnerOf(request: FastifyRequest): number {
  if (request.partnerId === null) throw new Refusal(401, 'Send your key: Authorization: Bearer <key>.')
  return request.partnerId
}

/**
 * Lets only valid keys pass to the routes of partners, and each key only so often. Keys are looked up at every request,
 * so that a revoked one ends at once.
 */
export function authenticatePartners(api: App, db: Database): void {
  api.decorateRequest('partnerId', null)
  api.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.access !== 'partner') return
    void reply.header('www-authenticate', 'Bearer realm="Backstock partner API"')
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!key) throw new Refusal(401, 'Send your key: Authorization: Bearer <key>.')
    const found = await db.read
      .selectFrom('partner_key')
      .select(['id', 'partner_id'])
      .where('hash', '=', createHash('sha256').update(key).digest())
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (!found) throw new Refusal(401, 'This key is not valid, or not any more.')
    void reply.removeHeader('www-authenticate')
    await countTry(db, `partner_key:${found.id}`, REQUESTS_A_MINUTE, 60)
    request.partnerId = found.partner_id
  })
}
