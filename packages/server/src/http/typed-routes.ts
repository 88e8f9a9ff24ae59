import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fieldErrors } from './field-errors.ts'
import { parseInSlices } from './parse-in-slices.ts'

/** The server, or a part of it. The schemas of a route give the types of its handler. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyReply {
    /** The schema that `answerAs` has chosen for this answer. */
    narrower: z.ZodType | null
  }
}

/**
 * Requests are checked by the schemas of their route. An answer has exactly the fields that the route's `response`
 * declares for its status; other fields of a row do not leave the server.
 */
export function typedRoutes(app: App): void {
  app.setValidatorCompiler(validatorCompiler)
  // The hook below has already applied the schema.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateReply('narrower', null)
  app.addHook('preSerialization', async (request, reply, answer) => {
    const schema = reply.narrower ?? declared(request, reply)
    // If an error replaces this answer, its body must not be parsed by the schema.
    reply.narrower = null
    return schema ? parseInSlices(schema, answer).catch(notAsDeclared) : answer
  })
}

/** The most fields that the error names if an answer does not fit its schema. */
const NAMED = 3

/**
 * An answer that does not fit its schema is a fault of the server. As a ZodError, it would count as bad input, so it
 * becomes another error. The message names the fields, because the log does not show causes.
 */
function notAsDeclared(error: unknown): never {
  const fields = error instanceof z.ZodError ? Object.entries(fieldErrors(error.issues)) : []
  const where = fields.slice(0, NAMED).map(([field, message]) => `${field}: ${message}`)
  throw new Error(`The answer is not as its route declares it. ${where.join('; ')}`.trim(), { cause: error })
}

function declared(request: FastifyRequest, reply: FastifyReply): z.ZodType | undefined {
  const response = request.routeOptions.schema?.response as Record<number, unknown> | undefined
  const schema = response?.[reply.statusCode]
  return schema instanceof z.ZodType ? schema : undefined
}

/** Chooses the schema for an answer, if the route's `response` declares a union of several. */
export function answerAs<Answer>(reply: FastifyReply, schema: z.ZodType, answer: Answer): Answer {
  reply.narrower = schema
  return answer
}
