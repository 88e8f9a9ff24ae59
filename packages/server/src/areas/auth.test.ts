import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../records/password.ts'
import { logIn, PASSWORD, testApp } from '../testing/app.ts'
import { isBusy, untilDecided } from '../testing/ask-again.ts'
import { untilSomebodyWaits } from '../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST', url: string, options: object = {}) => t.app.inject({ method, url, ...options })

test('start-up without a session answers 401 with a token to log in with', async () => {
  const answer = await call('GET', '/api/auth')
  expect(answer.statusCode).toBe(401)
  expect(answer.json()).toMatchObject({ title: 'Not logged in', message: 'Please log in.' })
  const tokenOf = ({ cookies }: typeof answer) => cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const token = tokenOf(answer)
  expect(answer.json().csrf_token).toBe(token)
  // A second tab keeps the token of the first one, but no other text is taken for a token.
  const asked = (present: string) => call('GET', '/api/auth', { cookies: { 'XSRF-TOKEN': present } })
  expect(tokenOf(await asked(token))).toBe(token)
  for (const other of ['a', `${token}a`]) expect(tokenOf(await asked(other))).toMatch(/^[\w-]{43}$/)
})

test('login without or with a wrong CSRF token is refused in the words that the screens look for', async () => {
  const payload = { username: 'a@b.test', password: PASSWORD }
  for (const headers of [{}, { 'x-xsrf-token': 'other', cookie: 'XSRF-TOKEN=mine' }]) {
    const answer = await call('POST', '/api/login', { payload, headers })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().error).toMatch(/invalid csrf/i)
  }
})

test('login answers the user, a wrong password and an unknown account the same refusal', async () => {
  const person = await t.user()
  const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
  const tries = [person.email, 'nobody@backstock.test'].map((username) =>
    call('POST', '/api/login', { payload: { username, password: 'wrong password' }, headers }),
  )
  for (const answer of await Promise.all(tries)) {
    expect(answer.statusCode).toBe(401)
    expect(answer.json().error).toBe('Invalid email or password.')
  }
  const right = await call('POST', '/api/login', {
    payload: { username: ` ${person.email.toUpperCase()} `, password: PASSWORD },
    headers,
  })
  expect(right.json()).toMatchObject({ id: person.id, type: 'staff', roles: ['ROLE_USER'], basket_items: [] })
  const session = right.cookies.find(({ name }) => name === 'backstock_session')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 7 * 24 * 3600 })
  const device = right.cookies.find(({ name }) => name === 'backstock_device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/login', maxAge: 180 * 24 * 3600 })
  // Without HTTPS, a browser would drop cookies that are for HTTPS only.
  expect(right.cookies.filter((cookie) => 'secure' in cookie)).toEqual([])
})

test('if people reach the server by HTTPS through a proxy, a browser sends its cookies by HTTPS only', async () => {
  const u = await testApp({ publicUrl: 'https://shop.test' })
  const { email: username } = await u.user()
  const payload = { username, password: PASSWORD }
  const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
  const { cookies } = await u.app.inject({ method: 'POST', url: '/api/login', payload, headers })
  await u.close()
  expect(new Map(cookies.map(({ name, secure }) => [name, secure]))).toEqual(
    new Map(['backstock_session', 'XSRF-TOKEN', 'backstock_device'].map((name) => [name, true])),
  )
})

test('ten wrong passwords shut an account for others, whatever the case of the email', async () => {
  const person = await t.user()
  const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
  const answers: Awaited<ReturnType<typeof call>>[] = []
  for (let i = 0; i < 11; i++) {
    const username = i % 2 ? person.email : person.email.toUpperCase()
    answers.push(await call('POST', '/api/login', { payload: { username, password: 'wrong one' }, headers }))
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(401), 429])
  // The account is shut for a quarter of an hour.
  expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(600)
  expect(Number(answers.at(-1)?.headers['retry-after'])).toBeLessThanOrEqual(15 * 60 + 30)
})

test('a right password is no try: a person who logs in often is not shut out', async () => {
  const { email: username } = await t.user()
  const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
  const statuses: number[] = []
  for (let n = 0; n < 12; n++)
    statuses.push((await call('POST', '/api/login', { payload: { username, password: PASSWORD }, headers })).statusCode)
  expect(statuses).toEqual(Array(12).fill(200))
})

