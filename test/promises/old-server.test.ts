import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../packages/server/src/db/connect.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/database.ts'
import { newImei, openShop, type Shop, stockItems } from '../../packages/server/src/testing/shop.ts'
import { ADMIN, newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { checkOut, lastRelease } from './last-release.ts'
import { Staff } from './load-staff.ts'

// A server of the last release works beside one of this version ('Upgrading without downtime' in docs/operations.md).

const commit = lastRelease()
const home = newDataDir()
const release = newDataDir()
const servers: RunningServer[] = []
let database: TestDatabase | undefined
let db: Database | undefined
/** A person at the old server, and one at the new server. */
let old: Staff
let now: Staff

async function logIn(folder?: string): Promise<Staff> {
  const server = await startServer(home, { DATABASE_URL: database!.url }, folder)
  servers.push(server)
  const staff = new Staff(server.address)
  expect((await staff.logIn(ADMIN.email, ADMIN.password)).status).toBe(200)
  return staff
}

/** The shop as the old server showed it before the update: its lists, and the hashes of its documents. */
let before: Shown

/**
 * Starts the old server on its own tables and sells. Then the tables are migrated to this version, and its server
 * starts beside the old one.
 */
beforeAll(async () => {
  if (!commit) return
  checkOut(commit, release)
  database = await testDatabase()
  await database.query(
    'drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade',
  )
  old = await logIn(release)
  await trade()
  before = await shownBy(old)
  await migrate(database!.connection)
  db = connect(database!.connection, { readers: 1, writers: 1 })
  now = await logIn()
})
let openedShop: Promise<Shop> | undefined
/** The records that sales need. The tests share them, because the shop may have them only once. */
const opened = () => (openedShop ??= openShop(db!))

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await db?.close()
  await database?.drop()
  for (const folder of [home, release]) removeDataDir(folder)
})

