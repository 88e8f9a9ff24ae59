import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Client, testApp } from '../../testing/app.ts'
import { type Described, narrowed } from '../../testing/narrowed.ts'
import { makePartner, type PartnerClient } from '../../testing/partner.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { startWorker } from '../../worker/worker.ts'
import { importJobs } from '../import/jobs.ts'

const BASE = '/api/partner/v1'
type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]
type Operation = { responses: Record<string, { content: Record<string, { schema: JsonSchema }> }> }

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let partner: PartnerClient
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  partner = await makePartner(t.app, admin, shop.customer)
})
afterAll(() => t.close())

/** The session in the manual's page: its shell blocks, each with the JSON that the page promises. */
function session(): { commands: string; printed: unknown }[] {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../../../../docs/manual/partner-api.md'), 'utf8')
  const blocks = [...document.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language,
    text: text!,
  }))
  return blocks.flatMap(({ language, text }, n) => {
    if (language !== 'sh') return []
    const after = blocks[n + 1]
    return { commands: text, printed: after?.language === 'json' ? JSON.parse(after.text) : undefined }
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The shape of a value: its names and types, without the values, which differ from shop to shop. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shape(field)]))
  return value === null ? null : typeof value
}

test('the session of docs/manual/partner-api.md runs, and prints what it says', async () => {
  await stockItems(t.db, shop, 2, { vat_id: shop.vat.standard })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  const services = { db: t.db, config: t.config, dataDir: '', log: t.app.log }
  const worker = await startWorker(services, importJobs(services, t.app.pace), t.connection)
  try {
    const blocks = session()
    expect(blocks.length).toBeGreaterThan(9)
    const mark = '-- end of block --'
    const script = ['set -eu', ...blocks.flatMap(({ commands }) => [commands, `echo; echo '${mark}'`])].join('\n')
    const env = { ...process.env, BACKSTOCK: `http://127.0.0.1:${port}`, KEY: partner.key }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env, timeout: 60_000 })
    expect(stderr).toBe('')
    const outputs = stdout.split(mark)
    for (const [n, { commands, printed }] of blocks.entries())
      if (printed !== undefined) expect(shape(JSON.parse(outputs[n]!)), commands).toEqual(shape(printed))
    expect(outputs.at(-2)).toContain('"successed_rows":1,"failed_rows":0')
  } finally {
    await worker.stop()
  }
})

test('the description is OpenAPI 3.1 of these routes alone, for everyone, and tells the truth', async () => {
  const description = (await t.app.inject(`${BASE}/openapi.json`)).json()
  expect(description.openapi).toMatch(/^3\.1\./)
  expect(Object.keys(description.paths).sort()).toEqual(
    ['/imports/{id}', '/orders', '/orders/{id}', '/products', '/stock'].map((route) => BASE + route),
  )
  const office = (await admin.get('/api/openapi.json')).body
  expect(Object.keys(office.paths).filter((route) => route.startsWith(BASE))).toEqual([])

  const agrees = async (method: 'get' | 'post', route: string, answer: ReturnType<PartnerClient['get']>) => {
    const { status, body } = await answer
    const operation: Operation = description.paths[BASE + route][method]
    const schema = operation.responses[status]?.content['application/json']?.schema
    if (!schema) throw new Error(`${method} ${route} does not describe ${status}`)
    expect(z.fromJSONSchema(schema).safeParse(body).error?.issues, `${method} ${route} ${status}`).toBeUndefined()
    return { status, body }
  }
  const [id] = await stockItems(t.db, shop, 1)
  const order = { items: [{ id }] }
  const placed = await agrees('post', '/orders', partner.post('/orders', order))
  const pushed = await agrees('post', '/stock', partner.post('/stock', { items: [{ imei: '1' }] }))
  const answers = [
    await agrees('get', '/stock', partner.get('/stock')),
    await agrees('get', '/stock', partner.get('/stock?limit=0')),
    await agrees('get', '/products', partner.get('/products')),
    await agrees('get', '/orders', partner.get('/orders')),
    await agrees('get', '/orders/{id}', partner.get(`/orders/${placed.body.data.id}`)),
    await agrees('get', '/orders/{id}', partner.get('/orders/999999')),
    await agrees('post', '/orders', partner.post('/orders', order)),
    await agrees('post', '/orders', partner.post('/orders', {})),
    await agrees('post', '/stock', partner.post('/stock', {})),
    await agrees('get', '/imports/{id}', partner.get(`/imports/${pushed.body.data.import_id}`)),
    await agrees('get', '/imports/{id}', partner.get('/imports/none')),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200, 200, 404, 409, 422, 422, 200, 404])
})

