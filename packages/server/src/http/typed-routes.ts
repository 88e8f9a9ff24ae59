import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { parseInSlices } from './parse-in-slices.ts'

/** The server, or a part of it. The schemas of a route give the types of its handler. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer that `storableAnswer` or `storedAnswer` has made. It is sent as it is. */
    finishedAnswer: unknown
  }
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
  app.decorateRequest('finishedAnswer', null)
  app.decorateReply('narrower', null)
  app.addHook('preSerialization', async (request, reply, answer) => {
    const schema = reply.narrower ?? declared(request, reply.statusCode)
    // If an error replaces this answer, its body must not be parsed by the schema.
    reply.narrower = null
    if (!schema || answer === request.finishedAnswer) return answer
    return parseInSlices(schema, answer).catch(notAsDeclared)
  })
}

/** The most fields that the error names if an answer does not fit its schema. */
const NAMED = 3

/**
 * An answer that does not fit its schema is a fault of the server. As a ZodError, it would count as bad input, so it
 * becomes another error. The message names the fields, because the log does not show causes.
 */
function notAsDeclared(error: unknown): never {
  const issues = error instanceof z.ZodError ? error.issues : []
  const where = issues.slice(0, NAMED).map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`The answer is not as its route declares it. ${where.join('; ')}`.trim(), { cause: error })
}

function declared(request: FastifyRequest, status: number): z.ZodType | undefined {
  const response = request.routeOptions.schema?.response as Record<number, unknown> | undefined
  const schema = response?.[status]
  return schema instanceof z.ZodType ? schema : undefined
}

/** Chooses the schema for an answer, if the route's `response` declares a union of several. */
export function answerAs<Answer>(reply: FastifyReply, schema: z.ZodType, answer: Answer): Answer {
  reply.narrower = schema
  return answer
}

/**
 * The answer with exactly the fields that its route declares. It can be stored, and sent again by a server of any
 * release.
 */
export async function storableAnswer<Answer>(request: FastifyRequest, status: number, answer: Answer): Promise<Answer> {
  const schema = declared(request, status)
  const finished = schema ? await parseInSlices(schema, answer).catch(notAsDeclared) : answer
  request.finishedAnswer = finished
  return finished as Answer
}

/**
 * An answer of `storableAnswer`, read from the database. If a server of another release stored it, it may lack fields
 * that the route declares now. It is then sent as that server sent it.
 */
export async function storedAnswer<Answer>(request: FastifyRequest, status: number, stored: Answer): Promise<Answer> {
  const schema = declared(request, status)
  const finished = schema ? await parseInSlices(schema, stored).catch((error) => asStored(error, stored)) : stored
  request.finishedAnswer = finished
  return finished as Answer
}

function asStored(error: unknown, stored: unknown): unknown {
  if (error instanceof z.ZodError) return stored
  throw error
}
