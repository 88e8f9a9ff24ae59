import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { testInTurn } from '../testing/in-turn.ts'
import { makePartner } from '../testing/partner.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'
import { BODY } from './read-bodies.ts'
import { refuseWildJson } from './wild-json.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let admin: Client
let address: string
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  admin = await t.user('ROLE_ADMIN')
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
})
afterAll(() => t.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** The status of the answer to a request whose body never arrives. */
async function withoutBody(method: string, url: string, headers: Record<string, string>): Promise<number> {
  const request = http.request(address + url, {
    method,
    agent: false,
    headers: { 'content-length': '1000', ...headers },
  })
  request.on('error', () => undefined)
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  request.destroy()
  return response.statusCode!
}

test('a request that is refused or not found is so before its body is read', async () => {
  const own = { cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a' }
  const refused: [string, string, Record<string, string>, number][] = [
    ['POST', '/api/none', JSON_TYPE, 404],
    ['POST', '/api/none', { ...own, ...FORM_TYPE }, 404],
    ['DELETE', '/none', JSON_TYPE, 404],
    ['POST', '/api/login', FORM_TYPE, 403],
    ['POST', '/api/colour/create', { ...own, ...JSON_TYPE }, 401],
    ['POST', '/api/partner/v1/stock', JSON_TYPE, 401],
    ['POST', '/api/login', { ...own, 'content-type': 'application/octet-stream' }, 415],
    ['POST', '/api/login', { ...own, 'content-type': 'multipart/form-data; boundary=b' }, 415],
    ['POST', '/api/login', { ...own, ...JSON_TYPE, 'content-length': String(BODY.login + 1) }, 413],
  ]
  for (const [method, url, headers, status] of refused)
    expect([method, url, await withoutBody(method, url, headers)]).toEqual([method, url, status])
})

test('each route takes as large a body as it needs, and no larger', async () => {
  const basket = `/api/user/${admin.id}/basket`
  const of = (size: number) => `{"name":"${' '.repeat(size - 11)}"}`
  for (const [method, url, size] of [
    ['POST', '/api/login', BODY.login],
    ['POST', '/api/colour/create', BODY.record],
    ['PUT', basket, BODY.list],
    ['POST', '/api/batch/create', BODY.list],
    ['POST', '/api/batch/add-items', BODY.list],
    ['POST', '/api/sale/create', BODY.list],
    ['POST', '/api/stock/quick-order-find', BODY.list],
    ['POST', '/api/stock/scan-find', BODY.list],
  ] as const) {
    const send = (payload: string) => admin.send({ method, url, payload, headers: JSON_TYPE })
    expect([url, (await send(of(size))).status]).toEqual([url, 422])
    expect([url, (await send(of(size + 1))).status]).toEqual([url, 413])
  }
})

test('a request about thousands of items may be larger than one about a record, whichever it is', async () => {
  const body = { filler: ' '.repeat(BODY.record) }
  for (const path of [
    ...['bank-entry/book', 'purchase-receipt/create', 'sale/tax-facts', 'sale/1/allow', 'sale/1/correct'],
    ...['return/create', 'return/1/edit', 'return/1/receive', 'return/look-up', 'stock/bulk', 'stock/bulk/preview'],
    ...['stock/check/1/scan', 'stock/labels', 'stock/pick-list', 'supplier-claim/create'],
    ...['supplier-claim/1/add-items', 'supplier-claim/1/remove-items', 'supplier-claim/1/settle'],
  ])
    expect([path, (await admin.post(`/api/${path}`, body)).status]).toEqual([path, expect.toBeOneOf([404, 409, 422])])
  expect((await admin.patch('/api/stock/import/preview/1', body)).status).toBe(404)
  const partner = await makePartner(t.app, admin, shop.customer)
  expect((await partner.post('/orders', body)).status).toBe(422)
})

testInTurn('a form has 25,000 fields at most; a sale of 5,000 items with 20,000 is made', async () => {
  const ids: number[] = []
  while (ids.length < 5000) ids.push(...(await stockItems(t.db, shop, 1000)))
  const form = new URLSearchParams({
    stock_items: JSON.stringify(ids.map((id) => ({ id, sales_price: 30_000 }))),
    customer_id: String(shop.customer),
    create_invoice: 'false',
    create_excel: 'false',
    send_email: 'false',
  })
  for (let n = 0; n < 10_000; n++) form.append(`price_${n}`, String(n))
  for (let n = 0; n < 10_000; n++) form.append('sale_price[]', String(n))
  const sell = (payload: string) => admin.send({ method: 'POST', url: '/api/sale/create', payload, headers: FORM_TYPE })
  const { status, body } = await sell(form.toString())
  expect([status, body.data.total_items]).toEqual([201, 5000])

  const fields = (n: number) => Array.from({ length: n }, (_, i) => `k${i}`).join('&')
  expect((await sell(fields(25_000))).status).toBe(422)
  expect(await sell(fields(25_001))).toMatchObject({
    status: 413,
    body: { success: false, message: 'A form may have 25,000 fields at most.' },
  })
})

test('names that a form has several times have their values in a list', async () => {
  const create = (payload: string) =>
    admin.send({ method: 'POST', url: '/api/batch/create', payload, headers: FORM_TYPE })
  const [first, second] = await stockItems(t.db, shop, 2)
  const { status, body } = await create(`name=Forms&items=${first}&priority=3&items=${second}`)
  expect([status, body.data.items_count, body.data.priority]).toEqual([201, 2, 3])
  expect((await create(`name=a&name=b`)).body.data.errors).toEqual({ name: expect.any(String) })
  expect((await create('__proto__=a&constructor=b&name=')).body.data.errors).toEqual({
    name: 'This field is required.',
  })
})

test('JSON that would take long to read is refused with a reason, also as text in a form', async () => {
  const send = (payload: string, headers = JSON_TYPE) =>
    admin.send({ method: 'POST', url: '/api/sale/create', payload, headers })
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const names = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":1`)}}`
  expect((await send(`{"stock_items":${nested(31)}}`)).status).toBe(422)
  expect((await send(names(1000))).status).toBe(422)
  const deep = { status: 400, body: { message: 'JSON may be nested 32 levels deep at most.' } }
  expect(await send(`{"stock_items":${nested(32)}}`)).toMatchObject(deep)
  expect(await send(nested(100_000))).toMatchObject(deep)
  expect(await send(`stock_items=${nested(100_000)}`, FORM_TYPE)).toMatchObject(deep)
  const many = { status: 413, body: { message: 'JSON may have 1,000 fields in one object at most.' } }
  expect(await send(names(1001))).toMatchObject(many)
  expect(await send(`stock_items=${names(1001)}`, FORM_TYPE)).toMatchObject(many)
  expect(await send(`{"stock_items":[${'1,'.repeat(400_000)}1]}`)).toMatchObject({
    status: 413,
    body: { message: 'JSON may have 400,000 values at most.' },
  })
})

test('all other JSON is for its reader, whatever stands in its texts', () => {
  const wild = fc.string({ unit: fc.constantFrom('{', '[', ':', ',', '"', '\\', 'a', '€') })
  const values = fc.jsonValue({ maxDepth: 20, stringUnit: 'binary' })
  fc.assert(
    fc.property(fc.oneof(values, fc.array(wild), fc.dictionary(wild, wild)), (value) => {
      refuseWildJson(Buffer.from(JSON.stringify(value)))
    }),
  )
  refuseWildJson(Buffer.from(JSON.stringify({ [`"${'{['.repeat(1000)}\\`]: ':,'.repeat(2000) })))
})

test('HEAD runs no query: the API says 405, whoever asks', async () => {
  let asked = 0
  const count = () => asked++
  for (const pool of [t.db.readers, t.db.pool]) pool.on('acquire', count)
  for (const url of ['/api/stock/export/csv', '/api/stock/find', '/api/auth', '/api/sale/1/invoice', '/api/none']) {
    const { status, headers } = await admin.send({ method: 'HEAD', url })
    expect([url, status, headers['allow']]).toEqual([url, 405, 'GET'])
  }
  expect((await t.app.inject({ method: 'HEAD', url: '/api/partner/v1/stock' })).statusCode).toBe(405)
  expect(asked).toBe(0)
  for (const pool of [t.db.readers, t.db.pool]) pool.off('acquire', count)
  expect((await t.app.inject({ method: 'HEAD', url: '/healthz' })).statusCode).toBe(200)
  expect((await t.app.inject({ method: 'HEAD', url: '/readyz' })).statusCode).toBe(200)
})

test('every item of a push is checked, and each mistake has its number in the whole call', async () => {
  const partner = await makePartner(t.app, admin, null)
  const item = { serial_number: 'S1', make: 'Apple', model: 'iPhone 13', purchase_price: 1 }
  const items = Array.from({ length: 10_000 }, (_, n) =>
    n === 8999 ? { ...item, purchase_price: -1, deleted: 1 } : item,
  )
  expect((await partner.post('/stock', { items })).body.data.errors).toEqual({
    'items.8999.purchase_price': 'Must not be negative.',
    'items.8999.deleted': 'Must be true or false.',
  })
  const errors = async (body: object) => (await partner.post('/stock', body)).body.data.errors
  expect(await errors({ items: [...items, item] })).toEqual({ items: 'At most 10,000 items in one call.' })
  expect(await errors({ items: [] })).toEqual({ items: 'Name at least one item.' })
  expect(await errors({})).toEqual({ items: 'Name at least one item.' })
  expect(Object.keys(await errors({ items: [5, null, 'abc', [1]] }))).toEqual([
    'items.0',
    'items.1',
    'items.2',
    'items.3',
  ])
})
