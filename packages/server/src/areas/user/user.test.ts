import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, PASSWORD, testApp } from '../../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('an administrator creates, edits, deletes staff; a deleted user’s sessions are gone, the email is free', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const input = { name: 'Ann', email: 'ann@backstock.test', role: 'ROLE_USER', password: PASSWORD }
  const created = await admin.post('/api/user/create', input)
  expect(created.status).toBe(201)
  const id = created.body.data.id
  expect((await admin.post('/api/user/create', { ...input, email: 'ANN@backstock.test' })).body.data.errors).toEqual({
    email: 'There is already a user with this email.',
  })
  const ann = await logIn(t.app, id, input.email, PASSWORD)
  expect((await admin.patch(`/api/user/${id}/edit`, { name: 'Anna', password: '' })).body.data.name).toBe('Anna')
  expect((await ann.get('/api/auth')).body.user.name).toBe('Anna')
  const own = await admin.delete(`/api/user/${admin.id}/delete`)
  expect([own.status, own.body.message]).toEqual([403, 'You cannot delete your own account.'])
  expect((await admin.delete(`/api/user/${id}/delete`)).status).toBe(200)
  const { body: told } = await admin.get(`/api/log/find?loggable_type=User&loggable_id=${id}`)
  expect(told.data.map((entry: { content: { data: unknown } }) => entry.content.data)).toEqual([
    { message: 'User Anna was deleted.' },
    [{ attributeName: 'name', from: 'Ann', to: 'Anna' }],
    expect.arrayContaining([
      { attributeName: 'email', from: null, to: 'ann@backstock.test' },
      { attributeName: 'role', from: null, to: 'ROLE_USER' },
    ]),
  ])
  expect((await ann.get('/api/auth')).status).toBe(401)
  expect((await admin.get(`/api/user/find?id=${id}`)).body.data).toEqual([])
  expect((await admin.post('/api/user/create', input)).status).toBe(201)
})

test('the hash of a password is as slow to check as we promise, unlike the hash of other tests’ users', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const input = { name: 'Bea', email: 'bea@backstock.test', role: 'ROLE_USER', password: PASSWORD }
  const { id } = (await admin.post('/api/user/create', input)).body.data
  const { rows } = await t.db.pool.query('select password_hash from app_user where id = $1', [id])
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
})

test('no answer carries a password or its hash', async () => {
  const admin = await t.user('ROLE_ADMIN')
  for (const url of ['/api/user/find', `/api/user/find?id=${admin.id}`, '/api/auth'])
    expect(JSON.stringify((await admin.get(url)).body)).not.toMatch(/password|argon2/i)
})

test('a user edits only their own profile and never a role', async () => {
  const [person, other] = [await t.user(), await t.user()]
  expect(
    (await person.post('/api/user/create', { name: 'x', email: 'x@x.test', role: 'ROLE_USER', password: PASSWORD }))
      .status,
  ).toBe(403)
  expect((await person.post(`/api/user/${other.id}/edit`, { name: 'x' })).status).toBe(403)
  expect((await person.delete(`/api/user/${other.id}/delete`)).status).toBe(403)
  const raised = await person.post(`/api/user/${person.id}/edit`, { role: 'ROLE_ADMIN' })
  expect([raised.status, raised.body.message]).toEqual([403, 'Only administrators may do this.'])
  const [admin] = [await t.user('ROLE_ADMIN'), await t.user('ROLE_ADMIN')]
  const lowered = await admin.post(`/api/user/${admin.id}/edit`, { role: 'ROLE_USER' })
  expect([lowered.status, lowered.body.data.errors]).toEqual([422, { role: 'You cannot change your own role.' }])
  const unknown = await admin.post(`/api/user/${person.id}/edit`, { role: 'ROLE_OWNER' })
  expect(unknown.body.data.errors).toEqual({ role: 'Must be User or Admin.' })
  expect((await person.post(`/api/user/${person.id}/edit`, { name: 'Me', role: 'ROLE_USER' })).status).toBe(200)
})

test('a change of password ends all other sessions of that user', async () => {
  const person = await t.user()
  const elsewhere = await logIn(t.app, person.id, person.email, PASSWORD)
  expect((await person.post(`/api/user/${person.id}/edit`, { password: 'a new password' })).status).toBe(200)
  expect((await elsewhere.get('/api/auth')).status).toBe(401)
  expect((await person.get('/api/auth')).status).toBe(200)
  await logIn(t.app, person.id, person.email, 'a new password')
  const { logs } = (await person.get(`/api/user/find?id=${person.id}`)).body.data[0]
  expect(logs[0].content.data).toEqual({ message: 'The password was changed.' })
  // If an administrator sets it, the person has to log in anew.
  const admin = await t.user('ROLE_ADMIN')
  expect((await admin.post(`/api/user/${person.id}/edit`, { password: 'a given password' })).status).toBe(200)
  expect([(await person.get('/api/auth')).status, (await admin.get('/api/auth')).status]).toEqual([401, 200])
})

