import { LABEL_FIELDS } from '@backstock/contract/label-text.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { testApp } from '../../packages/server/src/testing/app.ts'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import type { RunningServer } from '../journeys/running-server.ts'
import { type FaultShop, faultShop } from './faults-shop.ts'
import { full, reached, turns } from './figures.ts'
import { GREEDY, GREEDY_HEADERS, type Greedy } from './greedy-bodies.ts'
import { type HealthWatch, watchHealth } from './health-watch.ts'
import { addressOf, isWrite, type Route, routesOf } from './routes.ts'
import { range, shuffled } from './shop.ts'
import { type HttpAnswer, ofBuffer, StreamingClient } from './streaming-client.ts'

// Promise B10 of docs/promises.md: one thread serves everybody, and no request may block it.
const AT_ONCE = turns(2, 4)
const LONGEST_MS = 250
const GONE_MS = 10_000
const KB = 1024
/** The limits for the body of a login, of a record and of a list of 5,000; below, that of a push. */
const SIZES = [64 * KB, 256 * KB, 2048 * KB]
const PUSH = 16 * 1024 * KB
const MISSING = 999_999

let shop: FaultShop
let server: RunningServer
let watch: HealthWatch
let routes: Route[]
let admin: StreamingClient
let adminId: number
let partner: Record<string, string>

beforeAll(async () => {
  const t = await testApp()
  const isAsset = ({ url }: Route) => url.startsWith('/assets/')
  // After a logout the client would count as nobody, so that route is left out.
  routes = routesOf(t.app).filter((route) => !isAsset(route) && !route.url.endsWith('/logout'))
  await t.close()
  shop = await faultShop(await testDatabase())
  server = await shop.serve()
  admin = new StreamingClient(server.address)
  adminId = await admin.logIn()
  const made = await write('POST', '/api/partner/create', { name: 'Shop', customer_id: shop.customer })
  const { body } = await write('POST', `/api/partner/${made.body.data.id}/generate-token`, {})
  partner = { authorization: `Bearer ${body.data}` }
  watch = await watchHealth(server)
})
afterAll(async () => {
  await watch.end()
  await shop.close()
})

const write = (method: string, url: string, body: object, headers = {}) =>
  admin.send(method, url, { 'content-type': 'application/json', ...headers }, ofBuffer(JSON.stringify(body)))

/** The answer if the server closed the connection before the whole body was sent. */
const CUT_OFF = { status: 0, body: null, ms: 0 }
const unlessCutOff = (answer: Promise<HttpAnswer>) => answer.catch(() => CUT_OFF)

type Caller = { name: string; client: StreamingClient; headers: Record<string, string> }
function callersOf({ url }: Route): Caller[] {
  // A stranger can invent a CSRF token, and gets no further than the login with it.
  const stranger = { cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a' }
  return [
    { name: 'nobody', client: new StreamingClient(server.address), headers: stranger },
    url.startsWith('/api/partner/v1')
      ? { name: 'a partner', client: new StreamingClient(server.address), headers: partner }
      : { name: 'an administrator', client: admin, headers: {} },
  ]
}

let worst = { ms: 0, what: 'nothing' }
/** Sends a request several times at once. No answer may be a 5xx, and `/healthz` must not wait. */
async function nobodyWaits(what: string, ask: () => Promise<HttpAnswer>, times = AT_ONCE): Promise<HttpAnswer[]> {
  await watch.longest()
  const answers = await Promise.all(range(times).map(ask))
  const ms = await watch.longest()
  if (ms > worst.ms) worst = { ms, what }
  const most = ms < LONGEST_MS ? LONGEST_MS : allowed(LONGEST_MS)
  expect([what, answers[0]?.status]).toEqual([what, expect.toSatisfy((status: number) => status < 500)])
  expect(ms, what).toBeLessThan(most)
  return answers
}

type Try = { what: string; ask: () => Promise<HttpAnswer> }
const UNKNOWN = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
  ['/api/none', '/none', '/assets/none', '/api/partner/v1/none'].map((url) => ({ method, url })),
)

function bodyTries(): Try[] {
  return [...routes.filter(isWrite), ...UNKNOWN].flatMap((route) =>
    callersOf(route).flatMap((caller) =>
      Object.entries(GREEDY).map(([name, greedy]) => {
        const [size = 0] = shuffled(route.url === '/api/partner/v1/stock' ? [...SIZES, PUSH] : SIZES)
        return {
          what: `${caller.name}: ${route.method} ${route.url}, ${name}, ${size / KB} KB`,
          ask: () => sendGreedy(route, caller, greedy, size),
        }
      }),
    ),
  )
}

