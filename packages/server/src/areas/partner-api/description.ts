import { ErrorAnswer } from '@backstock/contract/answer.ts'
import swagger from '@fastify/swagger'
import type { Config } from '../../config.ts'
import { describeRoute } from '../../http/openapi.ts'
import type { App } from '../../http/typed-routes.ts'
import { REQUESTS_A_MINUTE } from './authenticate.ts'
import { type Description, docsPage } from './docs-page.ts'

const ABOUT = [
  'See what is for sale, order it, follow your orders, and send items of your own.',
  'Every request carries your key: `Authorization: Bearer bsk_…`. The trader gives it to you and can end it at any moment.',
  `A key may make ${REQUESTS_A_MINUTE} requests a minute. Beyond that the answer is 429, and its header Retry-After says how many seconds to wait. If the service cannot answer at the moment, the answer is 503, with the same header.`,
  'Money is a whole number of hundredths of a euro: 24990 is 249.90 EUR. VAT rates are percent. Times are ISO 8601 in UTC.',
  'If a request is refused, the answer has `success: false` and a `message` for people (the same text as `error`). If fields are wrong, it also has `data.errors`, with a message for each field. The names of nested fields have dots, and lists are counted from 0 (`items.3.id`).',
  'Send an Idempotency-Key with orders and pushes. If you get no answer, send the same request with the same key again: it is carried out only once.',
].join('\n\n')

const Failure = ErrorAnswer.omit({ csrf_token: true })
const REFUSALS = {
  400: 'The request cannot be read: see the message.',
  401: 'The key is missing, or is not valid.',
  404: 'You have no record with this id.',
  409: 'An item is no longer available or has another price, or the same request is still being worked on.',
  413: 'The body is too large.',
  422: 'Fields are wrong: see `data.errors`. Or the Idempotency-Key was used for another request.',
  429: 'Too many requests: wait as many seconds as Retry-After says.',
  503: 'The service cannot answer at the moment: wait as many seconds as Retry-After says.',
}
const refusals = (statuses: (keyof typeof REFUSALS)[]) =>
  Object.fromEntries(statuses.map((status) => [status, Failure.describe(REFUSALS[status])]))

/**
 * Serves the OpenAPI 3.1 description of these routes at `openapi.json`, and a page made from it at `docs`. Both need no
 * key. Call it before the routes are registered.
 */
export async function describePartnerApi(api: App, { publicUrl }: Config): Promise<void> {
  await api.register(swagger, {
    decorator: 'partnerDescription' as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Backstock partner API', version: '1.0.0', description: ABOUT },
      servers: [{ url: publicUrl ?? '/' }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Your key.' } } },
      security: [{ key: [] }],
    },
    transform: (route) => {
      if (route.schema?.hide) return { schema: route.schema, url: route.url }
      const writes = route.schema?.body ? ([409, 413, 422] as const) : []
      const looks = route.url.includes(':id') ? ([404] as const) : []
      const given = (route.schema?.response ?? {}) as Record<string, unknown>
      const response = { ...refusals([400, 401, ...looks, ...writes, 429, 503]), ...given }
      return describeRoute({ ...route, schema: { ...route.schema, response } } as never)
    },
  })
  const description = () => (api as unknown as { partnerDescription(): Description }).partnerDescription()

  const open = { schema: { hide: true }, config: { access: 'public' } } as const
  api.get('/openapi.json', open, async () => description())
  api.get('/docs', open, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage(description())),
  )
}