test('staff are found by name and email, and sorted as people read them', async () => {
  const admin = await t.user('ROLE_ADMIN')
  for (const [name, email] of [
    ['Émil Sorted', 'C.sorted@backstock.test'],
    ['eve Sorted', 'b.sorted@backstock.test'],
    ['Emil Sorted', 'a.sorted@backstock.test'],
  ])
    await admin.post('/api/user/create', { name, email, role: 'ROLE_USER', password: PASSWORD })
  const found = async (query: string) =>
    (await admin.get(`/api/user/find?${query}`)).body.data.map((row: { name: string }) => row.name)
  expect(await found('search=sorted&order_by=name_asc')).toEqual(['Emil Sorted', 'Émil Sorted', 'eve Sorted'])
  expect(await found('search=sorted&order_by=email_desc')).toEqual(['Émil Sorted', 'eve Sorted', 'Emil Sorted'])
  expect(await found('search=sorted&order_by=id_asc')).toEqual(['Émil Sorted', 'eve Sorted', 'Emil Sorted'])
  expect(await found('search=b.sorted')).toEqual(['eve Sorted'])
  const beyond = (await admin.get('/api/user/find?search=sorted&per_page=2&page=3')).body
  expect([beyond.data, beyond.total]).toEqual([[], 3])
  const [hit] = (await admin.get('/api/user/find?quick=true&search=b.sorted')).body.data
  expect(hit).toEqual({ id: expect.any(Number), name: 'eve Sorted', email: 'b.sorted@backstock.test' })
})

test('an empty field is required', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const { body } = await admin.post('/api/user/create', { name: '', email: '', role: 'ROLE_USER', password: '' })
  expect(new Set(Object.values(body.data.errors))).toEqual(new Set(['This field is required.']))
  expect((await admin.post('/api/vat/create', { name: 'Empty', rate: '' })).body.data.errors).toEqual({
    rate: 'This field is required.',
  })
})

test('passwords have 8 to 32 characters', async () => {
  const person = await t.user()
  for (const password of ['short12', 'x'.repeat(33)])
    expect((await person.post(`/api/user/${person.id}/edit`, { password })).body.data.errors).toEqual({
      password: password.length < 8 ? 'At least 8 characters.' : 'At most 32 characters.',
    })
  for (const password of ['x'.repeat(8), 'x'.repeat(32)])
    expect((await person.post(`/api/user/${person.id}/edit`, { password })).status).toBe(200)
})

test('the last administrators cannot demote or delete each other at once', async () => {
  await t.db.write((tx) => tx.updateTable('app_user').set({ role: 'ROLE_USER' }).execute())
  const [a, b] = [await t.user('ROLE_ADMIN'), await t.user('ROLE_ADMIN')]
  const statuses = await Promise.all([
    a.post(`/api/user/${b.id}/edit`, { role: 'ROLE_USER' }),
    b.delete(`/api/user/${a.id}/delete`),
  ])
  // The later request breaks the rule, or its sender is already logged out or no administrator any more.
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([401, 403, 409])])
  const { rows } = await t.db.pool.query("select from app_user where role = 'ROLE_ADMIN' and deleted_at is null")
  expect(rows).toHaveLength(1)
})

test('a stale edit says who changed the record', async () => {
  const person = await t.user()
  const before = (await person.get(`/api/user/find?id=${person.id}`)).body.data[0]
  await person.post(`/api/user/${person.id}/edit`, { name: 'First' })
  const stale = await person.post(`/api/user/${person.id}/edit`, { name: 'Second', updated_at: before.updated_at })
  expect(stale.status).toBe(409)
  expect(stale.body.message).toMatch(/^Changed by First .+ ago$/)
})

test('basket and notifications are their own user’s alone', async () => {
  const [one, other] = [await t.user(), await t.user('ROLE_ADMIN')]
  await one.post('/api/supplier/create', { company_name: 'Crates' })
  const seenBy = async (reader: typeof one) => (await reader.get(`/api/user/find?id=${one.id}`)).body.data[0]
  expect((await seenBy(one)).recent_logs).toHaveLength(1)
  expect(await seenBy(other)).toMatchObject({ recent_logs: [], basket_items: [] })
})
