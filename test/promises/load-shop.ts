import { expect } from 'vitest'
import { createUser } from '../../packages/server/src/areas/user.ts'
import { connect } from '../../packages/server/src/db/connect.ts'
import { violationsIn } from '../../packages/server/src/invariants/check.ts'
import { testDatabase } from '../../packages/server/src/testing/database.ts'
import { openShop, type Shop } from '../../packages/server/src/testing/shop.ts'
import { imeiOf } from '../cluster/shop.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { Staff } from './load-staff.ts'
import { range } from './shop.ts'

export const PASSWORD = 'correct horse'
export const emailOf = (n: number) => `staff${n}@backstock.test`

export type LoadShop = Shop & {
  server: RunningServer
  staff: Staff[]
  /** Ids of the items that may be sold, in the order in which they came. */
  items: number[]
  /** What the server says about itself under `/metrics`. */
  figure(sample: string): Promise<number>
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  connection: import('pg').ClientConfig
  /** Stops the server, after everything in its database has been found to agree. */
  close(): Promise<void>
}

/** A server process of its own with so many items, and so many people who are logged in to it. */
export async function loadShop({ items, people }: { items: number; people: number }): Promise<LoadShop> {
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
  const ids: number[] = []
  for (let from = 0; from < items; from += 20_000) {
    const imeis = range(Math.min(20_000, items - from)).map((n) => imeiOf(1_000_000 + from + n))
    const { rows } = await db.pool.query<{ id: number }>(
      `insert into stock (status, actual_product_id, vat_id, imei, purchase_price, sales_price)
       select 'In Stock', $1, $2, imei, 20000 + n % 5000, 30000 + n % 7000
       from unnest($3::text[]) with ordinality as given (imei, n) order by n returning id`,
      [shop.product, shop.vat.standard, imeis],
    )
    ids.push(...rows.map(({ id }) => id))
  }
  await db.pool.query('analyze')

  const dataDir = newDataDir()
  const server = await startServer(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: 'fatal' })
  const staff: Staff[] = []
  for (const n of range(people)) {
    const one = new Staff(server.address)
    expect((await one.logIn(emailOf(n), PASSWORD)).status).toBe(200)
    staff.push(one)
  }
  return {
    ...shop,
    server,
    staff,
    items: ids,
    connection: database.connection,
    async figure(sample) {
      const text: string = (await staff[0]!.call('GET', '/metrics')).body
      const line = text.split('\n').find((one) => one.startsWith(`backstock_${sample} `))
      return Number(line?.split(' ')[1])
    },
    rows: async (sql, values) => (await db.pool.query(sql, values)).rows,
    async close() {
      const output = server.output()
      await server.stop()
      try {
        // What it has to say where it ended by itself, or logged what is fatal.
        expect(output).not.toMatch(/Error|"level":60/)
        expect(await violationsIn(database.connection)).toEqual([])
      } finally {
        await db.close()
        await database.drop()
        removeDataDir(dataDir)
      }
    },
  }
}

/** Bytes of memory that the server's process has. */
export const memoryOf = (shop: LoadShop) => shop.figure('memory_bytes{kind="resident"}')
