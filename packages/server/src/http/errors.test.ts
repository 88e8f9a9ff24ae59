import { listQuery } from '@backstock/contract/page.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../app.ts'
import { RetryTransaction } from '../db/connect.ts'
import { type Client, logIn, PASSWORD, testApp } from '../testing/app.ts'
import { crud } from './crud.ts'
import { asRefusal, failure } from './errors.ts'
import { Refusal } from './refusal.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
})
afterAll(() => t.close())

const form = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  user.send({ method: 'POST', url, payload, headers: { 'content-type': type } })

test('an address that cannot be decoded is refused like everything else', async () => {
  const answer = await user.get('/api/%ff')
  expect(answer).toMatchObject({ status: 400, body: { success: false, error: expect.any(String) } })
})

test('a body that is no object is malformed', async () => {
  for (const payload of ['[]', 'null', '"name"', '7'])
    expect(await form('/api/colour/create', payload, 'application/json'), payload).toMatchObject({
      status: 400,
      body: { message: 'The body must be an object with the fields.' },
    })
})

test('a transaction that runs again in vain is a 503 that asks for another try', async () => {
  let attempts = 0
  const work = t.db.write(async () => {
    attempts++
    throw new RetryTransaction('It changed meanwhile.')
  })
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  expect(attempts).toBe(3)
  expect(asRefusal(error)).toMatchObject({ status: 503, retryAfter: 1 })
  // PostgreSQL's codes of a deadlock and of a serialization conflict.
  for (const code of ['40P01', '40001'])
    expect(asRefusal(Object.assign(new Error('could not'), { code }))).toMatchObject({ status: 503, retryAfter: 1 })
})

const NOT_REACHED = 'The database cannot be reached right now. Please try again.'
const GONE = 'This record does not exist. Choose another.'
test.each<[error: object, status: number, message: string, more?: object]>([
  [
    { code: '23503', detail: 'Key (id)=(7) is still referenced from table "sale".' },
    409,
    'Other records use this one.',
  ],
  [
    { code: '23503', constraint: 'stock_grade', detail: 'Key (grade_id)=(7) is not present in table "grade".' },
    ...([422, GONE, { errors: { grade_id: GONE } }] as const),
  ],
  [
    { code: '23503', constraint: 'stock_vat', detail: 'Key (vat_id)=(7) is not present in table "vat".' },
    ...([422, GONE, { errors: { vat_type_id: GONE } }] as const),
  ],
  [{ code: '23503' }, 422, 'What you chose no longer exists. Choose something else.', { errors: undefined }],
  [
    { code: '55P03' },
    ...([409, 'Someone else is changing this right now. Please try again in a moment.', { retryAfter: 2 }] as const),
  ],
  [{ code: '53100' }, 507, 'There is no space left to store this.'],
  [{ code: 'ENOSPC' }, 507, 'There is no space left to store this.'],
  [{ code: '40P01' }, 503, 'Too many changes to the same records at once. Please try again.', { retryAfter: 1 }],
  [{ code: '57014' }, 503, 'This took too long and was stopped. Please narrow your search.', { retryAfter: 5 }],
  [
    { message: 'timeout exceeded when trying to connect' },
    ...([503, 'Too many changes at once. Please try again in a moment.', { retryAfter: 2 }] as const),
  ],
  ...['08006', '53300', '57P01', '25006', 'ECONNREFUSED', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'].map(
    (code) => [{ code }, 503, NOT_REACHED, { retryAfter: 2 }] as [object, number, string, object],
  ),
  ...['ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
    (code) => [{ code }, 503, NOT_REACHED, { retryAfter: 2 }] as [object, number, string, object],
  ),
  ...[
    'Connection terminated unexpectedly',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ].map((message) => [{ message }, 503, NOT_REACHED, { retryAfter: 2 }] as [object, number, string, object]),
  [{ statusCode: 413, message: 'Request body is too large' }, 413, 'Request body is too large'],
  [{ message: 'unexpected end of multipart data' }, 400, 'This form cannot be read to its end.'],
  [{ message: 'Multipart: Boundary not found' }, 400, 'This form cannot be read to its end.'],
  [{ message: 'Unsupported Content-Type' }, 400, 'This form cannot be read to its end.'],
  [{ message: 'Malformed part header' }, 400, 'This form cannot be read to its end.'],
])('the error %j is answered by %s: %s', (error, status, message, more = {}) => {
  const refusal = asRefusal(Object.assign(new Error('x'), error), [{ foreign: { stock_vat: 'vat_type_id' } }])
  expect(refusal).toMatchObject({ status, message, ...more })
})

