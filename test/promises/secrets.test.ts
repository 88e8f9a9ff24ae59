import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBackup } from '../../packages/server/src/backup/write-backup.ts'
import type { Client } from '../../packages/server/src/testing/app.ts'
import { startServer } from '../journeys/running-server.ts'
import { reached } from './figures.ts'
import { addressOf, routesOf } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

// Promises A6 to A9 of docs/promises.md: secrets do not appear in answers, logs or backups.
let t: PromiseShop
let admin: Client
let user: Client
const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-promises-'))
beforeAll(async () => {
  t = await promiseShop()
  admin = await t.user('ROLE_ADMIN')
  user = await t.user()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await closeSound(t)
})

test("A6: another's things, and fields that are not ours to say, do not change", async () => {
  const [item] = await t.items(1)
  const picture = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n',
  )
  const refused = [
    await user.get(`/api/user/${admin.id}/basket`),
    await user.put(`/api/user/${admin.id}/basket`, { items: [item] }),
    await admin.put(`/api/user/${user.id}/basket`, { items: [item] }),
    await user.send({
      method: 'POST',
      url: `/api/user/${admin.id}/avatar`,
      payload: picture,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    await user.post(`/api/user/${admin.id}/edit`, { name: 'Mine' }),
    await user.post(`/api/user/${user.id}/edit`, { role: 'ROLE_ADMIN' }),
    await user.post(`/api/user/${user.id}/edit`, { name: 'Still me', role: 'ROLE_ADMIN', password: 'another horse' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403])
  expect((await admin.get(`/api/user/find?id=${user.id}`)).body.data[0]).toMatchObject({
    role: 'ROLE_USER',
    name: expect.stringMatching(/Person/),
  })
  expect((await admin.post(`/api/user/${admin.id}/edit`, { role: 'ROLE_USER' })).status).toBeGreaterThan(400)

  const own = { user_id: admin.id, created_by: admin.id, id: 999, created_at: '2001-01-01', updated_at: undefined }
  const batch = (await user.post('/api/batch/create', { name: 'Mine', ...own })).body.data
  expect([batch.user_id, batch.id]).not.toContain(admin.id + 999)
  expect(batch.user_id).toBe(user.id)
  expect((await user.post(`/api/batch/${batch.id}/edit`, { user_id: admin.id })).body.data.user_id).toBe(user.id)

  const smuggled = {
    ...own,
    status: 'Dispatched',
    total_sales_price: 1,
    total_sales_price_vat: 1,
    total_purchase_price: 1,
    total_items: 99,
    invoice_number: '2020-00001',
    email_sent: true,
    partner_id: 1,
  }
  const sale = (await t.sell(user, [item!], { ...smuggled, create_invoice: true })).body.data
  const right = {
    created_by: user.id,
    total_sales_price: 30_000,
    total_sales_price_vat: 30_000,
    total_purchase_price: 20_000,
    total_items: 1,
    email_sent: false,
    status: 'New',
  }
  expect(sale).toMatchObject(right)
  expect(sale.invoice_number).toMatch(/-00001$/)
  const { status: _, ...fields } = smuggled
  const edited = (await user.post(`/api/sale/${sale.id}/edit`, fields)).body.data
  expect(edited).toMatchObject({ ...right, id: sale.id, invoice_number: sale.invoice_number })

  const [free] = await t.items(1)
  const stock = { id: 999, sale_id: sale.id, in_hand: false, partner_id: 1, cost: 1, related_sale_id: sale.id }
  expect((await user.post(`/api/stock/${free}/edit`, { ...stock, sales_price: 1 })).body.data).toMatchObject({
    id: free,
    status: 'In Stock',
    related_sale_id: null,
  })
  reached(
    'A6',
    `${refused.length} refused, ${Object.keys({ ...smuggled, ...stock }).length} fields ignored`,
    'no change',
  )
})

test('A7: nothing is learned by sorting, filtering or searching for what is secret', async () => {
  const finds = routesOf(t.app).filter(({ method, url }) => method === 'GET' && url.endsWith('/find'))
  const [{ password_hash }] = (await t.rows<{ password_hash: string }>(
    'select password_hash from app_user limit 1',
  )) as [{ password_hash: string }]
  const secret = [
    'password',
    'password_hash',
    'hash',
    'token_hash',
    'key',
    'search',
    'deleted_at',
    'id;drop table stock',
  ]
  let asked = 0
  for (const { url } of finds) {
    const all = (await admin.get(url)).body
    const without = (body: typeof all) => ({ ...body, next_page_url: null, data: JSON.stringify(body.data).length })
    for (const column of secret) {
      for (const name of ['order', 'order_by'])
        for (const way of ['asc', 'desc']) {
          const { status, body } = await admin.get(`${url}?${name}=${encodeURIComponent(`${column}_${way}`)}`)
          expect([url, column, status, body.message]).toMatchObject([url, column, 400, expect.stringMatching(/^order/)])
          asked++
        }
      if (column === 'search') continue
      const filtered = await admin.get(`${url}?${encodeURIComponent(column)}=x&${encodeURIComponent(column)}[gt]=a`)
      expect([url, column, filtered.status, without(filtered.body).total]).toEqual([url, column, 200, all.total])
    }
    for (const part of [password_hash, password_hash.slice(0, 9), password_hash.slice(-8)]) {
      const { status, body } = await admin.get(`${url}?search=${encodeURIComponent(part)}`)
      if (url !== '/api/log/find') expect([url, status, body.total]).toEqual([url, 200, 0])
      expect(JSON.stringify(body)).not.toContain('argon2')
      asked++
    }
    expect(JSON.stringify(all)).not.toMatch(/argon2|_hash"|"hash"/)
  }
  reached('A7', `${asked} questions to ${finds.length} finds: nothing`, 'nothing learned')
})

/** The cookies of a client, by name. */
type Jar = Record<string, string>
async function ask(address: string, jar: Jar, method: string, url: string, body?: object): Promise<Response> {
  const answer = await fetch(address + url, {
    method,
    headers: {
      cookie: Object.entries(jar)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
      'x-xsrf-token': jar['XSRF-TOKEN'] ?? '',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
    if (value) jar[name!] = value
  }
  return answer
}

test('A8: no password, key or cookie stands in the database, its backup or the logs', async () => {
  const { host, port, user: owner, database } = t.connection
  const url = `postgresql://${owner}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
  const server = await startServer(folder, { DATABASE_URL: url, LOG_LEVEL: 'trace' })
  const secrets: string[] = []
  try {
    const { address } = server
    const jar: Jar = {}
    const logIn = async (username: string, password: string) => {
      secrets.push(password)
      await ask(address, jar, 'GET', '/api/auth')
      const { status } = await ask(address, jar, 'POST', '/api/login', { username, password })
      secrets.push(...Object.values(jar))
      return status
    }
    expect(await logIn(admin.email, 'guess-of-a-stranger')).toBe(401)
    secrets.pop()
    expect(await logIn(admin.email, 'correct horse')).toBe(200)
    await ask(address, jar, 'POST', '/api/partner/create', { name: 'Shop' })
    const made = await ask(address, jar, 'POST', '/api/partner/1/generate-token')
    const key = ((await made.json()) as { data: string }).data
    secrets.push(key)
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${address}/api/partner/v1/stock`, { headers })).status).toBe(200)
    const password = 'brand-new-password'
    expect((await ask(address, jar, 'POST', `/api/user/${admin.id}/edit`, { password })).status).toBe(200)
    const staff = { name: 'New', email: 'new@backstock.test', role: 'ROLE_USER', password: 'password-of-the-new-one' }
    expect((await ask(address, jar, 'POST', '/api/user/create', staff)).status).toBe(201)
    // A request that fails writes more into the log.
    await ask(address, jar, 'POST', '/api/user/create', { ...staff, password: 'password-of-the-same' })
    secrets.push(password, staff.password, 'password-of-the-same', ...Object.values(jar))
  } finally {
    await server.stop()
  }
  const tables = await t.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'graphile_worker')`,
  )
  const rows: string[] = []
  for (const { name } of tables)
    rows.push(...(await t.rows<{ r: string }>(`select r::text from ${name} r`)).map(({ r }) => r))
  const backup = await writeBackup(t.connection, path.join(folder, 'backup.bsb'))
  const places = {
    database: rows.join('\n'),
    backup: zstdDecompressSync(await readFile(backup.file)).toString('latin1'),
    log: server.output(),
    "PostgreSQL's log": await readFile(path.join(path.dirname(String(host)), 'postgres.log'), 'latin1'),
  }
  expect(places.log).toContain('/api/login')
  for (const secret of new Set(secrets))
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      for (const [place, text] of Object.entries(places))
        expect([place, form, text.includes(form)]).toEqual([place, form, false])
  reached('A8', `${new Set(secrets).size} secrets in ${Object.keys(places).join(', ')}: none found`, 'none')
})

test('A9: every answer bears the headers that keep browsers safe', async () => {
  const routes = routesOf(t.app).filter(({ method, url }) => method === 'GET' && !url.startsWith('/assets/'))
  const addresses = [
    ...routes.map((route) => addressOf(route, 1).replace('*', 'admin/stock')),
    '/api/nothing',
    '/api/sale/abc/invoice',
    '/api/stock/find?page=abc',
    '/%61pi/auth',
    '/nothing.js',
    '/assets/none.js',
  ]
  for (const url of addresses)
    for (const client of [admin.send, (options: object) => t.app.inject(options)]) {
      const { headers } = await client({ method: 'GET', url })
      const csp = String(headers['content-security-policy'])
      expect([url, csp]).toEqual([url, expect.stringMatching(/script-src 'self' 'wasm-unsafe-eval';/)])
      expect(csp).toMatch(/default-src 'self'.*frame-ancestors 'none'/)
      expect(csp).toMatch(/worker-src 'self'(;|$)/)
      expect(csp).not.toMatch(/https?:|'unsafe-eval'/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
      })
      if (/^\/(api|%61pi)\//.test(url) && !url.endsWith('/avatar'))
        expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
    }
  reached('A9', `${addresses.length} addresses, logged in and out: all headers`, 'CSP, nosniff, no frames, no-store')
})

test('a fault of ours tells a request id and nothing else', async () => {
  await t.rows('alter table colour rename to colour_elsewhere')
  try {
    const { status, body } = await user.get('/api/colour/find')
    expect([status, Object.keys(body).toSorted()]).toEqual([
      500,
      ['data', 'error', 'message', 'request_id', 'success', 'title', 'type'],
    ])
    expect(body.message).toContain(body.request_id)
    expect(JSON.stringify(body)).not.toMatch(/colour|select|relation|\.ts|node_modules/i)
  } finally {
    await t.rows('alter table colour_elsewhere rename to colour')
  }
})
