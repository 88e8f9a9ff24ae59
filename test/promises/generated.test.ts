import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import type { Answer, Client } from '../../packages/server/src/testing/app.ts'
import { SEED } from '../../packages/server/src/testing/chance.ts'
import { applyImport, applyUndo, importCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { makePartner, type PartnerClient } from '../../packages/server/src/testing/partner.ts'
import { planPreview } from '../../packages/server/src/testing/preview-upload.ts'
import { batchOf, newImei, runSaleJobs } from '../../packages/server/src/testing/shop.ts'
import { bigPng, onePagePdf } from './fake-files.ts'
import { full, reached, turns } from './figures.ts'
import { anything, broken, type Schema, text, valid } from './from-schema.ts'
import { GREEDY } from './greedy-bodies.ts'
import { otherAreas } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop, shuffled } from './shop.ts'

// Promise B1 of docs/promises.md: valid and invalid requests to every described route. SEED=… repeats a run.
const LIMIT_MS = full ? 5000 : 10_000 // other tests run at the same time on the daily run
const isSlow = (ms: number) => ms > LIMIT_MS && ms > allowed(LIMIT_MS)

type Parameter = { name: string; in: 'query' | 'path' | 'header'; required?: boolean; schema: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Described = { method: string; path: string } & Operation
type Generated = { url: string; headers: Record<string, string>; payload?: string | Buffer; right: boolean }

type Body = Pick<Generated, 'headers' | 'payload'>

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

const CLAIM: Record<string, Schema> = {
  supplier_id: { type: 'integer', minimum: 1, maximum: 8 },
  reference: { type: 'string', maxLength: 255 },
}
const OF_CLAIMS: Record<string, Schema> = {
  '/api/supplier-claim/create': { properties: CLAIM, required: ['supplier_id'] },
  '/api/supplier-claim/{id}/edit': { properties: { reference: CLAIM['reference']! } },
  '/api/supplier-claim/{id}/settle': {
    properties: { settled_on: { enum: ['2026-11-23'] }, credit_received: { type: 'integer', minimum: 0, maximum: 9 } },
    required: ['settled_on', 'credit_received'],
  },
}

/** A narrower schema for routes whose present state refuses most bodies that the description allows. */
function likely(template: string, schema: Schema): Schema {
  const { status, ...others } = schema.properties ?? {}
  if (/^\/api\/stock\/(create|\{id\}\/edit)$/.test(template)) return { ...schema, properties: others }
  if (template === '/api/sale/create') {
    const customer_id: Schema = { type: 'integer', minimum: 1, maximum: 3 }
    const salesPrice: Schema = { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 0, maximum: 1000 }] }
    const required = [...(schema.required ?? []), 'customer_id']
    return { ...schema, properties: { ...others, customer_id, salesPrice }, required }
  }
  if (template in OF_CLAIMS) {
    const { properties, required = [] } = OF_CLAIMS[template]!
    return { ...schema, properties: { ...properties }, required }
  }
  if (template !== '/api/batch/add-items') return schema
  const { batch_id = {} } = others
  const free: Schema = { type: 'integer', minimum: 41, maximum: 190 }
  return { ...schema, properties: { batch_id, items: { type: 'array', minItems: 1, items: free } } }
}

const anyId = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 8 }).map(String) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 200 }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom('0', '-1', '2147483647', '2147483648', '9'.repeat(30), '1e3', '0x1', '1.5') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%00', '%ff', '%', '%2e%2e', '%2F', '1%2F2', '..;', '1%0a', 'a'.repeat(300)),
  },
  { weight: 1, arbitrary: text.map((one) => encodeURIComponent(one.toWellFormed())) },
)