let last: { greedy: Greedy; size: number; body: Buffer } | undefined
function sendGreedy(route: Route, { client, headers }: Caller, greedy: Greedy, size: number) {
  if (last?.greedy !== greedy || last.size !== size) last = { greedy, size, body: greedy.body(size) }
  const more = { ...headers, 'content-type': greedy.type }
  return unlessCutOff(client.send(route.method, addressOf(route, MISSING), more, ofBuffer(last.body)))
}

function headerTries(): Try[] {
  return [...routes.filter((route) => !isWrite(route)), { method: 'GET', url: '/none' }].flatMap((route) =>
    callersOf(route).flatMap(({ name: who, client, headers }) =>
      Object.entries(GREEDY_HEADERS).map(([name, { query, cookie }]) => ({
        what: `${who}: ${route.method} ${route.url}, ${name}`,
        ask: () => {
          const url = addressOf(route, MISSING) + (query ? `?${query}` : '')
          const sender = cookie ? new StreamingClient(server.address) : client
          return unlessCutOff(sender.send(route.method, url, { ...headers, ...(cookie && { cookie }) }))
        },
      })),
    ),
  )
}

// These must be the first requests for the descriptions, because the server makes each only once.
testInTurn('B10: nor for the first descriptions of the API', async () => {
  worst = { ms: 0, what: 'nothing' }
  for (const url of ['/api/openapi.json', '/api/partner/v1/openapi.json', '/api/partner/v1/docs']) {
    const [answer] = await nobodyWaits(url, () => admin.send('GET', url))
    expect([url, answer!.status]).toEqual([url, 200])
  }
  reached(
    'B10',
    `the first descriptions of the API: /healthz within ${Math.round(worst.ms)} ms (${worst.what})`,
    'within 250 ms all the while',
  )
})

test('B10: whatever is sent to any route, nobody else waits for it', async () => {
  worst = { ms: 0, what: 'nothing' }
  const [bodies, headers] = [bodyTries(), headerTries()]
  const tries = full ? [...bodies, ...headers] : [...shuffled(bodies).slice(0, 75), ...shuffled(headers).slice(0, 25)]
  for (const { what, ask } of tries) await nobodyWaits(what, ask)
  reached(
    'B10',
    `${tries.length} of ${bodies.length + headers.length} kinds of requests, ${AT_ONCE} at once: /healthz within ${Math.round(worst.ms)} ms (${worst.what})`,
    'within 250 ms all the while',
  )
})

const LONG = 'ü'.repeat(255)
const NOTE = 'ü'.repeat(10_000)
type Fine = (what: string, ask: () => Promise<HttpAnswer>, times?: number) => Promise<{ id: number; items: unknown[] }>

/** Claims items. Their supplier sends them back. */
async function claimsOf(items: number[], fine: Fine): Promise<void> {
  const { body } = await write('POST', '/api/supplier/create', { company_name: LONG })
  await shop.rows('update stock set supplier_id = $1', [body.data.id])
  const given = { supplier_id: body.data.id, items, reason: LONG, note: NOTE }
  const { id } = await fine('claim', () => write('POST', '/api/supplier-claim/create', given), 1)
  const url = `/api/supplier-claim/${id}`
  await fine('claim, other reason', () => write('POST', `${url}/add-items`, { items, reason: `${LONG.slice(1)}x` }), 1)
  await fine('claim, read', () => admin.send('GET', `/api/supplier-claim/find?id=${id}`))
  await fine('claim as CSV', () => admin.send('GET', `${url}/csv`))
  await fine('claim, sent', () => write('POST', `${url}/send`, {}), 1)
  const back = items.map((id) => ({ id, credit: 1, is_back: true }))
  await fine('claim, settled', () => write('POST', `${url}/settle`, { settled_on: '2026-11-01', items: back }), 1)
}

/** Sells items with an invoice, corrects all prices, gives an allowance for each item, and takes all items back. */
async function returnsOf(lines: { id: number; sales_price: number }[], fine: Fine): Promise<void> {
  const given = { customer_id: shop.customer, create_invoice: true, send_email: false, stock_items: lines }
  const sale = await fine('sale with invoice', () => write('POST', '/api/sale/create', given), 1)
  const url = `/api/sale/${sale.id}`
  const corrected = lines.map(({ id }) => ({ id, sales_price: 29_000 }))
  await fine('sale, corrected', () => write('POST', `${url}/correct`, { items: corrected, customer: true }), 1)
  await write('POST', `${url}/edit`, { status: 'Awaiting Dispatch' })
  await fine('sale, dispatched', () => write('POST', `${url}/edit`, { status: 'Dispatched' }), 1)
  const allowed = lines.map(({ id }) => ({ id, price: 1000 }))
  await fine('allowance', () => write('POST', `${url}/allow`, { items: allowed }), 1)
  const imeis = await shop.rows<{ imei: string }>('select imei from stock where sale_id = $1', [sale.id])
  await fine('return, looked up', () => write('POST', '/api/return/look-up', { lines: imeis.map(({ imei }) => imei) }))
  const items = lines.map(({ id }) => ({ id, sale_id: sale.id, reason: 'faulty', condition: 'damaged', price: 100 }))
  const announced = { customer_id: shop.customer, note: NOTE, items }
  const { id } = await fine('return', () => write('POST', '/api/return/create', announced), 1)
  await fine('return, edited', () => write('POST', `/api/return/${id}/edit`, { items }), 1)
  await fine('return, read', () => admin.send('GET', `/api/return/find?id=${id}`))
  await fine('return, received', () => write('POST', `/api/return/${id}/receive`, { items }), 1)
}

