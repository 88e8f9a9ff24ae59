import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The server below speaks the protocol of VIES as the Commission describes it: `POST /check-vat-number`, and refusals
// as `errorWrappers` with any status. It gives a reference only to those who send a number of their own.

let t: Awaited<ReturnType<typeof testApp>>
let staff: Client
let admin: Client
let shop: Shop
type Question = Record<'countryCode' | 'vatNumber' | 'requesterMemberStateCode' | 'requesterNumber', string>
/** The questions that the server below was asked, and how it answers the next one. */
const asked: Question[] = []
let answer: (question: Question, response: ServerResponse) => void

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const valid = (question: Question, response: ServerResponse, more: object = {}) =>
  json(response, 200, {
    ...{ countryCode: question.countryCode, vatNumber: question.vatNumber, valid: true },
    ...{ requestDate: new Date().toISOString(), name: 'Käufer GmbH', address: 'Weg 1\n10115 Berlin' },
    requestIdentifier: question.requesterNumber ? 'WAPIAAAAXh1' : '',
    ...more,
  })
const refused = (status: number, error: string) => (_: Question, response: ServerResponse) =>
  json(response, status, { actionSucceed: false, errorWrappers: [{ error, message: '' }] })

const vies = createServer((request: IncomingMessage, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    if (request.method !== 'POST' || request.url !== '/rest-api/check-vat-number') {
      response.writeHead(404).end()
      return
    }
    const question: Question = JSON.parse(body)
    asked.push(question)
    answer(question, response)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vies.listen(0, '127.0.0.1', resolve))
  t = await testApp({ vies: true, viesUrl: `http://127.0.0.1:${(vies.address() as AddressInfo).port}/rest-api` })
  staff = await t.user()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  await admin.post('/api/company/edit', { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01' })
})
afterAll(async () => {
  vies.closeAllConnections()
  vies.close()
  await t.close()
})

const NUMBER = 'DE136695976'
const customer = async (vat_number: string | null = NUMBER): Promise<number> => {
  const address = { address_1: 'Weg 1', city: 'Berlin', postal_code: '10115', country_code: 'DE' }
  const person = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
  const { body } = await staff.post('/api/customer/create', { ...person, vat_number, billing_address: address })
  return body.data.id
}
const ask = (id: number) => staff.post(`/api/customer/${id}/vat-check/ask`)
const type = (id: number, input: object) =>
  staff.post(`/api/customer/${id}/vat-check`, { vat_number: NUMBER, is_valid: true, ...input })
const checks = async (id: number) => (await staff.get(`/api/customer/${id}/vat-checks`)).body.data
const sell = async (customer_id: number, options: object = {}) => {
  const items = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
  const input = { customer_id, send_email: false, stock_items: items.map((id) => ({ id })), ...options }
  const { status, body } = await staff.post('/api/sale/create', input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const sale = async (id: number) => (await staff.get(`/api/sale/find?id=${id}`)).body.data[0]
/** A day before today by the company's clock, as yyyy-mm-dd. */
const daysAgo = async (days: number): Promise<string> =>
  (await t.db.pool.query('select ((now() at time zone time_zone)::date - $1::int)::text as day from company', [days]))
    .rows[0].day

test('the server asks with both numbers, keeps what VIES says, and a sale is made with it', async () => {
  answer = valid
  const id = await customer()
  const doubtful = await sell(id)
  expect(doubtful.message).toContain('DE136695976 has not been checked with VIES')
  expect(doubtful.data).toMatchObject({
    vat_check: null,
    vat_check_doubt: expect.stringContaining('had not been checked'),
  })

  const { status, body } = await ask(id)
  expect([status, body.type]).toEqual([200, 'success'])
  expect(asked.at(-1)).toEqual({
    ...{ countryCode: 'DE', vatNumber: '136695976' },
    ...{ requesterMemberStateCode: 'NL', requesterNumber: '810433941B01' },
  })
  const today = await daysAgo(0)
  const newest = {
    ...{ vat_number: NUMBER, checked_on: today, is_valid: true, reference: 'WAPIAAAAXh1', source: 'asked' },
    ...{ name: 'Käufer GmbH', address: 'Weg 1\n10115 Berlin', created_by_name: 'Person 1' },
  }
  expect(await checks(id)).toMatchObject({ may_ask: true, days: 90, newest, history: [newest] })

  const made = await sell(id)
  expect(made.message).not.toContain('checked with VIES')
  expect(made.data).toMatchObject({ vat_check: newest, later_vat_check: null, vat_check_doubt: null })
  // The earlier sale stays without a check, and names the later one.
  expect(await sale(doubtful.data.id)).toMatchObject({ vat_check: null, later_vat_check: newest })
  // Its invoice is made again before it is final, so the sale takes the newest check.
  await staff.post(`/api/sale/${doubtful.data.id}/invoice/generate`, {})
  expect(await sale(doubtful.data.id)).toMatchObject({ vat_check: newest, vat_check_doubt: null })
})

test('a check belongs to its number, and a sale keeps its own', async () => {
  const id = await customer()
  const day = await daysAgo(3)
  // If two answers are of one day, the one that was entered later counts.
  expect((await type(id, { checked_on: day, is_valid: false })).status).toBe(200)
  expect((await type(id, { checked_on: day, reference: ' W1 ' })).status).toBe(200)
  expect((await checks(id)).newest).toMatchObject({ is_valid: true, reference: 'W1' })
  const made = await sell(id)
  expect(made.data.vat_check).toMatchObject({ checked_on: day, reference: 'W1', source: 'typed', name: null })
  expect((await type(id, { checked_on: await daysAgo(0), is_valid: false })).body).toMatchObject({
    type: 'warning',
    message: expect.stringContaining('Not valid'),
  })
  // An older answer that somebody enters later is not the newest.
  await type(id, { checked_on: await daysAgo(10), reference: 'W0' })
  expect((await checks(id)).newest).toMatchObject({ is_valid: false })
  expect(await sale(made.data.id)).toMatchObject({
    ...{ vat_check: { reference: 'W1' }, vat_check_doubt: null, later_vat_check: { is_valid: false } },
  })
  expect((await sell(id)).message).toMatch(/was not valid when VIES was asked/)

  await staff.post(`/api/customer/${id}/edit`, { vat_number: 'DE 811 907 980' })
  expect(await checks(id)).toMatchObject({
    newest: null,
    history: [{ is_valid: false }, { reference: 'W1' }, { checked_on: day, is_valid: false }, { reference: 'W0' }],
  })
  expect((await sell(id)).message).toContain('DE811907980 has not been checked')
  const other = await type(id, { checked_on: day })
  expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('is DE811907980 now')])
  expect(await sale(made.data.id)).toMatchObject({ vat_check: { vat_number: NUMBER, reference: 'W1' } })
  // A correction takes the new number over, and drops the check of the old one.
  await staff.post(`/api/sale/${made.data.id}/correct`, { customer: true, items: [], send_email: false })
  expect(await sale(made.data.id)).toMatchObject({ customer: { vat_number: 'DE811907980' }, vat_check: null })
})

test('a check becomes too old after the days that the company says', async () => {
  const id = await customer()
  await type(id, { checked_on: await daysAgo(90) })
  expect((await sell(id)).message).not.toContain('last checked')
  expect((await admin.post('/api/company/edit', { vat_check_days: 89 })).status).toBe(200)
  const { message, data } = await sell(id)
  expect(message).toContain('more than 89 days ago')
  expect(data.vat_check_doubt).toContain('more than 89 days before the sale')
  expect((await admin.post('/api/company/edit', { vat_check_days: 0 })).status).toBe(422)
  await admin.post('/api/company/edit', { vat_check_days: 90 })
})

test('a day to come, another number and a number that VIES does not know are refused', async () => {
  const id = await customer()
  const tomorrow = await type(id, { checked_on: await daysAgo(-1) })
  expect([tomorrow.status, tomorrow.body.data.errors]).toEqual([422, { checked_on: 'Must not be in the future.' }])
  expect((await type(id, { checked_on: '' })).status).toBe(422)
  for (const [number, message] of [
    ['CHE123456788', 'VIES does not check CHE-123.456.788'],
    [null, 'has no VAT number'],
  ] as const) {
    const { status, body } = await ask(await customer(number))
    expect([status, body.message]).toEqual([409, expect.stringContaining(message)])
  }
  expect((await ask(999_999)).status).toBe(404)
  expect((await staff.get('/api/customer/999999/vat-checks')).status).toBe(404)
  expect((await checks(id)).history).toEqual([])
})

test('trouble with VIES is told, and nothing is kept', async () => {
  const id = await customer()
  const elsewhere = (_: Question, response: ServerResponse) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
  const cases: [name: string, how: typeof answer, told: string, status?: number][] = [
    ['a state is away', refused(200, 'MS_UNAVAILABLE'), 'cannot reach the tax office of that state'],
    ['the same as an error', refused(500, 'MS_UNAVAILABLE'), 'cannot reach the tax office of that state'],
    ...['MS_MAX_CONCURRENT_REQ', 'MS_MAX_CONCURRENT_REQ_TIME', 'GLOBAL_MAX_CONCURRENT_REQ'].map(
      (error): (typeof cases)[number] => [error, refused(200, error), 'too many requests'],
    ),
    ['too many in a time', refused(200, 'GLOBAL_MAX_CONCURRENT_REQ_TIME'), 'too many requests'],
    ['away', refused(500, 'SERVICE_UNAVAILABLE'), 'VIES is not available at the moment'],
    ['too slow', refused(200, 'TIMEOUT'), 'VIES is not available at the moment'],
    ['this server', refused(200, 'IP_BLOCKED'), 'VIES refuses requests from this server'],
    ['malformed', refused(400, 'INVALID_INPUT'), 'DE136695976: VIES does not recognise this as a VAT number', 409],
    ['blocked', refused(200, 'VAT_BLOCKED'), 'DE136695976: VIES refuses requests about this number', 409],
    ['our number', refused(400, 'INVALID_REQUESTER_INFO'), 'the company’s own VAT number', 409],
    ['unheard of', refused(200, 'NEW_ERROR'), 'VIES answered with an error: NEW_ERROR'],
    ['a method of objects', refused(200, 'toString'), 'VIES answered with an error. '],
    ['markup in the error', refused(200, '<b>x</b>'), 'VIES answered with an error. '],
    ['no JSON', (_, response) => response.end('<html>'), 'does not understand'],
    ['another number', (question, response) => valid(question, response, { vatNumber: '1' }), 'does not understand'],
    ['another state', (question, response) => valid(question, response, { countryCode: 'FR' }), 'does not understand'],
    ['no word', (question, response) => valid(question, response, { valid: 'yes' }), 'does not understand'],
    ['too large', (question, response) => valid(question, response, { name: 'x'.repeat(1e6) }), 'does not understand'],
    ['a redirect', elsewhere, 'its address leads elsewhere'],
    ['a dead line', (_, response) => response.destroy(), 'could not be reached: the connection failed. Please'],
  ]
  for (const [name, how, told, expected = 503] of cases) {
    answer = how
    const { status, body, headers } = await ask(id)
    expect([status, body.message], name).toEqual([expected, expect.stringContaining(told)])
    expect(headers['retry-after'], name).toBe(expected === 503 ? '60' : undefined)
  }
  const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  const nowhere = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }))
  const { body } = await ask(id)
  nowhere.mockRestore()
  expect(body.message).toBe('VIES could not be reached: its address was not found. Please try again later.')
  expect((await checks(id)).history).toEqual([])
})

