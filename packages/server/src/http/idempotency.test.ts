import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { connect, type Database, LOCK_TIMEOUT_MS } from '../db/connect.ts'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { answerErrors } from './errors.ts'
import { once } from './idempotency.ts'
import { typedRoutes } from './typed-routes.ts'

// Two servers of different releases share one database. The later release has one field more in the same answer.

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await testDatabase()
  db = connect(database.connection, { readers: 1, writers: 2 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})
/** How often the work was done. */
let done = 0
/** How long the work waited for locks. */
let patience: object[] = []
beforeEach(async () => {
  done = 0
  await database.query('delete from idempotency')
})

const Earlier = z.object({ data: z.object({ id: z.int() }) })
const Later = z.object({ data: z.object({ id: z.int(), is_late: z.boolean() }) })

/** Sends a request with a key to a server whose route declares this answer, and which finds these data. */
async function ask(declared: z.ZodType, found: object, key = 'one') {
  const app = Fastify().withTypeProvider<ZodTypeProvider>()
  typedRoutes(app)
  answerErrors(app)
  const response: { 201: z.ZodType } = { 201: declared }
  app.post('/', { schema: { response } }, async (request, reply) => {
    const { answer } = await once(db, request, 'user:1', 'body', async (tx) => {
      done++
      patience = (await sql<object>`show lock_timeout`.execute(tx)).rows
      return { status: 201, answer: { data: found } }
    })
    reply.code(201)
    return answer
  })
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers: { 'idempotency-key': key } })
  return { status: statusCode, body: JSON.parse(body) }
}
const stored = async () => (await database.query('select answer from idempotency')).rows

test('a later release repeats the answer that an earlier one has given', async () => {
  const first = await ask(Earlier, { id: 7, cost: 3 })
  expect(first).toEqual({ status: 201, body: { data: { id: 7 } } })
  expect(await ask(Later, { id: 8, is_late: true })).toEqual(first)
  expect(done).toBe(1)
})

test('an earlier release repeats the answer of a later one with the fields that it knows', async () => {
  const late = await ask(Later, { id: 7, is_late: true })
  expect(late).toEqual({ status: 201, body: { data: { id: 7, is_late: true } } })
  expect(await ask(Earlier, { id: 8 })).toEqual({ status: 201, body: { data: { id: 7 } } })
  expect(await ask(Later, { id: 8, is_late: false })).toEqual(late)
  expect(done).toBe(1)
})

test('a key counts for 24 hours; after that it is a new request', async () => {
  const first = await ask(Earlier, { id: 7 })
  const age = (hours: number) => database.query(`update idempotency set created_at = now() - interval '${hours} hours'`)
  await age(23)
  expect(await ask(Earlier, { id: 8 })).toEqual(first)
  await age(25)
  const second = await ask(Earlier, { id: 9 })
  expect(second.body).toEqual({ data: { id: 9 } })
  expect([await ask(Earlier, { id: 10 }), done]).toEqual([second, 2])
})

test('a key has 1 to 255 visible characters; the work waits for others no longer than without a key', async () => {
  for (const key of ['', 'a b', 'ü', 'k'.repeat(256)]) {
    const { status, body } = await ask(Earlier, { id: 7 }, key)
    expect([status, body.message]).toEqual([400, 'Idempotency-Key must have 1 to 255 visible ASCII characters.'])
  }
  expect(done).toBe(0)
  expect((await ask(Earlier, { id: 7 }, `${'k'.repeat(254)}~`)).status).toBe(201)
  expect(patience).toEqual([{ lock_timeout: `${LOCK_TIMEOUT_MS / 1000}s` }])
})

test('only the declared fields of an answer are stored', async () => {
  await ask(Earlier, { id: 7, cost: 3 })
  expect(await stored()).toEqual([{ answer: { data: { id: 7 } } }])
})

test('if an answer is not as its route declares it, nothing is done, so that the request can be sent again', async () => {
  expect((await ask(Later, { id: 7 })).status).toBe(500)
  expect(await stored()).toEqual([])
  expect((await ask(Later, { id: 7, is_late: false })).status).toBe(201)
})
