import { afterAll, beforeAll, expect, test } from 'vitest'
import { RetryTransaction } from '../db/connect.ts'
import { type Client, testApp } from '../testing/app.ts'
import { asRefusal } from './errors.ts'

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
})

test('a multipart form is refused where it is not read: it never passes for an empty edit', async () => {
  const { id } = (await user.post('/api/colour/create', { name: 'Teal' })).body.data
  const parts = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nNavy\r\n--b--\r\n'
  const answer = await form(`/api/colour/${id}/edit`, parts, 'multipart/form-data; boundary=b')
  expect(answer.status).toBe(415)
  expect((await user.get(`/api/colour/find?id=${id}`)).body.data[0].name).toBe('Teal')
})

test('a name that a form has twice is a list, and one value where one is wanted is a 422', async () => {
  const answer = await form('/api/stock/quick-order-find', 'lines=a&lines=b')
  expect(answer.body.not_found).toEqual(['a', 'b'])
  expect((await form('/api/colour/create', 'name=Red&name=Blue')).body.data.errors).toHaveProperty('name')
})

test('a list that is missing is asked for in words', async () => {
  const answer = await user.put(`/api/user/${user.id}/basket`, {})
  expect(answer.body.data.errors).toEqual({ items: 'This field is required.' })
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
