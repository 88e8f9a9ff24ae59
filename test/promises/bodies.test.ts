import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { full, reached, turns } from './figures.ts'
import { GREEDY } from './greedy-bodies.ts'
import { isWrite, routesOf } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop, range, shuffled } from './shop.ts'

// Promises B2 and B8 of docs/promises.md: requests that no screen would send.

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-7',
  'APPLICATION/JSON',
  'application/json ; a=b',
  ' application/json',
  'application/json\t',
  'application/json\ta',
  'application/json,text/plain',
  'application/vnd.api+json',
  'text/json',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'application/octet-stream',
  'application/xml',
  '',
]
const BAD = [
  '""',
  '" "',
  'null',
  '5',
  'true',
  '[]',
  '["fine"]',
  '{}',
  '{"name":"fine"}',
  `"${'x'.repeat(256)}"`,
  '"\\u0000"',
  '"\\ud800"',
]
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
/** Bodies without a valid name, whichever way a server reads them. */
const BODIES = [
  ...BAD.map((bad) => `{"name":${bad}}`),
  ...BAD.map((bad) => `{"name":"fine","name":${bad}}`),
  ...BAD.map((bad) => `{"name":${bad},"Name":"fine","NAME":"fine"}`),
  '{"__proto__":{"name":"fine"}}',
  '{"constructor":{"prototype":{"name":"fine"}}}',
  '{"\\u005f_proto__":{"name":"fine"}}',
  '{"name":"fine","__proto__":{"polluted":true}}',
  '[{"name":"fine"}]',
  '"fine"',
  'null',
  '{"name":"fine"',
  '{"name":"fine"}}',
  "{'name':'fine'}",
  '\ufeff\ufeff{"name":"fine"}',
  '',
  '{}',
  'name=',
  'name=fine&name=',
  'name[]=fine',
  'name%00=fine',
  'name=%00',
  `name=${'x'.repeat(256)}`,
  '__proto__[name]=fine',
  'constructor.prototype.name=fine',
  part('__proto__', 'fine'),
  part('name', ''),
]