/** The data of an answer, which must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
async function ask(staff: Staff, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<any> {
  const answer = await staff.call(method, path, body && { body })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 500)}`).toBeLessThan(300)
  return answer.body.data
}

/** Sells five phones on two invoices. One of them comes back, so there is a credit note, too. */
async function trade(): Promise<void> {
  await database!.query(`update company set name = 'Phones Ltd', address_1 = '1 Quay', city = 'Dublin',
    postal_code = 'D01', country_code = 'IE', vat_number = 'IE1234567T', email = 'sales@phones.test'`)
  const create = async (area: string, body: object) =>
    (await ask(old, 'POST', `/api/${area}/create`, body)).id as number
  const make_id = await create('make', { name: 'Nokia' })
  const category_id = await create('category', { name: 'Handsets' })
  const actual_product_id = await create('product', { make_id, category_id, model: '8 Sirocco' })
  const vat_id = await create('vat', { name: 'Full', rate: 23 })
  const address = { address_1: '2 Rue', city: 'Cork', postal_code: 'T12', country_code: 'IE' }
  const names = { first_name: 'Zażółć', last_name: 'Παπαδόπουλος', email: 'old@example.test' }
  const customer_id = await create('customer', { ...names, billing_address: address, delivery_address: address })
  const items: number[] = []
  for (let n = 0; n < 6; n++) {
    const item = { actual_product_id, vat_id, imei: newImei(), purchase_price: 20_000, status: 'In Stock' }
    items.push(await create('stock', { ...item, sales_price: 30_000 + n }))
  }
  // Some items have their grade and battery health as further columns, as in shops whose old version had no such
  // fields.
  await database!.query(`update stock set attributes = '{"grade": "A", "battery_health": "87%"}' where id <= 4`)
  for (const sold of [items.slice(0, 3), items.slice(3, 5)]) {
    const stock_items = sold.map((id, n) => ({ id, sales_price: 30_000 + n }))
    const sale = await create('sale', { customer_id, stock_items, create_invoice: true, send_email: false })
    await ask(old, 'POST', `/api/sale/${sale}/pay`, { paid_on: '2026-11-25', amount: 1000 })
    await ask(old, 'POST', `/api/sale/${sale}/edit`, { status: 'Awaiting Dispatch' })
    await ask(old, 'POST', `/api/sale/${sale}/edit`, { status: 'Dispatched' })
    if (sold.length === 3) await ask(old, 'POST', `/api/sale/${sale}/return-item/${sold[0]}`)
  }
  await vi.waitFor(async () => {
    const papers: { status: string }[] = await ask(old, 'GET', '/api/document/find?per_page=50')
    expect(papers.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready'])
  }, 60_000)
}

type Shown = { lists: Record<string, object[]>; papers: string[] }

/**
 * The lists that the old server knows, and the hashes of the documents, as one of the servers shows them. The documents
 * come first, because a download makes them final, and the lists show that.
 */
async function shownBy(staff: Staff): Promise<Shown> {
  const found: { id: number }[] = await ask(staff, 'GET', '/api/document/find?per_page=50')
  const papers: string[] = []
  for (const { id } of found) {
    const pdf = await fetch(`${staff.address}/api/document/${id}/pdf`, { headers: staff.headers })
    const bytes = Buffer.from(await pdf.arrayBuffer())
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    papers.push(createHash('sha256').update(bytes).digest('hex'))
  }
  const { paths } = (await old.call('GET', '/api/openapi.json')).body
  const lists: Shown['lists'] = {}
  for (const path of Object.keys(paths))
    if (paths[path].get && path.endsWith('/find')) {
      const rows: Record<string, unknown>[] = await ask(staff, 'GET', `${path}?per_page=50`)
      lists[path] = rows.map(({ time_ago: _, ...row }) => row)
    }
  return { lists, papers }
}

/** The list of rules of reverse charge: an update renews those that nobody has changed. */
const RENEWED = '/api/reverse-charge-rule/find'

test.skipIf(!commit)('after the update each record, number, total and byte of a paper is what it was', async () => {
  const after = await shownBy(now)
  expect(before.papers).toHaveLength(3)
  expect(after.papers).toEqual(before.papers)
  for (const [path, rows] of Object.entries(before.lists))
    if (path !== RENEWED) expect(after.lists[path], path).toMatchObject(rows)
  expect(before.lists['/api/stock/find']).toHaveLength(6)
  expect(await contradictionsIn(database!.connection)).toEqual([])
})

test.skipIf(!commit)('the old server answers every list on the new tables', async () => {
  const { paths } = (await old.call('GET', '/api/openapi.json')).body
  const lists = Object.keys(paths).filter((path) => paths[path].get && path.endsWith('/find'))
  expect(lists.length).toBeGreaterThan(11)
  for (const path of lists) await ask(old, 'GET', `${path}?limit=5`)
  for (const path of ['/api/auth', '/api/company', '/api/dashboard', '/api/stock/import/history'])
    expect((await old.call('GET', path)).status, path).toBeLessThan(500)
})

test.skipIf(!commit)('both servers sell, take back and import in one shop', async () => {
  const shop = await opened()
  const items = await stockItems(db!, shop, 6)
  const sell = async (staff: Staff, sold: number[]) => {
    const stock_items = sold.map((id) => ({ id, sales_price: 30_000 }))
    const body = { customer_id: shop.customer, stock_items, create_invoice: true, send_email: false }
    return (await ask(staff, 'POST', '/api/sale/create', body)).id as number
  }
  const sales = [
    await sell(old, items.slice(0, 2)),
    await sell(now, items.slice(2, 4)),
    await sell(old, items.slice(4, 6)),
  ]
  for (const [n, id] of sales.entries()) {
    const [one, other] = n % 2 ? [old, now] : [now, old]
    await ask(one, 'POST', `/api/sale/${id}/pay`, { paid_on: '2026-11-25', amount: 1000 })
    await ask(other, 'POST', `/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
    await ask(one, 'POST', `/api/sale/${id}/edit`, { status: 'Dispatched' })
    await ask(other, 'POST', `/api/sale/${id}/return-item/${items[2 * n]}`)
    await ask(other, 'GET', `/api/sale/find?id=${id}`)
  }
  for (const staff of [old, now]) {
    const form = new FormData()
    form.set('csv', new Blob(['imei,make,model,category\n,Apple,iPhone 13,Phones\n']), 'stock.csv')
    const { import_id } = await ask(staff, 'POST', '/api/stock/import/csv', form)
    const [entry] = await vi.waitFor(async () => {
      const found = await ask(staff, 'GET', `/api/stock/import/history?id=${import_id}`)
      expect(found[0].state).toMatch(/done|failed/)
      return found
    }, 60_000)
    expect(entry.state).toBe('done')
  }
  expect(await contradictionsIn(database!.connection)).toEqual([])
})

test.skipIf(!commit)('if one server stops before its answer arrives, the other one gives the same answer', async () => {
  const shop = await opened()
  const items = await stockItems(db!, shop, 6)
  let keys = 0
  /** Sends a request to one server and, with the same key, to the other. Returns the data of the first answer. */
  const repeated = async ([one, other]: [Staff, Staff], path: string, body: object) => {
    const sent = { body, headers: { 'idempotency-key': `repeated-${++keys}` } }
    const first = await one.call('POST', path, sent)
    const second = await other.call('POST', path, sent)
    for (const answer of [first, second])
      expect(answer.status, `${path}: ${JSON.stringify(answer.body).slice(0, 500)}`).toBeLessThan(300)
    expect(second.status, path).toBe(first.status)
    // The answer of this version may have more fields.
    const [less, more] = one === old ? [first, second] : [second, first]
    expect(more.body, path).toMatchObject(less.body)
    return first.body.data
  }
  const pairs: [Staff, Staff][] = [
    [old, now],
    [now, old],
  ]
  for (const [n, pair] of pairs.entries()) {
    const sold = items.slice(3 * n, 3 * n + 3)
    const stock_items = sold.map((id) => ({ id, sales_price: 30_000 }))
    const order = { customer_id: shop.customer, stock_items, create_invoice: true, send_email: false }
    const { id } = await repeated(pair, '/api/sale/create', order)
    await repeated(pair, `/api/sale/${id}/correct`, { items: [{ id: sold[0], sales_price: 29_000 }] })
    await repeated(pair, `/api/sale/${id}/pay`, { paid_on: '2026-11-25', amount: 1000 })
    await ask(now, 'POST', `/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
    await ask(now, 'POST', `/api/sale/${id}/edit`, { status: 'Dispatched' })
    await repeated(pair, `/api/sale/${id}/allow`, { items: [{ id: sold[0], price: 100 }] })
    const back = { customer_id: shop.customer, items: [{ id: sold[1] }] }
    const announced = await ask(now, 'POST', '/api/return/create', back)
    await repeated(pair, `/api/return/${announced.id}/receive`, {})
    const edit = { items: [sold[1]], changes: { location: `Shelf ${n}` } }
    const { token } = await ask(pair[0], 'POST', '/api/stock/bulk/preview', edit)
    await repeated(pair, '/api/stock/bulk', { ...edit, token })
    expect(await ask(now, 'GET', `/api/sale/find?id=${id}`)).toMatchObject([{ paid_total: 1000 }])
  }
})