test('the server waits ten seconds for VIES, and then says so', async () => {
  const id = await customer()
  const patience: number[] = []
  const real = AbortSignal.timeout
  const waits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    patience.push(ms)
    return real.call(AbortSignal, 50)
  })
  // Without an end of the wait, this line would hang.
  answer = (_, response) => patience.length === 0 && response.destroy()
  const { status, body } = await ask(id)
  waits.mockRestore()
  expect([status, body.message]).toEqual([503, expect.stringContaining('it did not answer within 10 seconds')])
  expect(patience).toEqual([10_000])
})

test('an answer is plain and bounded: no reference, no facts, a day to come', async () => {
  const id = await customer()
  answer = (question, response) =>
    valid(question, response, {
      ...{ valid: false, requestIdentifier: ' ', name: '---', address: 'x'.repeat(10_000) },
      requestDate: '9999-12-31T00:00:00Z',
    })
  const { body } = await ask(id)
  expect(body).toMatchObject({
    type: 'warning',
    message: expect.stringMatching(/Not valid on .*, without a reference/),
  })
  const { newest } = await checks(id)
  expect(newest).toMatchObject({ is_valid: false, reference: null, name: null, checked_on: await daysAgo(0) })
  expect(newest.address).toHaveLength(500)
  for (const requestDate of ['2026-02-31', '0000-01-01', '2026-02-31T10:00:00+99:99']) {
    answer = (question, response) => valid(question, response, { requestDate })
    expect((await ask(id)).status, requestDate).toBe(200)
    expect((await checks(id)).newest.checked_on, requestDate).toBe(await daysAgo(0))
  }
})

