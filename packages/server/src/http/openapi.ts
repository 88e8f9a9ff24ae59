import { ErrorAnswer } from '@backstock/contract/answer.ts'
import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ownTurn } from './own-turn.ts'
import type { App } from './typed-routes.ts'
import { VERSION } from './version.ts'

/** Describes a field by its strict form, even if it also accepts others (digits as text, '' for null). */
function describe({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const { def } = zodSchema._zod as { def: { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType } }
  if (def.type !== 'pipe' || !def.in || !def.out) return
  if ((def.in._zod.def as { type: string }).type !== 'transform') return
  const { $schema: _, ...inner } = z.toJSONSchema(def.out as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    override: describe,
  })
  Object.assign(jsonSchema, inner)
}

/** Turns the schemas of a route into those of OpenAPI, for `@fastify/swagger`. */
export const describeRoute = createJsonSchemaTransform({
  zodToJsonConfig: { unrepresentable: 'any', override: describe as never },
})

/** Writes `const` as an `enum` of one value, as `@fastify/swagger` does in routes. */
function withoutConst({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.const === undefined) return
  jsonSchema.enum = [jsonSchema.const]
  delete jsonSchema.const
}

const { $schema: _, ...schema } = z.toJSONSchema(ErrorAnswer, { unrepresentable: 'any', override: withoutConst })
const refusal = { description: 'Default Response', content: { 'application/json': { schema } } }
/** The refusals of all routes. They are described once, and not for each route and status. */
const refusals = Object.fromEntries([400, 401, 403, 404, 409, 422, 429, 503].map((status) => [status, refusal]))

/** The description of a download, for the schema of a route. */
export function fileAnswer(description: string, mediaType = 'application/octet-stream') {
  // This schema fits handlers that send bytes or streams.
  const schema: z.ZodType = z.string()
  return { response: { 200: { description, content: { [mediaType]: { schema } } } } }
}

/** Describes a body that its route reads by itself: a form with files, or a body with refusals of its own. */
export function ownBody(schema: z.ZodType, ...consumes: string[]) {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describe })
  return { body: z.unknown().meta(described), consumes }
}

/** The media type of forms with files. */
export const FORM = 'multipart/form-data'
/** The media type of forms without files. */
export const URLENCODED = 'application/x-www-form-urlencoded'

const OPENAPI = '3.1.0'
type Described = ReturnType<typeof describeRoute>

const isDescribed = ({ url }: RouteOptions) => url.startsWith('/api/') && !url.startsWith('/api/partner/v1')

function describedRoute({ url, schema }: RouteOptions): Described {
  const area = url.split('/')[2] ?? ''
  return describeRoute({ url, schema: { tags: [area], ...schema }, openapiObject: { openapi: OPENAPI } } as never)
}

/**
 * Serves OpenAPI 3.1 of all routes at `/api/openapi.json`. It is made from the schemas by which requests are checked.
 * Call it before the routes are registered.
 */
export async function describeApi(app: App): Promise<void> {
  const described = new Map<RouteOptions, Described>()
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (isDescribed(route)) routes.push(route)
  })
  await app.register(swagger, {
    openapi: {
      openapi: OPENAPI,
      info: {
        title: 'Backstock',
        version: VERSION,
        description:
          'The API of the back office. Money is an integer in hundredths of a euro, or of the currency that is given beside it; VAT rates are percent.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'backstock_session' },
          csrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
        },
      },
      security: [{ session: [], csrf: [] }],
    },
    transform: ({ schema, url, route }) =>
      isDescribed(route) ? (described.get(route) ?? describedRoute(route)) : { schema: { ...schema, hide: true }, url },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      for (const operations of Object.values(document.openapiObject.paths ?? {}))
        for (const operation of Object.values(operations ?? {}) as { responses: object }[])
          operation.responses = { ...refusals, ...operation.responses }
      return document.openapiObject
    },
  })

  /**
   * Makes the text of the description. It takes half a second, so it is made in slices, between which the server answers
   * others.
   */
  async function description(): Promise<string> {
    for (const route of routes) {
      await ownTurn()
      described.set(route, describedRoute(route))
    }
    await ownTurn()
    const document = app.swagger()
    await ownTurn()
    return JSON.stringify(document)
  }
  let made: Promise<string> | undefined
  // The first request makes the description. Few requests ask for it, and otherwise every start would take longer.
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_, reply) => {
    made ??= description()
    reply.type('application/json; charset=utf-8')
    return made
  })
}
