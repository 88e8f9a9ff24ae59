import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { connect } from '../db/connect.ts'
import { queue } from '../jobs.ts'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, stockItems } from '../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let sales: number[]
beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  const shop = await openShop(t.db)
  sales = []
  for (const stock of await stockItems(t.db, shop, 3)) {
    const body = { stock_items: [{ id: stock }], customer_id: shop.customer, create_invoice: false, send_email: true }
    sales.push((await client.post('/api/sale/create', body)).body.data.id)
  }
})
afterAll(() => t.close())

async function read(): Promise<{ text: string; value(sample: string): number | undefined }> {
  const { statusCode, headers, body } = await t.app.inject({ url: '/metrics' })
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = new Map(body.split('\n').map((line) => line.split(/ (?=\S+$)/) as [string, string]))
  return {
    text: body,
    value: (sample) => (samples.has(`backstock_${sample}`) ? Number(samples.get(`backstock_${sample}`)) : undefined),
  }
}

test('every line is in the text format, and nothing in it is about a person', async () => {
  await client.get('/api/sale/find?search=Papadopoulos')
  const { text } = await read()
  for (const line of text.split('\n').filter(Boolean))
    expect(line).toMatch(
      /^(# HELP backstock_\w+ [^"]+|# TYPE backstock_\w+ (counter|gauge|histogram)|backstock_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/,
    )
  expect([...text.matchAll(/^# HELP backstock_(.*)$/gm)].map(([, help]) => help)).toEqual([
    'database_up Whether the database answered.',
    'memory_bytes Memory of the process.',
    'uptime_seconds Since the process started.',
    'open_files Files and connections that the process has open.',
    'event_loop_lag_seconds How late the process was since the last time this was asked.',
    'pool_connections Connections to the database: open, free, and requests that wait for one.',
    'http_requests_total Requests answered.',
    'http_request_duration_seconds From a request to the end of its answer.',
    'jobs_waiting Jobs that are due and that nobody has taken.',
    'jobs_running Jobs that an instance works on.',
    'jobs_failed Jobs that were given up after all their tries.',
    'jobs_oldest_waiting_seconds How long the longest waiting job has been due.',
    'logins_total Tries to log in, by how they ended.',
    'imports_running Imports that are not done.',
    'mails_waiting Emails that wait for their invoice, for their turn or for another try.',
    'mails_unclear Sales and letters whose last email may or may not have gone out: a person decides.',
    'mails_failed Sales and letters whose last email could not be sent.',
    'sales_requiring_attention Sales that have lost an item.',
  ])
  expect(text).not.toContain('Papadopoulos')
  expect(text).not.toContain(client.email)
})

test('requests are counted by the route as it is written, with their durations', async () => {
  const route = 'method="POST",route="/api/sale/:id/edit"'
  const before = await read()
  const began = performance.now()
  for (const id of [sales[0], sales[1], 999_999]) await client.post(`/api/sale/${id}/edit`, { courier: 'DHL' })
  await client.get('/api/no-such-thing')
  const seconds = (performance.now() - began) / 1000
  const after = await read()
  const more = (sample: string) => after.value(sample)! - (before.value(sample) ?? 0)
  expect(more(`http_requests_total{${route},status="200"}`)).toBe(2)
  expect(more(`http_requests_total{${route},status="404"}`)).toBe(1)
  expect(more('http_requests_total{method="GET",route="none",status="404"}')).toBe(1)
  expect(more(`http_request_duration_seconds_count{${route}}`)).toBe(3)
  expect(more(`http_request_duration_seconds_bucket{le="+Inf",${route}}`)).toBe(3)
  const sum = more(`http_request_duration_seconds_sum{${route}}`)
  expect(sum).toBeGreaterThan(0)
  expect(sum).toBeLessThan(seconds)
  expect(more('http_requests_total{method="GET",route="/metrics",status="200"}')).toBe(1)
})

test('waiting and failed jobs, asked of the database at most once in five seconds', async () => {
  const app = await testAppBeside()
  try {
    await t.db.write((tx) => queue(tx, 'mail_send', { mail_id: 0 }, { runInSeconds: 3600 }))
    await t.db.pool.query(`update mail set state = 'unclear' where sale_id = $1`, [sales[0]])
    await t.db.pool.query(`update mail set state = 'failed' where sale_id = $1`, [sales[1]])
    await t.db.pool.query(
      `insert into mail (sale_id, message_id, sender, recipient, subject, body, state)
       select sale_id, 'again', sender, recipient, subject, body, 'sent' from mail where sale_id = $1`,
      [sales[1]],
    )
    await t.db.pool.query(
      `insert into import (type, user_id, state, total) select 'csv_import', $1, state, 1
       from unnest(array['waiting', 'running', 'done', 'failed', 'previewing']) state`,
      [client.id],
    )
    // One job is in hand, one was given up, and one has been due for a quarter of an hour.
    await t.db.write(async (tx) => {
      for (const mail_id of [-1, -2, -3]) await queue(tx, 'mail_send', { mail_id })
    })
    const others = `update graphile_worker._private_jobs set`
    await t.db.pool.query(`${others} locked_at = now(), locked_by = 'other' where payload ->> 'mail_id' = '-1'`)
    await t.db.pool.query(`${others} attempts = max_attempts where payload ->> 'mail_id' = '-2'`)
    await t.db.pool.query(`${others} run_at = now() - interval '15 minutes' where payload ->> 'mail_id' = '-3'`)
    const first = await app.read()
    expect(first).toContain('backstock_jobs_running 1\n')
    expect(first).toContain('backstock_jobs_failed 1\n')
    expect(first).toMatch(/backstock_jobs_oldest_waiting_seconds 9\d\d\b/)
    expect(first).toContain('backstock_database_up 1\n')
    expect(first).toContain('backstock_jobs_waiting 4\n') // four mails are due; the one in an hour is not
    expect(first).toContain('backstock_mails_waiting 1\n')
    expect(first).toContain('backstock_imports_running 2\n')
    expect(first).toContain('backstock_mails_unclear 1\n')
    expect(first).toContain('backstock_mails_failed 0\n') // the mail was sent again
    await t.db.pool.query(`update mail set state = 'waiting' where sale_id = $1`, [sales[0]])
    const second = await app.read()
    expect(second).toContain('backstock_mails_unclear 1\n')
    expect(second).toContain('backstock_pool_connections{pool="read",state="total"} 1\n')
  } finally {
    await app.close()
  }
})

test('figures of a database that does not answer are left out, not 0', async () => {
  const app = await testAppBeside({ ...t.connection, port: 1 })
  const text = await app.read()
  await app.close()
  expect(text).toContain('backstock_database_up 0\n')
  expect(text).toMatch(/^backstock_uptime_seconds \d/m)
  expect(text).not.toMatch(/^backstock_(jobs|mails|imports|sales)_/m)
})

/** Starts another instance that has not asked the database yet; on the same database unless another is given. */
async function testAppBeside(connection = t.connection) {
  const db = connect(connection)
  const app = await buildApp(t.config, db)
  return {
    read: async () => (await app.inject({ url: '/metrics' })).body,
    async close() {
      await app.close()
      await db.close()
    },
  }
}
