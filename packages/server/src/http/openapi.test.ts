import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, type Client, testApp } from '../testing/app.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'
import { URLENCODED } from './openapi.ts'

type Operation = {
  tags?: string[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, { schema: Parameters<typeof z.fromJSONSchema>[0] }> }>
}
type Description = { openapi: string; paths: Record<string, Record<string, Operation>> }

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let description: Description
/** The time that each round of the event loop took while the description was made. */
const rounds: number[] = []
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  let isMade = false
  async function watchRounds() {
    for (let before = process.threadCpuUsage().user; !isMade; ) {
      await nextRound()
      const now = process.threadCpuUsage().user
      rounds.push(now - before)
      before = now
    }
  }
  const watched = watchRounds()
  description = (await admin.get('/api/openapi.json')).body
  isMade = true
  await watched
})
afterAll(() => t.close())

/** Checks that an answer has exactly the fields and types that the description has for its path, method and status. */
function agrees(method: string, path: string, answer: Answer): void {
  const operation = description.paths[path]?.[method]
  const schema = operation?.responses[answer.status]?.content?.['application/json']?.schema
  if (!schema) throw new Error(`${method} ${path} does not describe ${answer.status}`)
  const parsed = z.fromJSONSchema(schema).safeParse(answer.body)
  expect(parsed.error?.issues, `${method} ${path} ${answer.status}`).toBeUndefined()
}

test('it is OpenAPI 3.1 and describes the answer of every route', () => {
  expect(description.openapi).toMatch(/^3\.1\./)
  const silent = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { responses }]) => !Object.keys(responses).some((status) => status.startsWith('2')))
      .map(([method]) => `${method} ${path}`),
  )
  expect(silent).toEqual([])
})

test('each operation belongs to the area that its address begins with', () => {
  const wrong = Object.entries(description.paths).filter(([path, operations]) =>
    Object.values(operations).some(({ tags }) => tags?.join() !== path.split('/')[2]),
  )
  expect(wrong.map(([path]) => path)).toEqual([])
})

test('its words about parameters, fields and files are those that are stored', async () => {
  const found = new Map<string, string>()
  function note(value: unknown, where: string): void {
    if (typeof value !== 'object' || value === null) return
    const { description: words } = value as { description?: unknown }
    if (typeof words === 'string' && words !== 'Default Response' && !found.has(words)) found.set(words, where)
    for (const part of Object.values(value)) note(part, where)
  }
  for (const [path, operations] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(operations)) note(operation, `${method.toUpperCase()} ${path}`)
  const lines = [...found].map(([words, where]) => `${where}: ${words}\n`)
  await expect(lines.join('')).toMatchFileSnapshot('openapi-words.txt')
})

test('nobody waits while the first request makes it: no round of the event loop has half of the work', () => {
  const whole = rounds.reduce((sum, one) => sum + one, 0)
  expect(Math.max(...rounds) / whole).toBeLessThan(0.5)
})

/** Routes that change something and get all their input from the address. */
const WITHOUT_BODY = [
  'post /api/batch/{id}/remove-item/{stockId}',
  'post /api/company/mail/test',
  'post /api/customer/{id}/vat-check/ask',
  'post /api/document/{id}/hand-over',
  'post /api/document/{id}/send',
  'post /api/letter/{id}/send',
  'post /api/logout',
  'post /api/partner/{id}/generate-token',
  'post /api/partner/{id}/revoke-token',
  'post /api/sale/{id}/invoice/excel/generate',
  'post /api/sale/{id}/invoice/resend',
  'post /api/sale/{id}/payment/{paymentId}/undo',
  'post /api/sale/{id}/return-item/{stockId}',
  'post /api/stock/bulk/{id}/undo',
  'post /api/stock/check/{id}/close',
  'post /api/stock/check/{id}/receive',
  'post /api/stock/check/{id}/reopen',
  'post /api/stock/import/history/{id}/undo',
]

