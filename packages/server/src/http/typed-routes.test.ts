import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerErrors } from './errors.ts'
import { answerAs, typedRoutes } from './typed-routes.ts'

const Priced = z.object({ data: z.array(z.object({ price: z.int() })) })

/**
 * Sends a request to a server whose only route gives this answer. Returns the status, the body and the lines of the
 * log.
 */
async function asked(answer: unknown) {
  const log: string[] = []
  const stream = { write: (line: string) => void log.push(line) }
  const app = Fastify({ logger: { level: 'error', stream } }).withTypeProvider<ZodTypeProvider>()
  typedRoutes(app)
  answerErrors(app)
  const response: { 200: z.ZodType } = { 200: z.union([Priced, z.object({ data: z.null() })]) }
  app.get('/', { schema: { response } }, async (_request, reply) => answerAs(reply, Priced, answer))
  const { statusCode, body } = await app.inject('/')
  return { status: statusCode, body: JSON.parse(body), log }
}

test('an answer holds what its schema declares, and nothing else of a row', async () => {
  const { status, body } = await asked({ data: [{ price: 5, cost: 3 }], secret: true })
  expect({ status, body }).toEqual({ status: 200, body: { data: [{ price: 5 }] } })
})

test('an answer that does not fit its schema is a fault of ours, and the log names the field', async () => {
  const { status, body, log } = await asked({ data: [{ price: 5 }, { price: 'five' }, { price: null }] })
  expect(status).toBe(500)
  const message = `Something went wrong on our side. Please quote ${body.request_id} when you report it.`
  expect(body).toMatchObject({ success: false, request_id: expect.any(String), message })
  expect(JSON.stringify(body)).not.toContain('price')
  expect(JSON.parse(log[0]!).err.message).toContain('data.1.price: Invalid input: expected number, received string')
})