test('a browser is known for 180 days after its last login; older ones are forgotten then', async () => {
  const [person, colleague] = [await t.user(), await t.user()]
  const tryLogIn = (password: string, cookies = {}, username = person.email) => {
    const payload = { username, password }
    return call('POST', '/api/login', {
      payload,
      headers: { 'x-xsrf-token': 'x' },
      cookies: { 'XSRF-TOKEN': 'x', ...cookies },
    })
  }
  const deviceOf = ({ cookies }: Awaited<ReturnType<typeof tryLogIn>>) =>
    cookies.find(({ name }) => name === 'backstock_device')?.value
  const device = deviceOf(await tryLogIn(PASSWORD))
  const age = (days: number) =>
    t.db.pool.query(
      `update login_device set seen_at = now() - make_interval(days => $2) where user_id = $1 and token_hash <> '\\x00'`,
      [person.id, days],
    )
  await t.db.pool.query(
    `insert into login_device (token_hash, user_id, seen_at) values ('\\x00', $1, now() - interval '181 days')`,
    [person.id],
  )
  // The account is shut for other browsers.
  for (let i = 0; i < 10; i++) await tryLogIn('wrong one')
  const theirs = deviceOf(await tryLogIn(PASSWORD, {}, colleague.email))
  expect((await tryLogIn(PASSWORD, { backstock_device: theirs })).statusCode).toBe(429)
  await age(179)
  const known = await tryLogIn(PASSWORD, { backstock_device: device })
  expect([known.statusCode, deviceOf(known)]).toEqual([200, device])
  const { rows } = await t.db.pool.query(
    `select count(*)::int as all, count(*) filter (where seen_at > now() - interval '1 minute')::int as seen
     from login_device where user_id = $1`,
    [person.id],
  )
  // Before this test, the person has logged in from another browser.
  expect(rows).toEqual([{ all: 2, seen: 1 }])
  // Two people may use one browser. Each is known by a name of its own.
  const shared = deviceOf(await tryLogIn(PASSWORD, { backstock_device: device }, colleague.email))
  expect(shared).not.toBe(device)
  await age(181)
  expect((await tryLogIn(PASSWORD, { backstock_device: device })).statusCode).toBe(429)
})

test('more logins at once than can be checked are refused at once; known browsers come first', async () => {
  const person = await t.user('ROLE_USER', await hashPassword(PASSWORD))
  const headers = { 'x-xsrf-token': 'x' }
  const logIn = (username: string, cookies = {}) =>
    call('POST', '/api/login', {
      payload: { username, password: PASSWORD },
      headers,
      cookies: { 'XSRF-TOKEN': 'x', ...cookies },
    })
  const before = await logIn(person.email)
  const device = before.cookies.find(({ name }) => name === 'backstock_device')!.value
  const ends: string[] = []
  // If this machine is busy, 503 is a right answer too (see `isBusy`). Such answers are not counted.
  const strangers = Array.from({ length: 60 }, async (_, n) => {
    const answer = await logIn(`nobody${n}@backstock.test`)
    ends.push(String(answer.statusCode))
    return answer
  })
  let asked = 0
  const known = untilDecided(async () => {
    asked++
    const { statusCode, headers } = await logIn(person.email, { backstock_device: device })
    return { status: statusCode, headers }
  }).then(({ status }) => ends.push(`known: ${status}`))
  const answers = await Promise.all(strangers)
  await known
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every((answer) => Number(answer.headers['retry-after']) > 0)).toBe(true)
  const busy = answers.filter(({ statusCode: status, headers }) => isBusy({ status, headers }))
  expect(ends.filter((end) => end === '401')).toHaveLength(60 - refused.length - busy.length)
  expect(ends).toContain('known: 200')
  // Refused logins did not wait for the checks of others. The known device waited only for the checks under way.
  expect(ends.lastIndexOf('429')).toBeLessThan(ends.lastIndexOf('401'))
  if (asked === 1) expect(ends.indexOf('known: 200')).toBeLessThan(ends.lastIndexOf('401'))
})

test.each([
  ['the password is changed', `update app_user set password_hash = 'another' where id = $1`],
  ['the account is deleted', `update app_user set deleted_at = now() where id = $1`],
])('a login that is on its way while %s is no login', async (_, change) => {
  const person = await t.user()
  const client = await t.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(change, [person.id])
    await client.query('delete from session where user_id = $1', [person.id])
    const login = call('POST', '/api/login', {
      payload: { username: person.email, password: PASSWORD },
      headers: { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' },
    })
    await untilSomebodyWaits(t.db)
    await client.query('commit')
    expect((await login).json().error).toBe('Invalid email or password.')
    expect((await client.query('select from session where user_id = $1', [person.id])).rowCount).toBe(0)
  } finally {
    client.release()
  }
})