const encoded = fc.oneof(
  { weight: 5, arbitrary: text.map((one) => encodeURIComponent(one.toWellFormed()).slice(0, 8000)) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%ff', '%c0%80', '%ud800', '1&1', 'a[b]=1', '+', '%00', '1,,2', ',') },
  {
    weight: 2,
    arbitrary: anything.map((one) => encodeURIComponent((JSON.stringify(one) ?? '').toWellFormed()).slice(0, 8000)),
  },
)

const ofQuery = (parameters: Parameter[]) => parameters.filter((one) => one.in === 'query')

function rightQuery(parameters: Parameter[]): fc.Arbitrary<string> {
  const named = ofQuery(parameters).map(({ name, schema }) => [name, valid(schema, name)] as const)
  const requiredKeys = ofQuery(parameters).flatMap(({ name, required }) => (required ? [name] : []))
  return fc.record(Object.fromEntries(named), { requiredKeys }).map((all) =>
    Object.entries(all)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
      .join('&'),
  )
}

function query(parameters: Parameter[]): fc.Arbitrary<string> {
  const names = fc.oneof(fc.constantFrom('page', '__proto__', ...ofQuery(parameters).map(({ name }) => name)), encoded)
  const wrong = fc.array(
    fc.tuple(names, encoded).map(([name, value]) => `${name}=${value}`),
    { maxLength: 3 },
  )
  return fc.tuple(rightQuery(parameters), wrong).map(([right, more]) => [right, ...more].filter(Boolean).join('&'))
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

const asJson = (value: unknown) => ({ headers: JSON_TYPE, payload: JSON.stringify(value) ?? '' })
function asForm(value: unknown) {
  const form = new URLSearchParams()
  if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const each of Array.isArray(one) && one.every((item) => typeof item !== 'object') ? one : [one])
        form.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
  return { headers: FORM_TYPE, payload: form.toString() }
}

function bodies(schema: Schema): fc.Arbitrary<Body> {
  const cut = fc.tuple(broken(schema), fc.nat(200)).map(([value, n]) => {
    const { payload } = asJson(value)
    return { headers: JSON_TYPE, payload: payload.slice(0, Math.max(1, payload.length - 1 - n)) }
  })
  return fc.oneof(
    { weight: 8, arbitrary: valid(schema).map(asJson) },
    { weight: 8, arbitrary: broken(schema).map(asJson) },
    { weight: 2, arbitrary: valid(schema).map(asForm) },
    { weight: 2, arbitrary: broken(schema).map(asForm) },
    { weight: 1, arbitrary: anything.map(asJson) },
    { weight: 1, arbitrary: cut },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ maxLength: 200 })
        .map((bytes) => ({ headers: JSON_TYPE, payload: Buffer.from(bytes) })),
    },
  )
}

const contents = fc.oneof(
  fc.constantFrom(
    'imei,make,model,category,purchase_price\n350002000000007,Apple,iPhone,Phone,100\n',
    'imei,make,model,category,purchase_price\n"350002000000007,Apple',
    '%PDF-1.7\n',
    '\x89PNG\r\n\x1a\n',
    'GIF89a',
  ),
  text,
  text.map(
    (cell) => `serial_number,make,model,category,purchase_price,${cell}\n${cell},Apple,${cell},Phone,1,${cell}\n`,
  ),
)

/** A form with a file. Its parts are often wrong. */
const forms: fc.Arbitrary<Body> = fc
  .record({
    field: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('csv', 'avatar', 'logo', 'invoice', 'shipping_label') },
      { weight: 1, arbitrary: text },
    ),
    file: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('a.csv', 'a.pdf', 'a.png') },
      { weight: 1, arbitrary: text },
    ),
    type: fc.constantFrom('text/csv', 'application/pdf', 'image/png', '', 'a/b; c'),
    content: contents,
    more: fc.array(fc.tuple(fc.oneof(fc.constantFrom('delimeter', 'update_existing', '__proto__'), text), text), {
      maxLength: 3,
    }),
    end: fc.constantFrom('\r\n--b--\r\n', '\r\n--b--\r\n', '\r\n--b--\r\n', '\r\n--b', ''),
  })
  .map(({ field, file, type, content, more, end }) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload:
      more
        .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join('') +
      `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\n${content}${end}`,
  }))

const keys = fc.oneof(fc.constantFrom('', ' ', 'same', 'same', '"', 'a'.repeat(256), 'é'), fc.nat(1e9).map(String))

const known = fc.integer({ min: 1, max: 8 }).map(String)
/** Ids of records that may be deleted: other requests use the lower ones first. */
const later = fc.integer({ min: 9, max: 60 }).map(String)
/** Stands in a path for the id of the logged-in person, because some records are personal. */
const ME = 'ME'