test('a program of the last release still works: nothing is gone or narrower since', async () => {
  const released: Described = JSON.parse(readFileSync(path.join(import.meta.dirname, 'released.json'), 'utf8'))
  expect(Object.keys(released.paths).length).toBeGreaterThan(4)
  const now: Described = (await t.app.inject(`${BASE}/openapi.json`)).json()
  expect(narrowed(released, now)).toEqual([])
})

const field = (schema: object) => ({ type: 'object', properties: { n: schema }, required: ['n'] })
const described = (sent: object, told: object, more: object = {}): Described => {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } })
  return {
    paths: { '/a': { post: { requestBody: content(sent), responses: { 200: content(told) }, ...more } } },
  } as never
}
const text = { type: 'string', maxLength: 9 }
const number = { type: 'integer' }

test.each([
  ['a new call', described(field(text), field(text)), []],
  ['a longer text', described(field({ type: 'string' }), field(text)), []],
  ['another type beside the one', described(field({ anyOf: [text, number] }), field(text)), []],
  [
    'a new field that may be left out, and one of an answer',
    described(
      { ...field(text), properties: { n: text, m: text } },
      { ...field(text), properties: { n: text, m: number } },
    ),
    [],
  ],
  [
    'a shorter text',
    described(field({ ...text, maxLength: 8 }), field(text)),
    ['post /a body.n has a lower maxLength'],
  ],
  ['words alone', described(field({ ...text, enum: ['a'] }), field(text)), ['post /a body.n may not be anything']],
  ['another type', described(field(number), field(text)), ['post /a body.n may not be string']],
  [
    'a new field that must be sent',
    described({ type: 'object', properties: { n: text, m: text }, required: ['n', 'm'] }, field(text)),
    ['post /a body.m must be sent'],
  ],
  ['a field that is gone', described(field(text), { type: 'object' }), ['post /a 200.n is gone']],
  [
    'an answer with null',
    described(field(text), field({ anyOf: [text, { type: 'null' }] })),
    ['post /a 200.n may be null'],
  ],
  [
    'an answer that may leave a field out',
    described(field(text), { ...field(text), required: [] }),
    ['post /a 200.n may be missing'],
  ],
  ['another status', described(field(text), field(text), { responses: {} }), ['post /a 200 is gone']],
  [
    'a parameter that must be sent',
    described(field(text), field(text), { parameters: [{ name: 'q', in: 'query', required: true, schema: text }] }),
    ['post /a query q must be sent'],
  ],
  ['no call', { paths: {} }, ['post /a is gone']],
])('compared with a release: %s', (_, now, expected) => {
  expect(narrowed(described(field(text), field(text)), now)).toEqual(expected)
})

test('the page shows every call, runs no script and asks nobody else', async () => {
  const page = await t.app.inject(`${BASE}/docs`)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const description = (await t.app.inject(`${BASE}/openapi.json`)).json()
  for (const route of Object.keys(description.paths)) expect(page.body).toContain(route)
  for (const field of ['imei', 'deleted', 'sales_price', 'outbound_tracking_number', 'idempotency-key'])
    expect(page.body).toContain(`<code>${field}</code>`)
  expect(page.body).toContain('<code>after</code> and <code>limit</code> page through the rows')
  expect(page.body).not.toMatch(/<script|src=|@import|url\(|javascript:|undefined|\[object/i)
  const links = [...page.body.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
  expect(links.filter((href) => href !== 'openapi.json' && !href.startsWith('#'))).toEqual([])
  for (const href of links.filter((link) => link.startsWith('#'))) expect(page.body).toContain(`id="${href.slice(1)}"`)
})