test('every body is described: JSON, and forms with files', async () => {
  const partners: Description = (await admin.get('/api/partner/v1/openapi.json')).body
  const writing = [description, partners].flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => ['post', 'put', 'patch'].includes(method))
        .map(([method, { requestBody }]) => ({
          route: `${method} ${path}`,
          types: Object.keys(requestBody?.content ?? {}),
        })),
    ),
  )
  const routes = (chosen: typeof writing) => chosen.map(({ route }) => route).toSorted()
  expect(routes(writing.filter(({ types }) => types.length === 0))).toEqual(WITHOUT_BODY)
  expect(routes(writing.filter(({ types }) => types.includes('multipart/form-data')))).toEqual([
    'post /api/bank-entry/file',
    'post /api/company/logo',
    'post /api/sale/create',
    'post /api/sale/{id}/pdf',
    'post /api/stock/import/csv',
    'post /api/stock/import/preview',
    'post /api/user/{id}/avatar',
    'put /api/sale/create',
  ])
  expect(routes(writing.filter(({ types }) => types.includes(URLENCODED)))).toEqual([
    'post /api/sale/create',
    'put /api/sale/create',
  ])
  const { content } = description.paths['/api/sale/create']!['post']!.requestBody!
  // Numbers are called numbers, though digits as text and an empty text for nothing are accepted, too.
  const id = { type: 'integer', minimum: 1 }
  const optional = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })
  expect(content['application/json']).toMatchObject({
    schema: {
      properties: {
        stock_items: { items: { properties: { id, sales_price: optional('integer') } } },
        customer_id: optional('integer'),
        reference_number: optional('string'),
        includeVat: { type: 'boolean' },
      },
    },
  })
  const sent = content[URLENCODED]
  expect(sent).toMatchObject({
    schema: { properties: { stock_items: { description: expect.stringContaining('JSON') } } },
  })
})

test('every find answers as described', async () => {
  const [item] = await stockItems(t.db, shop, 1)
  await admin.post('/api/colour/create', { name: 'Red' })
  await admin.post('/api/supplier/create', { company_name: 'Pallets Ltd' })
  await admin.post('/api/partner/create', { name: 'Shop' })
  await admin.post('/api/batch/create', { name: 'Mixed', items: [item] })
  const finds = Object.keys(description.paths).filter((path) => path.endsWith('/find'))
  expect(finds.length).toBeGreaterThan(11)
  for (const path of finds)
    for (const query of ['', '?id=1', '?quick=true', '?search=red', '?page=abc'])
      agrees('get', path, await admin.get(path + query))
})

test('a sale, its documents and its refusals answer as described', async () => {
  const [sold] = await stockItems(t.db, shop, 1)
  const body = { customer_id: shop.customer, stock_items: [{ id: sold, sales_price: 30_000 }] }
  const created = await admin.post('/api/sale/create', body)
  agrees('post', '/api/sale/create', created)
  agrees('post', '/api/sale/create', await admin.post('/api/sale/create', body))
  agrees('post', '/api/sale/create', await admin.post('/api/sale/create', {}))
  const { id } = created.body.data
  agrees('post', '/api/sale/{id}/edit', await admin.post(`/api/sale/${id}/edit`, { status: 'Awaiting Payment' }))
  agrees('post', '/api/sale/{id}/edit', await admin.post(`/api/sale/${id}/edit`, { status: 'Dispatched' }))
  agrees('post', '/api/sale/{id}/pay', await admin.post(`/api/sale/${id}/pay`, { paid_on: '2026-11-01', amount: 1 }))
  agrees('post', '/api/sale/{id}/pay', await admin.post(`/api/sale/${id}/pay`, { amount: 0 }))
  agrees('get', '/api/sale/{id}/label', await admin.get(`/api/sale/${id}/label`))
  agrees(
    'post',
    '/api/sale/{id}/invoice/generate',
    await admin.post(`/api/sale/${id}/invoice/generate`, { lang: 'pl' }),
  )
})

test('start-up, basket, quick order, import and company answer as described', async () => {
  const [item] = await stockItems(t.db, shop, 1)
  agrees('get', '/api/auth', await admin.get('/api/auth'))
  const basket = `/api/user/${admin.id}/basket`
  agrees('put', '/api/user/{id}/basket', await admin.put(basket, { items: [item] }))
  agrees('get', '/api/user/{id}/basket', await admin.get(basket))
  agrees('get', '/api/auth', await admin.get('/api/auth'))
  agrees('post', '/api/stock/quick-order-find', await admin.post('/api/stock/quick-order-find', { lines: ['nothing'] }))
  agrees('get', '/api/stock/import/csv/status', await admin.get('/api/stock/import/csv/status'))
  agrees('get', '/api/stock/import/history', await admin.get('/api/stock/import/history'))
  agrees('get', '/api/company', await admin.get('/api/company'))
  agrees('get', '/api/stock/value', await admin.get('/api/stock/value?at=2025-06-30'))
  agrees('post', '/api/company/edit', await admin.post('/api/company/edit', { name: 'Phones' }))
})