test('logout ends the session; the old cookie is worth nothing', async () => {
  const person = await t.user()
  const stale = await logIn(t.app, person.id, person.email, PASSWORD)
  expect((await stale.get('/api/auth')).body.user.id).toBe(person.id)
  const cookie = await t.db.read.selectFrom('session').select('token_hash').where('user_id', '=', person.id).execute()
  expect(cookie).toHaveLength(2)
  const out = await stale.post('/api/logout')
  expect(out).toMatchObject({
    ...{ status: 200, body: { type: 'success', title: 'Success', message: 'You are logged out.', data: null } },
  })
  // The browser deletes the cookie.
  expect(String(out.headers['set-cookie'])).toMatch(
    /backstock_session=; (Max-Age=0; )?Path=\/; Expires=Thu, 01 Jan 1970/,
  )
  const again = await stale.post('/api/logout')
  expect([again.status, again.body.message]).toEqual([401, 'Please log in.'])
  expect((await stale.get('/api/auth')).status).toBe(401)
  expect((await person.get('/api/auth')).status).toBe(200)
})

test('a session ends after 12 idle hours and 7 days, by the database', async () => {
  const [idle, old, working] = [await t.user(), await t.user(), await t.user()]
  const { rows } = await t.db.pool.query(
    `select now() < expires_at - interval '6 days 23 hours' and now() > expires_at - interval '7 days 1 second' as week
     from session where user_id = any($1)`,
    [[idle.id, old.id, working.id]],
  )
  expect(rows).toEqual([{ week: true }, { week: true }, { week: true }])
  const age = (userId: number, set: object) =>
    t.db.write((tx) => tx.updateTable('session').set(set).where('user_id', '=', userId).execute())
  await age(idle.id, { seen_at: new Date(Date.now() - 12.1 * 3600e3).toISOString() })
  await age(old.id, { expires_at: new Date(Date.now() - 1000).toISOString() })
  await age(working.id, { seen_at: new Date(Date.now() - 11 * 3600e3).toISOString() })
  expect((await idle.get('/api/auth')).status).toBe(401)
  expect((await old.get('/api/auth')).status).toBe(401)
  expect((await working.get('/api/auth')).status).toBe(200)
})

test('the command gives an account a new password, and ends what the old one has opened', async () => {
  const email = 'lost@backstock.test'
  const admin = await t.user('ROLE_ADMIN')
  // Somebody who has left had the same address.
  const { rows } = await t.db.pool.query(
    `insert into app_user (name, email, role, password_hash, deleted_at)
     values ('Left', $1, 'ROLE_USER', 'x', now()) returning id`,
    [email],
  )
  const person = await t.user()
  await t.db.pool.query('update app_user set email = $1 where id = $2', [email, person.id])
  const run = async (email: string) => {
    const { user, host = '', port, database } = t.connection
    const DATABASE_URL = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    const command = path.join(import.meta.dirname, '../commands/reset-password.ts')
    return promisify(execFile)(process.execPath, [command, email], { env: { ...process.env, DATABASE_URL } })
  }
  const unknown = { code: 1, stdout: '', stderr: 'There is no user with the email nobody@backstock.test.\n' }
  await expect(run('nobody@backstock.test')).rejects.toMatchObject(unknown)
  expect((await person.get('/api/auth')).status).toBe(200)
  const headers = { 'x-xsrf-token': 'x', cookie: 'XSRF-TOKEN=x' }
  const login = async (password = '') =>
    (await call('POST', '/api/login', { payload: { username: email, password }, headers })).statusCode
  // The person has tried too often before asking for help.
  for (let tries = 0; tries < 10; tries++) await login('wrong password')
  expect(await login(PASSWORD)).toBe(429)
  const { stdout } = await run(email.toUpperCase())
  const [, named, password] = /^The new password of (\S+) is (\S{12,})\n$/.exec(stdout) ?? []
  expect(named).toBe(email)
  expect((await person.get('/api/auth')).status).toBe(401)
  expect(await Promise.all([PASSWORD, password].map(login))).toEqual([401, 200])
  const messages = async (id: number) =>
    (await admin.get(`/api/log/find?loggable_type=User&loggable_id=${id}`)).body.data.map(
      (entry: { content: { data: { message: string } } }) => entry.content.data.message,
    )
  expect(await messages(person.id)).toContain('The password was reset on the server.')
  expect(await messages(rows[0].id)).toEqual([])
})

test('an unknown API path is a JSON 404', async () => {
  const person = await t.user()
  const answer = await person.get('/api/nothing/here')
  expect(answer).toMatchObject({ status: 404, body: { success: false, error: expect.any(String) } })
})
