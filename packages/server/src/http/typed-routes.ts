import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { parseInSlices } from './parse-in-slices.ts'

/** The server, or a part of it, whose handlers are typed by the schemas of their routes. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyReply {
    /** What `answerAs` has chosen. */
    narrower: z.ZodType | null
  }
}

/**
 * Requests are read by the schemas of their route, and an answer is exactly what `response` declares for its status: whatever
 * else a row carries stays here.
 */
export function typedRoutes(app: App): void {
  app.setValidatorCompiler(validatorCompiler)
  // By then the answer is what its schema makes of it.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateReply('narrower', null)
  app.addHook('preSerialization', async (request, reply, answer) => {
    const schema = reply.narrower ?? declared(request, reply)
    // A failure that takes the answer's place has another schema.
    reply.narrower = null
    return schema ? parseInSlices(schema, answer) : answer
  })
}

function declared(request: FastifyRequest, reply: FastifyReply): z.ZodType | undefined {
  const response = request.routeOptions.schema?.response as Record<number, unknown> | undefined
  const schema = response?.[reply.statusCode]
  return schema instanceof z.ZodType ? schema : undefined
}

/** Answers with one of the schemas of whose union the route's `response` is. */
export function answerAs<Answer>(reply: FastifyReply, schema: z.ZodType, answer: Answer): Answer {
  reply.narrower = schema
  return answer
}