test('a check is of the day on which VIES answered, by the company’s clock', async () => {
  const id = await customer()
  const days = ['2020-01-31T23:30:00.000Z', '2020-01-31T00:30:00+01:00', '2020-01-31']
  const checkedOn = async (time_zone: string) => {
    await t.db.pool.query('update company set time_zone = $1', [time_zone])
    const found = []
    for (const requestDate of days) {
      answer = (question, response) => valid(question, response, { requestDate })
      expect((await ask(id)).status, requestDate).toBe(200)
      found.push(
        (await t.db.pool.query('select checked_on from vat_check order by id desc limit 1')).rows[0].checked_on,
      )
    }
    return found
  }
  const [{ time_zone: before }] = (await t.db.pool.query('select time_zone from company')).rows
  expect(await checkedOn('Europe/Amsterdam')).toEqual(['2020-02-01', '2020-01-31', '2020-01-31'])
  expect(await checkedOn('America/New_York')).toEqual(['2020-01-31', '2020-01-30', '2020-01-31'])
  await t.db.pool.query('update company set time_zone = $1', [before])
  // The history has the newest 20.
  await t.db.pool.query(
    `insert into vat_check (customer_id, vat_number, checked_on, is_valid, source)
     select $1, $2, date '2021-01-01' + n, true, 'typed' from generate_series(1, 25) n`,
    [id, NUMBER],
  )
  const { history } = await checks(id)
  expect(history.map(({ checked_on }: { checked_on: string }) => checked_on)).toEqual(
    Array.from({ length: 20 }, (_, n) => `2021-01-${String(26 - n).padStart(2, '0')}`),
  )
})