testInTurn('B10: nor for the largest requests that are answered', async () => {
  worst = { ms: 0, what: 'nothing' }
  const items = await shop.items(5000)
  const imeis = (await shop.rows<{ imei: string }>('select imei from stock where id = any($1)', [items])).map(
    ({ imei }) => imei,
  )
  const fine = async (what: string, ask: () => Promise<HttpAnswer>, times = AT_ONCE) => {
    const answers = await nobodyWaits(what, ask, times)
    expect([what, answers[0]!.status, answers[0]!.body?.data?.errors]).toEqual([
      what,
      expect.toBeOneOf([200, 201, 202]),
      undefined,
    ])
    return answers[0]!.body?.data
  }
  await fine('export', () => admin.send('GET', '/api/stock/export/csv'))
  await shop.rows(`update stock set engineer_notes = repeat('ü', 10000)`)
  await fine('basket', () => write('PUT', `/api/user/${adminId}/basket`, { items }))
  await fine('basket, read', () => admin.send('GET', `/api/user/${adminId}/basket`))
  await fine('start', () => admin.send('GET', '/api/auth'))
  await fine('quick order', () => write('POST', '/api/stock/quick-order-find', { lines: imeis }))
  await fine('nothing found', () =>
    write('POST', '/api/stock/quick-order-find', { lines: imeis.map((imei) => `x${imei}`) }),
  )
  await fine('1,000 ids', () => admin.send('GET', `/api/stock/find?per_page=250&ids=${items.slice(0, 1000)}`))
  const batch = await fine('batch', () => write('POST', '/api/batch/create', { name: 'All', items: items.join() }), 1)
  await fine('batch, read', () => admin.send('GET', `/api/batch/find?id=${batch.id}`))
  await fine('batch, saved', () => write('POST', `/api/batch/${batch.id}/edit`, { name: 'Most' }))
  const next = await fine('next batch', () => write('POST', '/api/batch/create', { name: 'Next' }), 1)
  const move = { batch_id: next.id, id: batch.id, items }
  await fine('move', () => write('POST', '/api/batch/add-items', move), 1)
  const some = items.slice(0, turns(1000, items.length))
  await fine(
    'labels',
    () => write('POST', '/api/stock/labels', { items: some, paper: 'a4-3x8', code: 'code128', fields: LABEL_FIELDS }),
    1,
  )
  await claimsOf(some, fine)
  const lines = items.map((id) => ({ id, sales_price: 30_000 }))
  const options = { customer_id: shop.customer, create_invoice: false, send_email: false }
  // The same as a form, with all fields of a screen of 5,000 lines.
  const form = new URLSearchParams(
    Object.entries({ ...options, stock_items: JSON.stringify(lines) }).map(([name, value]) => [name, String(value)]),
  )
  for (const n of range(20_000)) form.append('sale_price[]', String(n))
  const sold = () =>
    admin.send(
      'POST',
      '/api/sale/create',
      { 'content-type': 'application/x-www-form-urlencoded' },
      ofBuffer(form.toString()),
    )
  const sale = await fine('sale', sold, 1)
  expect(sale.items).toHaveLength(5000)
  await fine('sale, read', () => admin.send('GET', `/api/sale/find?id=${sale.id}`))
  await fine('sale, voided', () => write('POST', `/api/sale/${sale.id}/edit`, { status: 'Voided' }), 1)
  await returnsOf(lines.slice(0, some.length), fine)
  const notes = 'x'.repeat(900)
  const pushed = range(10_000).map((n) => ({
    serial_number: `S${n}`,
    make: 'Apple',
    model: 'iPhone 13',
    category: 'Phone',
    purchase_price: 100,
    engineer_notes: notes,
    grading_display: 'A',
    box: true,
  }))
  await fine(
    'push',
    () =>
      unlessCutOff(
        admin.send(
          'POST',
          '/api/partner/v1/stock',
          { ...partner, 'content-type': 'application/json' },
          ofBuffer(JSON.stringify({ items: pushed })),
        ),
      ),
    full ? AT_ONCE : 1,
  )
  reached(
    'B10',
    `the largest baskets, batches, sales, corrections, returns, claims, labels, quick orders, pushes and exports: /healthz within ${Math.round(worst.ms)} ms (${worst.what})`,
    'within 250 ms all the while',
  )
})