test('any other error is a fault of the server', () => {
  for (const error of [new Error('x'), Object.assign(new Error('x'), { code: '22P02' }), 'text', undefined])
    expect(asRefusal(error)).toBeUndefined()
  // Fastify's error for a body that came too slowly.
  expect(asRefusal(Object.assign(new Error('x'), { statusCode: 408 }))).toBeUndefined()
})

test.each([
  [400, 'Bad request'],
  [401, 'Not logged in'],
  [403, 'Not allowed'],
  [404, 'Not found'],
  [405, 'Not allowed'],
  [409, 'Conflict'],
  [412, 'Out of date'],
  [413, 'Too large'],
  [415, 'Wrong type'],
  [422, 'Please check your input'],
  [429, 'Too many attempts'],
  [500, 'Error'],
  [499, 'Error'],
  [503, 'Not available'],
  [507, 'No space'],
])('a refusal with %s has the title %s', (status, title) => {
  const errors = { name: 'Wrong.' }
  expect(failure(new Refusal(status, 'No.', { errors, data: { id: 7 } }))).toEqual({
    ...{ success: false, type: 'error', title, message: 'No.', error: 'No.', data: { id: 7, errors } },
  })
  expect(failure(new Refusal(status, 'No.')).data).toBeNull()
})

test('a sender who has gone is no lost database', () => {
  const error = (message: string) => Object.assign(new Error(message), { code: 'ECONNRESET' })
  expect([asRefusal(error('aborted'))?.status, asRefusal(error('read ECONNRESET'))?.status]).toEqual([499, 503])
})

test('a multipart form is refused if its route does not read it: it never passes for an empty edit', async () => {
  const { id } = (await user.post('/api/colour/create', { name: 'Teal' })).body.data
  const parts = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nNavy\r\n--b--\r\n'
  const answer = await form(`/api/colour/${id}/edit`, parts, 'multipart/form-data; boundary=b')
  const said = 'Send the fields as JSON or urlencoded: there is no file to send here.'
  expect(answer).toMatchObject({ status: 415, body: { message: said } })
  expect((await user.get(`/api/colour/find?id=${id}`)).body.data[0].name).toBe('Teal')
})

