import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import { expect } from 'vitest'
import { createUser } from '../../packages/server/src/areas/user/user.ts'
import { connect } from '../../packages/server/src/db/connect.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { openShop, type Shop } from '../../packages/server/src/testing/shop.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { Staff } from './load-staff.ts'
import { range } from './shop.ts'

export const PASSWORD = 'correct horse'
export const emailOf = (n: number) => `staff${n}@backstock.test`

export type LoadShop = Shop & {
  server: RunningServer
  staff: Staff[]
  /** Starts another server on the same database. */
  join(): Promise<RunningServer>
  /** Logs person `n` in at a server, as in another window. */
  logIn(server: RunningServer, n: number): Promise<Staff>
  /** The ids of the items that can be sold, in the order in which they were made. */
  items: number[]
  /** A figure from `/metrics`. */
  figure(sample: string): Promise<number>
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  connection: import('pg').ClientConfig
  /** Checks that nothing in the database contradicts itself, then stops the server. */
  close(): Promise<void>
}

const PRODUCTS = 100

/**
 * The IMEI of item `n`, counted from 0. No two are alike. The digits are spread, because IMEIs that count up would
 * share most digits, and searching them would be unusually slow.
 */
export function imeiOfItem(n: number): string {
  const first14 = `86${String((n * 387_420_489) % 1_000_000_000_000).padStart(12, '0')}`
  return first14 + luhnCheckDigit(first14)
}

type Asked = { items: number; people: number; logLevel?: 'fatal' | 'error' }

/** A server process with this many items, and this many people who are logged in. */
export async function loadShop({ items, people, logLevel = 'fatal' }: Asked): Promise<LoadShop> {
  const database = await testDatabase()
  const db = connect(database.connection, { readers: 2, writers: 2 })
  const shop = await openShop(db)
  const first = { name: 'Staff', email: emailOf(0), role: 'ROLE_ADMIN' as const, password: PASSWORD }
  await db.write((tx) => createUser(tx, first, { userId: null }))
  await db.pool.query(
    `insert into app_user (name, email, role, password_hash)
     select name || ' ' || n, replace(email, '0', n::text), 'ROLE_USER', password_hash
     from app_user, generate_series(1, $1) n where email = $2`,
    [people - 1, emailOf(0)],
  )
  const { rows: others } = await db.pool.query<{ id: number }>(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, name, name
     from product, lateral (select n, case when n % 4 = 0 then 'iPhone ' else 'Galaxy ' end || n as name
       from generate_series(2, $1) n) name
     where id = $2 order by n returning id`,
    [PRODUCTS, shop.product],
  )
  const products = [shop.product, ...others.map(({ id }) => id)]
  const ids: number[] = []
  for (let from = 0; from < items; from += 20_000) {
    const imeis = range(Math.min(20_000, items - from)).map((n) => imeiOfItem(from + n))
    const { rows } = await db.pool.query<{ id: number }>(
      `insert into stock (status, actual_product_id, vat_id, imei, purchase_price, sales_price)
       select 'In Stock', ($1::int[])[1 + n % $4], $2, imei, 20000 + n % 5000, 30000 + n % 7000
       from unnest($3::text[]) with ordinality as given (imei, n) order by n returning id`,
      [products, shop.vat.standard, imeis, PRODUCTS],
    )
    ids.push(...rows.map(({ id }) => id))
  }
  // As in a shop that has worked for a while, each item has an older log entry.
  await db.pool.query(
    `insert into log (user_id, loggable_type, loggable_id, content)
     select u.id, 'Stock', stock.id, '{"type": "message", "data": {"message": "Looked at."}}'
     from stock join (select id, row_number() over (order by id) - 1 as n from app_user) u on u.n = stock.id % $1`,
    [people],
  )
  await db.pool.query('vacuum (analyze)')

  const dataDir = newDataDir()
  const servers: RunningServer[] = []
  const join = async () => {
    const server = await startServer(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: logLevel })
    servers.push(server)
    return server
  }
  const logIn = async ({ address }: RunningServer, n: number) => {
    const one = new Staff(address)
    expect((await one.logIn(emailOf(n), PASSWORD)).status).toBe(200)
    return one
  }
  const server = await join()
  const staff: Staff[] = []
  for (const n of range(people)) staff.push(await logIn(server, n))
  return {
    ...shop,
    server,
    staff,
    join,
    logIn,
    items: ids,
    connection: database.connection,
    async figure(sample) {
      const text: string = (await staff[0]!.call('GET', '/metrics')).body
      const line = text.split('\n').find((one) => one.startsWith(`backstock_${sample} `))
      return Number(line?.split(' ')[1])
    },
    rows: async (sql, values) => (await db.pool.query(sql, values)).rows,
    async close() {
      const output = servers.map((one) => one.output()).join('')
      await Promise.all(servers.map((one) => one.stop()))
      try {
        expect(wrongIn(output)).toEqual([])
        expect(await contradictionsIn(database.connection)).toEqual([])
      } finally {
        await db.close()
        await database.drop()
        removeDataDir(dataDir)
      }
    },
  }
}

/**
 * The lines of a server's output that must not be there: it ended by itself, or logged an error. A request that was
 * refused after waiting too long is allowed, and so is a job that failed and runs again, but not a deadlock.
 */
const wrongIn = (output: string) =>
  output.split('\n').filter((line) => {
    const hadToWait = /"msg":"(refused|Failed task )/.test(line) && !/"code":"(40P01|40001)"/.test(line)
    return !hadToWait && /Error|"level":[56]0/.test(line)
  })

/** The memory of the server's process in bytes. */
export const memoryOf = (shop: LoadShop) => shop.figure('memory_bytes{kind="resident"}')
