import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../packages/server/src/db/connect.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/database.ts'
import { openShop, stockItems } from '../../packages/server/src/testing/shop.ts'
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

/**
 * The old server starts on its own tables. Then they are migrated to this version, and the new server starts beside it.
 */
beforeAll(async () => {
  if (!commit) return
  checkOut(commit, release)
  database = await testDatabase()
  await database.query(
    'drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade',
  )
  old = await logIn(release)
  await migrate(database!.connection)
  db = connect(database!.connection, { readers: 1, writers: 1 })
  now = await logIn()
})
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

test.skipIf(!commit)('the old server answers every list on the new tables', async () => {
  const { paths } = (await old.call('GET', '/api/openapi.json')).body
  const lists = Object.keys(paths).filter((path) => paths[path].get && path.endsWith('/find'))
  expect(lists.length).toBeGreaterThan(11)
  for (const path of lists) await ask(old, 'GET', `${path}?limit=5`)
  for (const path of ['/api/auth', '/api/company', '/api/dashboard', '/api/stock/import/history'])
    expect((await old.call('GET', path)).status, path).toBeLessThan(500)
})

test.skipIf(!commit)('both servers sell, take back and import in one shop', async () => {
  const shop = await openShop(db!)
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