test('a form whose boundary is too long to look for is no fault of the server', async () => {
  const boundary = 'b'.repeat(300)
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nimei\r\n--${boundary}--\r\n`
  for (const url of ['/api/stock/import/preview', '/api/stock/import/csv', '/api/sale/999999/pdf'])
    expect((await form(url, part, `multipart/form-data; boundary=${boundary}`)).status).toBe(400)
})

test('a name that a form has twice is a list, and a list in place of one value is a 422', async () => {
  const answer = await form('/api/stock/quick-order-find', 'lines=a&lines=b')
  expect(answer.body.not_found).toEqual(['a', 'b'])
  const wrong = await form('/api/colour/create', 'name=Red&name=Blue')
  expect(wrong.body).toMatchObject({ title: 'Please check your input', data: { errors: { name: expect.any(String) } } })
  expect(wrong.body.message).toBe(wrong.body.data.errors.name)
  const several = await user.post('/api/customer/create', {})
  expect([several.status, several.body.message]).toEqual([422, 'Please check the marked fields.'])
  const query = await user.get('/api/stock/find?per_page=0&page=x')
  expect([query.status, query.body.message]).toEqual([400, expect.stringMatching(/^(page|per_page) must .+; .+\.$/)])
})

test('a list that is missing is asked for in words', async () => {
  const answer = await user.put(`/api/user/${user.id}/basket`, {})
  expect(answer.body.data.errors).toEqual({ items: 'This field is required.' })
})

test('a record that is not there is named, whatever is asked of it', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const titles = {
    ...{ make: 'Make', colour: 'Colour', category: 'Category', grade: 'Grade', vat: 'VAT type', supplier: 'Supplier' },
    ...{ product: 'Product', customer: 'Customer', user: 'User', batch: 'Batch', return: 'Return' },
  }
  for (const [area, title] of Object.entries(titles))
    for (const answer of [
      await admin.post(`/api/${area}/999999/edit`, {}),
      await admin.delete(`/api/${area}/999999/delete`),
    ])
      expect([area, answer.status, answer.body.message]).toEqual([area, 404, `${title} #999999 does not exist.`])
  for (const [path, name] of [
    ['sale/999999/edit', 'Sale #999999'],
    ['sale/999999/correct', 'Sale #999999'],
    ['sale/999999/cancel', 'Sale #999999'],
    ['stock/999999/edit', 'Stock item #999999'],
    ['return/999999/receive', 'Return #999999'],
  ]) {
    const { status, body } = await admin.post(`/api/${path}`, {})
    expect([path, status, body.message]).toEqual([path, 404, `${name} does not exist.`])
  }
  const gone = await admin.get('/api/nothing')
  expect([gone.status, gone.body.message]).toEqual([404, 'There is nothing at this address.'])
})

test('characters that the database cannot hold are refused before it sees them', async () => {
  const login = await user.post('/api/login', { username: 'a\0@b.test', password: 'x' })
  expect(login).toMatchObject({ status: 422, body: { data: { errors: { username: expect.any(String) } } } })
})

test('an id in an address is digits and nothing else', async () => {
  const { id } = (await user.post('/api/colour/create', { name: 'Plum' })).body.data
  for (const spelled of [`0x${id.toString(16)}`, `${id}e0`, `%20${id}`, `${id}.0`])
    expect((await user.post(`/api/colour/${spelled}/edit`, { name: 'Lost' })).status, spelled).toBe(404)
  expect((await user.post(`/api/colour/${id}/edit`, { name: 'Found' })).status).toBe(200)
})

test('a duplicate is told in the words of its area; an index without words is a conflict all the same', async () => {
  await t.db.pool.query(`create table shelf (
    id int generated always as identity constraint shelf_id primary key,
    name text constraint shelf_name unique, place text constraint shelf_place unique)`)
  const message = 'There is already a shelf with this name.'
  const app = await buildApp(t.config, t.db)
  const Shelf = z.object({ id: z.int(), name: z.string(), place: z.string() })
  crud(app, t.db, {
    area: 'shelf',
    title: 'Shelf',
    query: listQuery(['id'], {}),
    input: Shelf.omit({ id: true }),
    row: Shelf,
    record: Shelf,
    unique: { shelf_name: { field: 'name', message } },
    find: async () => ({ rows: [], total: 0 }),
    one: async (db, id) =>
      (await sql<z.output<typeof Shelf>>`select * from shelf where id = ${id}`.execute(db)).rows[0],
    create: async (tx, { name, place }) =>
      (await sql<{ id: number }>`insert into shelf (name, place) values (${name}, ${place}) returning id`.execute(tx))
        .rows[0]!,
  })
  const client = await logIn(app, user.id, user.email, PASSWORD)
  const create = (name: string, place: string) => client.post('/api/shelf/create', { name, place })
  expect((await create('A', 'left')).status).toBe(201)
  expect(await create('A', 'right')).toMatchObject({
    status: 422,
    body: { message, data: { errors: { name: message } } },
  })
  expect(await create('B', 'left')).toMatchObject({ status: 409, body: { message: 'There is already one like this.' } })
  await app.close()
})
