import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
  await t.app.ready()
})
afterAll(() => t.close())

const PUBLIC = ['get /api/auth', 'post /api/login']

test('nobody gets past the login, however the address of a route is spelled', async () => {
  const paths = (t.app.swagger() as { paths: Record<string, object> }).paths
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method, path })),
  )
  expect(routes.length).toBeGreaterThan(60)
  for (const { method, path } of routes.filter(({ method, path }) => !PUBLIC.includes(`${method} ${path}`)))
    for (const spelled of [path, path.replace('/api/', '/%61pi/'), path.replace('/api/', '/ap%69/')]) {
      const url = spelled.replaceAll(/\{\w+\}/g, '1')
      const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
      const answer = await t.app.inject({ method: method.toUpperCase() as 'GET', url, headers })
      expect(answer.statusCode, `${method} ${url}`).toBe(401)
      expect(answer.headers['cache-control'], `${method} ${url}`).toBe('no-store')
    }
})

test('an unknown API path is a 404 for everyone', async () => {
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    const answer = await t.app.inject({ method, url: '/api/nothing/here' })
    expect(answer.statusCode, method).toBe(404)
    expect(answer.json().success).toBe(false)
  }
})

test('on a full disk whoever is logged in can read on, though the session cannot be marked as seen', async () => {
  const person = await t.user()
  await t.db.pool.query(`
    update session set seen_at = now() - interval '10 minutes';
    create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger no_space before update on session execute function no_space()`)
  const read = await person.get('/api/colour/find')
  await t.db.pool.query('drop trigger no_space on session; drop function no_space')
  expect(read.status).toBe(200)
  expect((await person.get('/api/colour/find')).status).toBe(200)
  const { rows } = await t.db.pool.query(
    `select seen_at > now() - interval '1 minute' as seen from session where user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ seen: true }])
})

test('while others write or wait to write, whoever is logged in can read on', async () => {
  const crowded = await testApp({}, { readers: 5, writers: 1 })
  const person = await crowded.user()
  await crowded.db.pool.query(`update session set seen_at = now() - interval '10 minutes'`)
  const writer = await crowded.db.pool.connect()
  const first = await person.get('/api/colour/find')
  const waiting = crowded.db.write(async () => 'written')
  const second = await person.get('/api/colour/find')
  writer.release()
  expect([first.status, second.status, await waiting]).toEqual([200, 200, 'written'])
  await crowded.close()
})
