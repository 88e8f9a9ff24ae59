import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../db/connect.ts'
import { Refusal } from '../../http/refusal.ts'
import { countTry } from '../../http/throttle.ts'
import type { App } from '../../http/typed-routes.ts'

/** The most requests with one key in a minute, counted over all instances. */
export const REQUESTS_A_MINUTE = 600

declare module 'fastify' {
  interface FastifyRequest {
    partnerId: number | null
  }
}

/** The id of the partner that sends a request. Throws 401 if there is none. */
export function partnerOf(request: FastifyRequest): number {
  if (request.partnerId === null) throw new Refusal(401, 'Send your key: Authorization: Bearer <key>.')
  return request.partnerId
}

/**
 * Lets only requests with a valid key pass to the routes of partners, and limits their number for each key. The key is
 * looked up at each request, so that a revoked key ends at once.
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
    if (!found) throw new Refusal(401, 'This key is not valid, or no longer valid.')
    void reply.removeHeader('www-authenticate')
    await countTry(db, `partner_key:${found.id}`, REQUESTS_A_MINUTE, 60)
    request.partnerId = found.partner_id
  })
}