test('a company whose own number VIES does not know asks without it', async () => {
  answer = valid
  const number = (vat_number: string) => t.db.pool.query('update company set vat_number = $1', [vat_number])
  await number('CHE123456788')
  const { body } = await ask(await customer())
  await number('NL810433941B01')
  expect(asked.at(-1)).toEqual({ countryCode: 'DE', vatNumber: '136695976' })
  expect(body.data.newest).toMatchObject({ is_valid: true, reference: null })
})

test('nothing waits for VIES but those who ask, at most four at once', async () => {
  const id = await customer()
  const held: (() => void)[] = []
  const { promise: four, resolve } = Promise.withResolvers<void>()
  answer = (question, response) => {
    held.push(() => valid(question, response))
    if (held.length === 4) resolve()
  }
  const asking = [id, id, id, id].map(ask)
  await Promise.race([four, delay(5000, undefined, { ref: false })])
  expect((await ask(id)).body.message).toContain('Other numbers are being checked')
  // The customer gets another number while VIES is asked: the answer is about the former one.
  expect((await staff.post(`/api/customer/${id}/edit`, { vat_number: 'DE811907980' })).status).toBe(200)
  for (const release of held) release()
  expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await checks(id)).toMatchObject({ newest: null, history: [{ vat_number: NUMBER }, {}, {}, {}] })
})

test('without VIES=1 no question leaves the server', async () => {
  const { vies: before } = t.config
  const id = await customer()
  t.config.vies = false
  const count = asked.length
  const { status, body } = await ask(id)
  t.config.vies = before
  expect([status, body.message, asked.length]).toEqual([409, expect.stringContaining('without VIES=1'), count])
})