function goodForm(template: string): fc.Arbitrary<Body> {
  const form = (field: string, name: string, type: string, content: Buffer | string) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n--b--\r\n'),
    ]),
  })
  if (template.endsWith('/pdf'))
    return fc
      .constantFrom('invoice', 'shipping_label')
      .map((field) => form(field, 'a.pdf', 'application/pdf', onePagePdf()))
  if (template.endsWith('/csv'))
    return fc
      .array(
        text.map((cell) => `"${cell.toWellFormed().replace(/[\0"]/g, '')}"`),
        { minLength: 1, maxLength: 20 },
      )
      .map((cells) =>
        form(
          'csv',
          'a.csv',
          'text/csv',
          `serial_number,make,model,category,purchase_price,engineer_notes\n${cells.map((cell, n) => `${cell}${n},Apple,${cell},Phone,${n},${cell}\n`).join('')}`,
        ),
      )
  return fc.constant(form(template.split('/').at(-1)!, 'a.png', 'image/png', bigPng(40, 40)))
}

/** Requests to one route: some valid, most with an error in path, query, headers or body. */
function requestTo({ path: template, method, parameters = [], requestBody }: Described): fc.Arbitrary<Generated> {
  const schema = requestBody?.content['application/json']?.schema
  const isUpload = /\/(csv|avatar|logo|pdf)$/.test(template)
  const none = fc.constant<Body>({ headers: {} })
  const wrong =
    method === 'get' ? none : isUpload ? forms : schema ? bodies(schema) : fc.oneof(none, bodies({ type: 'object' }))
  const right = isUpload ? goodForm(template) : schema ? valid(likely(template, schema)).map(asJson) : none
  const address = (of: fc.Arbitrary<string>) =>
    fc.tuple(of, of).map((both) => {
      const left = [...both]
      return template.replaceAll(/\{\w+\}/g, () => left.shift()!)
    })
  const own = /^\/api\/user\/\{id\}\/(basket|avatar)$/.test(template)
  const fine = fc.record({
    address: address(own ? fc.constant(ME) : method === 'delete' ? later : known),
    body: right,
    query: rightQuery(parameters),
    key: fc.constant(null),
    right: fc.constant(true),
  })
  const odd = fc.record({
    address: address(anyId),
    body: wrong,
    query: query(parameters),
    key: fc.oneof(fc.constant(null), keys),
    right: fc.constant(false),
  })
  return fc
    .oneof({ weight: 2, arbitrary: fine }, { weight: 3, arbitrary: odd })
    .map(({ address, body, query, key, right }) => ({
      ...body,
      url: query ? `${address}?${query}` : address,
      headers: { ...body.headers, ...(key !== null && { 'idempotency-key': key }) },
      right,
    }))
}

/**
 * The callers: an administrator and a partner. They are made again if a request has logged them out or revoked their
 * key.
 */
