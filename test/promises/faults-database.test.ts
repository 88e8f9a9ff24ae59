import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import type { Person } from '../cluster/person.ts'
import { type Postgres, postgres } from '../cluster/postgres.ts'
import { Selling } from '../cluster/selling.ts'
import { phonesFile } from '../cluster/shop.ts'
import { newDataDir, project, type RunningServer, removeDataDir } from '../journeys/running-server.ts'
import { type FaultShop, faultShop, slowest } from './faults-shop.ts'
import { full, reached, turns } from './figures.ts'
import { range } from './shop.ts'

// Promises F3 and F4 of docs/promises.md: a database that dies and connections that are cut while people write.
const RIGHT_AGAIN_MS = 5000
const SELLERS = 6

const home = newDataDir()
let database: Postgres
let shop: FaultShop
let server: RunningServer
let person: Person
beforeAll(async () => {
  database = await postgres(home, project, 'database')
  await database.start()
  const connection = { ...database.connection, database: 'postgres' }
  await migrate(connection)
  const url = `postgresql://backstock@${database.host}/postgres`
  shop = await faultShop({ connection, url, drop: async () => undefined })
  server = await shop.serve()
  person = await shop.logIn(server)
})
afterAll(async () => {
  await shop.close()
  database.kill()
  removeDataDir(home)
})

async function startSelling(items: number, name: string): Promise<Selling> {
  const selling = new Selling(person, await shop.items(items), shop.customer, SELLERS, { name })
  await answered(selling, 10)
  return selling
}

/** Waits for `more` further sales. Throws if the sellers got an answer that they must not get. */
async function answered(selling: Selling, more: number): Promise<void> {
  const enough = selling.sales.length + more
  const waiting = vi.waitFor(() => expect(selling.sales.length).toBeGreaterThanOrEqual(enough), {
    timeout: 60_000,
    interval: 5,
  })
  await Promise.race([waiting, selling.failed])
}

/**
 * Each sale that was answered is stored as answered, and no other sale is. A repeated key gives the same answer again.
 */
async function expectExact({ sales, heard }: Selling): Promise<number> {
  expect(heard.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([])
  const acknowledged = sales.filter(({ id }) => typeof id === 'number')
  const stored = await shop.rows<{ id: number; item: number }>(
    'select sale_id as id, stock_id as item from sale_item where stock_id = any($1) order by sale_id',
    [sales.map(({ item }) => item)],
  )
  expect(stored).toEqual(
    acknowledged.map(({ id, item }) => ({ id, item })).toSorted((one, other) => Number(one.id) - Number(other.id)),
  )
  for (const { key, body, id } of acknowledged.filter((_, n) => n % 20 === 0)) {
    const again = await person.call('/api/sale/create', { method: 'POST', body, key })
    expect(again).toMatchObject({ status: 201, body: { data: { id } } })
  }
  return acknowledged.length
}

test('F3: a database killed under writes loses nothing acknowledged, and all is right soon after its return', {
  timeout: 900_000,
}, async () => {
  const kills = turns(1, 20)
  const selling = await startSelling(kills * 500, 'killed')
  const rightAgain: number[] = []
  for (const _ of range(kills)) {
    database.kill()
    await database.start()
    const back = performance.now()
    await answered(selling, 40 + Math.floor(chance() * 40))
    const { firstSale, last503 } = selling.after(back)
    rightAgain.push(firstSale, last503)
  }
  await selling.stop()
  const acknowledged = await expectExact(selling)
  expect(slowest(rightAgain)).toBeLessThan(allowed(RIGHT_AGAIN_MS))
  expect((await person.call('/healthz')).status).toBe(200) // the same process as at the beginning
  const refused = selling.count(0, Number.POSITIVE_INFINITY, (status) => status === 503)
  reached(
    'F3',
    `${kills} kills: ${acknowledged} sales, none lost; ${refused} answers 503; right again ${slowest(rightAgain)} ms after its return`,
    'no acknowledged write lost; only 503s; right again within 5 s, same process',
  )
})

testInTurn(
  'F4: connections cut every second end no process and leave nothing half done',
  {
    timeout: 1_200_000,
  },
  async () => {
    const seconds = turns(2, 60)
    const phones = turns(2000, 50_000)
    const file = phonesFile(phones)
    const started = await person.call('/api/stock/import/csv', { method: 'POST', body: file })
    expect(started.status).toBe(202)
    const selling = await startSelling(seconds * 300, 'cut')
    let cut = 0
    for (const _ of range(seconds)) {
      const ended = await shop.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      cut += ended.length
      await Promise.race([delay(1000), selling.failed])
    }
    await answered(selling, SELLERS)
    await selling.stop()
    const acknowledged = await expectExact(selling)
    await vi.waitFor(
      async () => {
        const [entry] = (await person.call(`/api/stock/import/history?id=${started.body.data.import_id}`)).body.data
        expect(entry.content.data).toMatchObject({ successed_rows: phones, failed_rows: 1 })
      },
      { timeout: full ? 600_000 : 60_000, interval: 100 },
    )
    expect((await person.call('/healthz')).status).toBe(200)
    reached(
      'F4',
      `${cut} connections cut in ${seconds} s: ${acknowledged} sales and an import of ${phones} rows, each once`,
      'no exit, no partial write',
    )
  },
)