test('B2: whatever a body calls itself, nothing is written that was not checked', async () => {
  const counts = () =>
    t.rows(`select (select count(*) from colour) as colours, (select count(*) from log) as logs,
      (select count(*) from customer) as customers`)
  const before = await counts()
  const all = TYPES.flatMap((type) => BODIES.map((payload) => ({ type, payload })))
  const tried = full ? all : shuffled(all).slice(0, turns(75, all.length))
  for (const { type, payload } of tried) {
    const { status, body } = await t.staff.send({
      method: 'POST',
      url: '/api/colour/create',
      payload,
      headers: { 'content-type': type },
    })
    expect([type, payload, status]).toEqual([type, payload, expect.toBeOneOf([400, 413, 415, 422])])
    expect(body.success).toBe(false)
  }
  expect(await counts()).toEqual(before)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()

  // Fields that the route does not know are ignored.
  const extra = { id: 77, created_at: '2001-01-01', search: 'x', role: 'ROLE_ADMIN', constructor: { a: 1 } }
  const made = await t.staff.post('/api/colour/create', { name: 'Fine', ...extra })
  expect(made.body.data).toEqual({
    id: 1,
    name: 'Fine',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })

  // Bodies of the wrong shape, for every other write.
  const shapes = [
    '[]',
    '[1]',
    '"text"',
    '5',
    'true',
    'null',
    '{"__proto__":null}',
    '{"toString":1}',
    '{"stock_items":{"length":1e9}}',
  ]
  const writes = routesOf(t.app).filter((route) => isWrite(route) && !/log(in|out)$|\/v1\//.test(route.url))
  const after = await counts()
  const each = turns(3, shapes.length)
  for (const { method, url } of writes)
    for (const payload of shuffled(shapes).slice(0, each)) {
      const { status } = await t.staff.send({
        method: method as 'POST',
        url: url.replaceAll(/:\w+/g, '999999'),
        payload,
        headers: { 'content-type': 'application/json' },
      })
      expect([url, payload, status]).toEqual([url, payload, expect.toSatisfy((s: number) => s < 500 && s >= 200)])
    }
  expect(await counts()).toEqual(after)
  reached(
    'B2',
    `${tried.length + writes.length * each} mutations: nothing unchecked written`,
    'no unvalidated write in 1,000',
  )
})

test('B8: what asks for too much gets 400, or little', async () => {
  const ids = range(100_000).join(',')
  const queries = [
    'per_page=1e9',
    'per_page=1000000000',
    'per_page=-1',
    'page=1e12',
    'page=10000000&per_page=250',
    `ids=${ids}`,
    `ids=${'1,'.repeat(900)}`,
    range(1200)
      .map((id) => `ids=${id}`)
      .join('&'),
    `search=${'a'.repeat(1_000_000)}`,
    `search=${'%25_'.repeat(60)}`,
    `order=${'id_'.repeat(50_000)}`,
    `id=${'9'.repeat(400)}`,
    `status=${'New,'.repeat(5000)}`,
    `ajax_id=${'1'.repeat(20)}`,
    `${'a[b]'.repeat(1000)}=1`,
  ]
  const finds = routesOf(t.app).filter(({ method, url }) => method === 'GET' && /\/find$|history$|dashboard$/.test(url))
  const admin = await t.user('ROLE_ADMIN')
  let [asked, slowest] = [0, 0]
  for (const { url } of finds)
    for (const query of shuffled(queries).slice(0, turns(5, queries.length))) {
      const start = performance.now()
      const { status } = await admin.get(`${url}?${query}`)
      asked++
      slowest = Math.max(slowest, performance.now() - start)
      expect([url, query.slice(0, 40), status]).toEqual([url, query.slice(0, 40), expect.toBeOneOf([200, 400])])
    }
  expect(slowest).toBeLessThan(allowed(2000))
  const tooMany = range(100_000)
  for (const [url, body] of [
    ['/api/batch/create', { name: 'Many', items: tooMany }],
    ['/api/sale/create', { stock_items: tooMany.map((id) => ({ id })), customer_id: t.shop.customer }],
    ['/api/stock/quick-order-find', tooMany.map(String)],
    ['/api/stock/scan-find', { codes: tooMany.map(String) }],
  ] as const)
    expect([url, (await t.staff.post(url, body)).status]).toEqual([url, 422])
  expect((await t.staff.put(`/api/user/${t.staff.id}/basket`, { items: tooMany })).status).toBe(422)
  const strangers = { cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a' }
  const takers = [
    '/api/none',
    '/none',
    '/api/login',
    '/api/sale/create',
    '/api/batch/create',
    '/api/stock/quick-order-find',
    '/api/stock/bulk/preview',
    '/api/stock/bulk',
  ]
  const allBodies = Object.entries(GREEDY).flatMap(([name, { type, body }]) =>
    takers.map((url) => ({ name, url, type, body })),
  )
  const bodies = shuffled(allBodies).slice(0, turns(60, allBodies.length))
  for (const { name, url, type, body } of bodies) {
    const payload = body(2_000_000)
    const headers = { 'content-type': type }
    const start = performance.now()
    const nobody = await t.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...strangers } })
    const somebody = await t.staff.send({ method: 'POST', url, payload, headers })
    slowest = Math.max(slowest, (performance.now() - start) / 2)
    const refused = expect.toBeOneOf([400, 401, 404, 409, 413, 415, 422])
    expect([url, name, nobody.statusCode, somebody.status]).toEqual([url, name, refused, refused])
  }
  expect(slowest).toBeLessThan(allowed(2000))
  reached(
    'B8',
    `${asked + 2 * bodies.length} greedy questions: at most ${Math.round(slowest)} ms`,
    '400, or within 2 s',
  )
})