async function callers() {
  let admin: Client = await t.user('ROLE_ADMIN')
  const keeper = admin
  let partner: PartnerClient = await makePartner(t.app, keeper, t.shop.customer)
  const byPartner = async (options: InjectOptions): Promise<Answer> => {
    const response = await t.app.inject({
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${partner.key}` },
    })
    return { status: response.statusCode, body: response.body, headers: response.headers, raw: response.rawPayload }
  }
  return async (options: InjectOptions): Promise<Answer> => {
    const ofPartner = String(options.url).startsWith('/api/partner/v1/')
    const url = () => String(options.url).replace(`/${ME}/`, `/${admin.id}/`)
    const call = () => (ofPartner ? byPartner(options) : admin.send({ ...options, url: url() }))
    const answer = await call()
    const isLogin = String(options.url).startsWith('/api/login')
    if ((answer.status !== 401 && answer.status !== 429) || isLogin) return answer
    admin = await t.user('ROLE_ADMIN')
    if (ofPartner) partner = await makePartner(t.app, admin, null)
    return call()
  }
}

/**
 * The fields besides the name that records of each area need. Records of stock, batch, claim and sale are made from
 * these.
 */
const RECORDS: [string, (n: number) => object][] = [
  ['make', () => ({})],
  ['colour', () => ({})],
  ['category', () => ({})],
  ['vat', (n) => ({ rate: n })],
  ['supplier', (n) => ({ company_name: `Supplier ${n}` })],
  ['customer', (n) => ({ first_name: 'A', last_name: 'B', email: `a${n}@example.test` })],
  ['product', (n) => ({ make_id: 1, category_id: 1, model: `Phone ${n}` })],
  ['partner', () => ({ customer_id: 1 })],
]

/** Creates eight records of every kind, so that low ids mostly exist. */
async function furnish(): Promise<void> {
  const admin = await t.user('ROLE_ADMIN')
  const others = otherAreas(t.app, [
    ...RECORDS.map(([area]) => area),
    'user',
    'stock',
    'batch',
    'sale',
    'supplier-claim',
  ])
  for (let n = 1; n <= 8; n++) {
    for (const [area, fields] of RECORDS)
      expect((await admin.post(`/api/${area}/create`, { name: `${area} ${n}`, ...fields(n) })).status).toBe(201)
    // Areas that are not in RECORDS: those that need only a name get their records, too.
    for (const area of others) await admin.post(`/api/${area}/create`, { name: `${area} ${n}` })
    await t.user()
    await batchOf(t.db, t.shop, admin.id, 3, n % 4 === 0)
    const items = await t.items(2, { supplier_id: n })
    await admin.post('/api/supplier-claim/create', { supplier_id: n, items, reason: 'Faulty' })
    if (n > 4) await admin.post(`/api/supplier-claim/${n}/send`)
    await sold(n)
    await delivered(admin, n)
  }
  await t.items(150)
  await makeFiles()
}

/** Imports Inbound items. Every second import gets a delivery check, and some of the checks are closed. */
async function delivered(admin: Client, n: number): Promise<void> {
  const lines = [newImei(), newImei()].map((imei) => `${imei},Apple,Phone ${n},Phone,100,Inbound`)
  const { id } = await importCsv(t, admin, {
    csv: ['imei,make,model,category,purchase_price,status', ...lines].join('\n'),
  })
  if (n % 2 === 0) return
  const check = (await admin.post('/api/stock/check', { import_id: id })).body.data.id
  if (n > 5) await admin.post(`/api/stock/check/${check}/close`)
}

/** Makes a sale with an invoice. The last sales are dispatched, and some of their items are announced for a return. */
async function sold(n: number): Promise<void> {
  const items = await t.items(2)
  const { body } = await t.sell(t.staff, items, { create_invoice: true, send_email: n % 2 === 0 })
  if (n < 4) return
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await t.staff.post(`/api/sale/${body.data.id}/edit`, { status })
  await t.staff.post('/api/return/create', { customer_id: t.shop.customer, items: [{ id: items[0] }] })
}

/** Runs the jobs that make invoices, sheets and mails. */
async function makeFiles(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-promises-'))
  await runSaleJobs(t, folder)
  rmSync(folder, { recursive: true })
}

async function described(): Promise<Described[]> {
  const admin = await t.user('ROLE_ADMIN')
  const found: Described[] = []
  for (const [url, prefix] of [
    ['/api/openapi.json', ''],
    ['/api/partner/v1/openapi.json', ''],
  ] as const) {
    const { paths } = (await admin.get(url)).body as { paths: Record<string, Record<string, Operation>> }
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations))
        found.push({ ...operation, method, path: prefix + path })
  }
  return found
}

/**
 * Texts that only the inside of the server knows: stack traces, SQL, names of its parts. The message of a field called
 * `select` may say 'must be'.
 */
const INSIDE =
  /\bat (async )?[\w.<> ]*\(?(file:|node:|\/)\S+:\d+|node_modules|packages\/server|\.ts:\d|\bselect (?!must ).+ from |\binsert into |\bupdate \S+ set |syntax error at|violates |duplicate key|relation "|column "|invalid input (syntax|value)|out of range for type|SQLSTATE|kysely|graphile|zod/i

/**
 * The factor by which the number of requests to a route may grow if the route refused all of them. Whether a request
 * fits the shop's records is chance, so it is much more than most seeds need.
 */
const MOST = 12

test('B1: requests made from the description, right and wrong, are answered and never break anything', async () => {
  await furnish()
  const send = await callers()
  const operations = await described()
  expect(operations.length).toBeGreaterThan(90)
  const each = full ? Math.ceil(10_000 / operations.length) : 5
  const requests = operations.map((operation, n) => {
    const drawn: ReturnType<typeof drawFor> = []
    const drawFor = (round: number) => fc.sample(requestTo(operation), { seed: SEED + n + 1000 * round, numRuns: each })
    return (round: number) => {
      if (round === drawn.length) drawn.push(...drawFor(round))
      return drawn[round]!
    }
  })

  let [sent, slowest] = [0, 0]
  const done = new Set<string>()
  const faults: unknown[] = []
  const isUntried = ({ method, path }: Described) => !done.has(`${method} ${path}`)
  // A route that has refused all requests has not been tested. If there are too many of these, all routes get more
  // requests.
  const enough = operations.length * (full ? 0.1 : 0.4)
  const isOver = (round: number) => round >= each && operations.filter(isUntried).length < enough
  for (let round = 0; round < MOST * each && !isOver(round); round++)
    for (const [n, operation] of operations.entries()) {
      if (round >= each && !isUntried(operation)) continue
      const { method, path } = operation
      const { right, ...request } = requests[n]!(round)
      const start = performance.now()
      const { status, raw } = await send({ method: method.toUpperCase() as 'GET', ...request })
      const ms = performance.now() - start
      sent++
      slowest = Math.max(slowest, ms)
      if (right && status < 300) done.add(`${method} ${path}`)
      const told = status >= 400 ? INSIDE.exec(raw.toString())?.[0] : undefined
      if (status >= 500 || isSlow(ms) || told)
        faults.push({ status, ms, told, method, ...shortened(request), answer: raw.toString().slice(0, 400) })
    }
  expect(faults, `repeat with SEED=${SEED}`).toEqual([])
  const untried = operations.filter(isUntried).map(({ method, path }) => `${method} ${path}`)
  expect(untried.length, untried.join(', ')).toBeLessThan(enough)
  await finishJobs()
  reached(
    'B1',
    `${sent} requests to ${operations.length} routes: none 5xx, ${Math.round(slowest)} ms at most`,
    '10,000: no 5xx, none over 5 s, no stack or SQL',
  )
})

test('B1: so are bodies that cost much to read, whoever sends them', async () => {
  const send = await callers()
  const nobody = (options: InjectOptions) => {
    const headers = { ...options.headers, cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a' }
    return t.app
      .inject({ ...options, headers })
      .then(({ statusCode, rawPayload }) => ({ status: statusCode, raw: rawPayload }))
  }
  const writes = (await described()).filter(({ method }) => method !== 'get')
  const all = [...writes, { method: 'post', path: '/api/none' }].flatMap(({ method, path }) =>
    Object.entries(GREEDY).flatMap(([name, { type, body }]) =>
      Object.entries({ nobody, somebody: send }).map(([who, call]) => ({
        what: `${who}: ${method} ${path}, ${name}`,
        call,
        method,
        path,
        type,
        body,
      })),
    ),
  )
  let slowest = 0
  const tried = shuffled(all).slice(0, turns(60, all.length))
  for (const { what, call, method, path, type, body } of tried) {
    const payload = body(full ? 2_000_000 : 250_000)
    const url = path.replaceAll(/\{\w+\}/g, '999999')
    const start = performance.now()
    const { status, raw } = await call({
      method: method.toUpperCase() as 'POST',
      url,
      payload,
      headers: { 'content-type': type },
    })
    const ms = performance.now() - start
    slowest = Math.max(slowest, ms)
    const told = status >= 400 ? INSIDE.exec(raw.toString())?.[0] : undefined
    expect([what, status < 500, told, isSlow(ms) && ms]).toEqual([what, true, undefined, false])
  }
  reached(
    'B1',
    `${tried.length} bodies that cost much, of nobody and of somebody: none 5xx, ${Math.round(slowest)} ms at most`,
    'no 5xx, none over 5 s',
  )
})

const shortened = ({ url, headers, payload }: Omit<Generated, 'right'>) => ({
  url: url.slice(0, 200),
  headers,
  bytes: payload?.length,
  payload: payload?.toString().slice(0, 600),
})

/** Runs the jobs, because data that was accepted must work later, too. */
async function finishJobs(): Promise<void> {
  const isOpen = `state in ('waiting', 'running', 'previewing') or undo in ('waiting', 'undoing')`
  type Open = { id: number; state: string; undo: string | null }
  const open = () => t.rows<Open>(`select id, state, undo from import where ${isOpen} order by id`)
  // Some imports wait for others, so several rounds may be needed. The oldest request comes first.
  for (let left = await open(), before = 0; left.length > 0 && left.length !== before; left = await open()) {
    before = left.length
    for (const { id, state, undo } of left)
      if (state === 'previewing') await planPreview(t, id)
      else await (undo === null ? applyImport(t, id) : applyUndo(t, id))
  }
  const failed = `error is not null or undo = 'failed' or ${isOpen}`
  expect(await t.rows(`select id, state, undo, error from import where ${failed}`)).toEqual([])
  if (!full) return
  await makeFiles()
  expect(await t.rows(`select id, error from document where status not in ('ready', 'none')`)).toEqual([])
}
