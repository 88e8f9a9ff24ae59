import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, logIn, PASSWORD } from '../../packages/server/src/testing/app.ts'
import { makePartner } from '../../packages/server/src/testing/partner.ts'
import { reached } from './figures.ts'
import { addressOf, isWrite, type Route, routesOf } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

// Promises A1 and A2 of docs/promises.md: who may call each route, and that writes need the session's token.

/**
 * The people who may call each route: everyone; the staff; administrators; partners with a key; for personal records
 * only that person, or also an administrator. If an area has the six generic routes and no line here, the staff may
 * call them. Any other route without a line fails the test.
 */
const MATRIX: Record<Access, string[]> = {
  everyone: [
    'POST /api/login',
    'GET /api/partner/v1/openapi.json',
    'GET /api/partner/v1/docs',
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /*',
  ],
  staff: [
    'GET /api/auth', // others get a 401, with a token for logging in
    'GET /api/openapi.json',
    'POST /api/logout',
    'GET /api/log/find',
    'GET /api/dashboard',
    'POST /api/dashboard/put-away',
    'GET /api/user/find',
    'GET /api/user/:id/avatar',
    'GET /api/vat/find',
    'GET /api/grade/find',
    'GET /api/reverse-charge-rule/find',
    ...['colour', 'category', 'make', 'supplier', 'supplier-claim', 'customer', 'product', 'batch', 'view'].flatMap(
      (area) => crud(area),
    ),
    'GET /api/customer/:id/vat-checks',
    'POST /api/customer/:id/vat-check',
    'POST /api/customer/:id/vat-check/ask',
    'POST /api/batch/add-items',
    'POST /api/batch/:id/remove-item/:stockId',
    'POST /api/supplier-claim/:id/add-items',
    'POST /api/supplier-claim/:id/remove-items',
    'POST /api/supplier-claim/:id/send',
    'POST /api/supplier-claim/:id/settle',
    'GET /api/supplier-claim/:id/csv',
    'GET /api/purchase-receipt/find',
    'POST /api/purchase-receipt/create',
    'PUT /api/purchase-receipt/create',
    'GET /api/purchase-receipt/proposal',
    'POST /api/purchase-receipt/:id/cancel',
    'POST /api/purchase-receipt/:id/print',
    'GET /api/purchase-receipt/:id/pdf',
    ...crud('stock').filter((route) => !route.startsWith('DELETE')),
    'POST /api/stock/quick-order-find',
    'POST /api/stock/scan-find',
    'GET /api/stock/export/csv',
    'GET /api/stock/elsewhere',
    'GET /api/stock/fx-rate',
    'GET /api/stock/proposed-product',
    'POST /api/stock/labels',
    'POST /api/stock/pick-list',
    'GET /api/stock/further-columns',
    'GET /api/stock/bulk/find',
    'GET /api/stock/bulk/receivable',
    'POST /api/stock/bulk/preview',
    'POST /api/stock/bulk',
    'POST /api/stock/bulk/receive',
    'POST /api/stock/bulk/:id/undo',
    'GET /api/stock/check/find',
    'POST /api/stock/check',
    'GET /api/stock/check/:id',
    'POST /api/stock/check/:id/scan',
    'POST /api/stock/check/:id/receive',
    'POST /api/stock/check/:id/close',
    'POST /api/stock/check/:id/reopen',
    'GET /api/stock/check/:id/csv',
    'POST /api/stock/import/csv',
    'GET /api/stock/import/csv/status',
    'GET /api/stock/import/csv_template',
    'GET /api/stock/import/history',
    'GET /api/stock/import/history/:id/details',
    'GET /api/stock/import/history/:id/csv',
    // Staff see only their own previews: for others they do not exist.
    'GET /api/import-memory/find',
    'DELETE /api/import-memory/:id/delete',
    'GET /api/stock/import/preview',
    'POST /api/stock/import/preview',
    'GET /api/stock/import/preview/:id',
    'PATCH /api/stock/import/preview/:id',
    'DELETE /api/stock/import/preview/:id',
    'GET /api/stock/import/preview/:id/rows',
    'POST /api/stock/import/preview/:id/commit',
    'GET /api/stock/import/history/:id/undo',
    'POST /api/stock/import/history/:id/undo',
    ...crud('sale'),
    'GET /api/sale/sums',
    'GET /api/sale/:id/invoice',
    'GET /api/sale/:id/label',
    'GET /api/sale/:id/excel',
    'POST /api/sale/:id/pdf',
    'POST /api/sale/:id/invoice/generate',
    'POST /api/sale/:id/invoice/excel/generate',
    'DELETE /api/sale/:id/invoice/delete',
    'POST /api/sale/:id/invoice/resend',
    'POST /api/sale/:id/return-item/:stockId',
    'POST /api/sale/:id/cancel',
    'POST /api/sale/:id/correct',
    'POST /api/sale/:id/allow',
    'GET /api/document/find',
    'GET /api/document/:id/pdf',
    'GET /api/document/:id/ubl',
    'GET /api/document/:id/cii',
    'GET /api/document/:id/xrechnung-ubl',
    'GET /api/document/:id/xrechnung-cii',
    'GET /api/document/:id/peppol',
    'POST /api/document/:id/hand-over',
    'POST /api/document/:id/send',
    'POST /api/document/:id/generate',
    'GET /api/open-item/find',
    'POST /api/open-item/:id/letter',
    'POST /api/open-item/:id/letter/preview',
    'GET /api/letter/:id/pdf',
    'POST /api/letter/:id/send',
    'POST /api/sale/:id/pay',
    'POST /api/sale/:id/payment/:paymentId/undo',
    ...crud('return'),
    'POST /api/return/look-up',
    'POST /api/return/:id/receive',
    'POST /api/sale/tax-facts',
    'POST /api/sale/invoice-lacks',
    'GET /api/sale/:id/pick-list',
    'GET /api/sale/:id/delivery-note',
    'GET /api/offer',
    'GET /api/offer/xlsx',
    'GET /api/offer/pdf',
  ],
  administrators: [
    'POST /api/user/create',
    'PUT /api/user/create',
    'DELETE /api/user/:id/delete',
    ...crud('vat').filter((route) => !route.startsWith('GET')),
    ...crud('grade').filter((route) => !route.startsWith('GET')),
    ...crud('reverse-charge-rule').filter((route) => !route.startsWith('GET')),
    ...crud('partner'),
    'POST /api/partner/:id/generate-token',
    'GET /api/further-column/find',
    'GET /api/further-column/counts',
    'DELETE /api/further-column/:id/delete',
    'GET /api/further-column/:id/take-over',
    'POST /api/further-column/:id/take-over',
    'POST /api/partner/:id/revoke-token',
    'GET /api/stock/value',
    'GET /api/company',
    'GET /api/company/mail',
    'POST /api/company/mail/test',
    'POST /api/company/edit',
    'PATCH /api/company/edit',
    'POST /api/company/logo',
    'DELETE /api/company/logo',
    'GET /api/accounting',
    'GET /api/accounting/documents',
    'GET /api/accounting/csv',
    'GET /api/accounting/zip',
    'GET /api/accounting/supplier-credits/csv',
    'GET /api/accounting/excel',
    'GET /api/accounting/datev',
    'GET /api/accounting/settings',
    'POST /api/accounting/settings/edit',
    'PATCH /api/accounting/settings/edit',
    'GET /api/bank-entry/find',
    'POST /api/bank-entry/file',
    'POST /api/bank-entry/book',
    'POST /api/bank-entry/:id/set-aside',
  ],
  partners: [
    'GET /api/partner/v1/stock',
    'POST /api/partner/v1/stock',
    'GET /api/partner/v1/products',
    'GET /api/partner/v1/orders',
    'POST /api/partner/v1/orders',
    'GET /api/partner/v1/orders/:id',
    'GET /api/partner/v1/imports/:id',
  ],
  'the person': ['GET /api/user/:id/basket', 'PUT /api/user/:id/basket', 'GET /api/user/:id/basket/pick-list'],
  'the person or administrators': ['POST /api/user/:id/edit', 'PATCH /api/user/:id/edit', 'POST /api/user/:id/avatar'],
}
type Access = 'everyone' | 'staff' | 'administrators' | 'partners' | 'the person' | 'the person or administrators'

function crud(area: string): string[] {
  const base = `/api/${area}`
  return [
    `GET ${base}/find`,
    `POST ${base}/create`,
    `PUT ${base}/create`,
    `POST ${base}/:id/edit`,
    `PATCH ${base}/:id/edit`,
    `DELETE ${base}/:id/delete`,
  ]
}

const access = new Map<string, Access>(
  Object.entries(MATRIX).flatMap(([who, routes]) => routes.map((route) => [route, who as Access] as const)),
)
/** Adds the generic routes of areas that have no line in MATRIX: all staff may call them. */
function addGenericAreas(there: ReadonlySet<string>): void {
  for (const route of there) {
    const area = /^GET \/api\/([a-z-]+)\/find$/.exec(route)?.[1]
    const generic = area ? crud(area) : []
    if (generic.length > 0 && generic.every((one) => there.has(one) && !access.has(one)))
      for (const one of generic) access.set(one, 'staff')
  }
}

const named = ({ method, url }: Route) => `${method === 'HEAD' ? 'GET' : method} ${url}`

let t: PromiseShop
let admin: Client
let routes: Route[]
beforeAll(async () => {
  t = await promiseShop()
  admin = await t.user('ROLE_ADMIN')
  const isAsset = ({ url }: Route) => url.startsWith('/assets/')
  // The logout comes last, because it ends the session that makes the requests.
  routes = routesOf(t.app)
    .filter((route) => !isAsset(route))
    .toSorted((a, b) => Number(a.url.endsWith('/logout')) - Number(b.url.endsWith('/logout')))
  addGenericAreas(new Set(routes.map(named)))
})
afterAll(() => closeSound(t))

type Caller = (options: InjectOptions) => Promise<{ status: number }>
const nobody: Caller = async (options) => {
  const headers = { cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a', ...options.headers }
  return { status: (await t.app.inject({ ...options, headers })).statusCode }
}
const withKey =
  (key: string): Caller =>
  (options) =>
    nobody({ ...options, headers: { authorization: `Bearer ${key}` } })

/** The body for a route. Some routes check the body before the caller. */
const bodyOf = ({ method, url }: Route): object =>
  url === '/api/user/create'
    ? { name: 'New', email: `new-${method.toLowerCase()}@backstock.test`, role: 'ROLE_USER', password: PASSWORD }
    : url.endsWith('/basket')
      ? { items: [] }
      : {}

test('A1: every route, for everyone who might call it', async () => {
  expect(routes.length).toBeGreaterThan(80)
  const there = new Set(routes.map(named))
  const undecided = [...there].filter((route) => !access.has(route))
  expect(undecided, 'new routes: say in MATRIX of test/promises/access.test.ts who may call them').toEqual([])
  const gone = [...access.keys()].filter((route) => !there.has(route))
  expect(gone, 'no route any more: take them out of MATRIX in test/promises/access.test.ts').toEqual([])

  const [user, other, former] = [await t.user(), await t.user(), await t.user()]
  const { key: revoked, id: partnerId } = await makePartner(t.app, admin, t.shop.customer)
  const key: string = (await admin.post(`/api/partner/${partnerId}/generate-token`)).body.data
  expect((await admin.delete(`/api/user/${former.id}/delete`)).status).toBe(200)

  const MISSING = 999_999
  const call = async (caller: Caller, route: Route, id = MISSING) => {
    const { status } = await caller({
      method: route.method as 'GET',
      url: addressOf(route, id),
      ...(isWrite(route) ? { payload: bodyOf(route) } : {}),
    })
    return status >= 500 ? `fault ${status}` : status === 401 || status === 403 ? status : 'let in'
  }
  for (const route of routes) {
    const who = access.get(named(route))!
    const own = who.startsWith('the person')
    const answers = {
      route: named(route),
      nobody: await call(nobody, route),
      gone: await call(former.send, route),
      revoked: await call(withKey(revoked), route),
      partner: await call(withKey(key), route),
      user: await call(user.send, route, own ? other.id : MISSING),
      admin: await call(admin.send, route, own ? other.id : MISSING),
      itself: own ? await call(user.send, route, user.id) : 'let in',
    }
    const loggedIn = { nobody: 401, gone: 401, revoked: 401, partner: 401, itself: 'let in' }
    const wanted = {
      everyone: {
        nobody: 'let in',
        gone: 'let in',
        revoked: 'let in',
        partner: 'let in',
        user: 'let in',
        admin: 'let in',
      },
      staff: { ...loggedIn, user: 'let in', admin: 'let in' },
      administrators: { ...loggedIn, user: 403, admin: 'let in' },
      partners: { nobody: 401, gone: 401, revoked: 401, partner: 'let in', user: 401, admin: 401 },
      'the person': { ...loggedIn, user: 403, admin: 403 },
      'the person or administrators': { ...loggedIn, user: 403, admin: 'let in' },
    }[who]
    expect(answers).toMatchObject({ route: named(route), ...wanted })
  }
  reached('A1', `${routes.length} routes x 7 callers: as decided`, 'all as decided')
})

/** A hash of each table, without the rows that any request changes. */
async function fingerprint(): Promise<Record<string, string>> {
  const tables = await t.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('session', 'throttle')`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await t.rows<{ sum: string }>(
      `select md5(coalesce(string_agg(md5(r::text), '' order by md5(r::text)), '')) as sum from "${name}" r`,
    )
    sums[name] = row!.sum
  }
  return sums
}

test('A2: no write without the token of its own session', async () => {
  const [person, other] = [await t.user('ROLE_ADMIN'), await t.user('ROLE_ADMIN')]
  const tokenOf = async (client: Client): Promise<string> => (await client.get('/api/auth')).body.csrf_token
  const stale = await logIn(t.app, person.id, person.email, PASSWORD)
  const old = await tokenOf(stale)
  await stale.post('/api/logout')
  const colour = (await person.post('/api/colour/create', { name: 'Red' })).body.data.id
  const [item] = await t.items(1)
  const own = await tokenOf(person)

  const before = await fingerprint()
  const json = { 'content-type': 'application/json' }
  const ways: Record<string, Record<string, string>> = {
    missing: { ...json, 'x-xsrf-token': '' },
    stale: { ...json, 'x-xsrf-token': old },
    "another's": { ...json, 'x-xsrf-token': await tokenOf(other) },
    'cookie of its own making': { ...json, 'x-xsrf-token': 'mine', cookie: 'XSRF-TOKEN=mine' },
    'text/plain': { 'content-type': 'text/plain', 'x-xsrf-token': '' },
    'a form of another site': {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
      'x-xsrf-token': '',
    },
  }
  const payload = JSON.stringify({
    name: 'Changed',
    items: [item],
    batch_id: 1,
    stock_items: [{ id: item }],
    customer_id: 1,
  })
  const writes = routes.filter((route) => isWrite(route) && access.get(named(route)) !== 'partners')
  for (const route of writes)
    for (const [way, headers] of Object.entries(ways)) {
      const url = addressOf(route, route.url.includes('/user/') ? person.id : colour)
      const { status, body } = await person.send({ method: route.method as 'POST', url, payload, headers })
      expect([named(route), way, status]).toEqual([named(route), way, 403])
      expect(body.error).toMatch(/invalid csrf/i)
    }
  // With the right token, but with a content type that a form on another site could send.
  for (const route of writes.filter(({ url }) => !/log(in|out)$/.test(url))) {
    const url = addressOf(route, route.url.includes('/user/') ? other.id : colour)
    const headers = { 'content-type': 'text/plain', 'x-xsrf-token': own }
    const { status } = await person.send({ method: route.method as 'POST', url, payload, headers })
    expect([named(route), status]).toEqual([named(route), 415])
  }
  // A GET may write too: a download makes a document final. So other sites must not cause one.
  const isOfPeople = (route: Route) => ['staff', 'administrators'].includes(access.get(named(route)) ?? '')
  // /api/auth writes nothing, and gives anybody the token for logging in.
  const reads = routes.filter((one) => one.method === 'GET' && one.url !== '/api/auth' && isOfPeople(one))
  for (const route of reads)
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site }
      const { status, body } = await person.send({ method: 'GET', url: addressOf(route, colour), headers })
      expect([named(route), site, status]).toEqual([named(route), site, 403])
      expect(body.error).toBe('Another website cannot ask for this. Open it in Backstock.')
    }
  expect(await fingerprint()).toEqual(before)
  const asked = await person.send({
    method: 'GET',
    url: '/api/sale/find',
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  expect(asked.status).toBe(200)
  reached(
    'A2',
    `${writes.length} writes, ${Object.keys(ways).length + 1} ways each, ${reads.length} reads: none took effect`,
    'none takes effect',
  )
})