/** Previews a bulk edit, makes it and undoes it. */
async function bulkEdited(what: string, given: object): Promise<void> {
  const previewed = await nobodyWaits(`${what}, previewed`, () => write('POST', '/api/stock/bulk/preview', given), 1)
  const { token, will_change, errors } = previewed[0]!.body.data
  expect([what, errors, will_change]).toEqual([what, undefined, expect.toSatisfy((n: number) => n >= 5000)])
  const edited = await nobodyWaits(what, () => write('POST', '/api/stock/bulk', { ...given, token }), 1)
  const { bulk_id } = edited[0]!.body.data
  const undone = await nobodyWaits(`${what}, undone`, () => write('POST', `/api/stock/bulk/${bulk_id}/undo`, {}), 1)
  expect([what, undone[0]!.body.data.restored]).toEqual([what, will_change])
}

test.runIf(full)('B10: nor for the largest deliveries, bulk edits and offers', async () => {
  worst = { ms: 0, what: 'nothing' }
  const items = await shop.items(10_000)
  const imeis = await shop.rows<{ imei: string }>('select imei from stock where id = any($1) order by id', [items])
  const codes = imeis.map(({ imei }) => imei)
  const notes = `update stock set engineer_notes = repeat('ü', 200), location = repeat('ü', 255) where id = any($1)`
  await shop.rows(notes, [items])
  await bulkEdited('bulk edit', { items, changes: { note: LONG, network_locked: true, location: 'Shelf' } })
  const prices = items.map((id, n) => ({ items: [id], set: 10_000 + n }))
  await bulkEdited('bulk edit by group', { items, changes: { sales_prices: prices } })
  const pasted = codes.slice(0, 5000).map((code, n) => `${code}\t${400 + n},00`)
  await bulkEdited('bulk edit by pasted prices', { items, changes: { sales_price: { pasted } } })

  // A check takes at most 10,000 items, and another test has pushed as many.
  await shop.rows(`update stock set status = 'In Stock' where status = 'Inbound'`)
  await shop.rows(`update stock set status = 'Inbound' where id = any($1)`, [items.slice(0, 5000)])
  const [made] = await nobodyWaits('check', () => write('POST', '/api/stock/check', { filter: {}, name: LONG }), 1)
  const url = `/api/stock/check/${made!.body.data.id}`
  await nobodyWaits('scan', () => write('POST', `${url}/scan`, { codes: codes.slice(0, 5000) }))
  await nobodyWaits('scan of others', () => write('POST', `${url}/scan`, { codes: codes.slice(5000) }))
  await nobodyWaits('check as CSV', () => admin.send('GET', `${url}/csv`))
  const [received] = await nobodyWaits('check, received', () => write('POST', `${url}/receive`, {}), 1)
  expect(received!.body.data).toMatchObject({ received: 5000 })
  await nobodyWaits('scanned codes', () => write('POST', '/api/stock/scan-find', { codes: codes.slice(0, 5000) }))

  await shop.rows(
    `insert into product (make_id, category_id, colour_id, model, display_name)
     select make_id, category_id, null, 'M' || n, repeat('ü', 200) || n from product, generate_series(1, 5000) n
     where product.id = $1`,
    [shop.product],
  )
  const shown = `select p.id from product p where p.model like 'M%' order by p.id offset s.id % 4990 limit 1`
  await shop.rows(`update stock s set actual_product_id = (${shown}) where id = any($1)`, [items])
  for (const file of ['', '/xlsx']) await nobodyWaits(`offer${file}`, () => admin.send('GET', `/api/offer${file}`))
  reached(
    'B10',
    `the largest deliveries, bulk edits and offers: /healthz within ${Math.round(worst.ms)} ms (${worst.what})`,
    'within 250 ms all the while',
  )
})

testInTurn('B10: a signal to stop is heard beside them', async () => {
  const tries = shuffled(bodyTries()).slice(0, 40)
  const asked = Promise.all(tries.map(({ ask }) => ask()))
  const began = performance.now()
  await server.stop()
  const took = performance.now() - began
  expect(took).toBeLessThan(allowed(GONE_MS))
  await asked
  reached(
    'B10',
    `stopped beside ${tries.length} such requests within ${Math.round(performance.now() - began)} ms`,
    'SIGTERM heard',
  )
})
