import type pg from 'pg'
import { expect } from 'vitest'
import { createUser } from '../../packages/server/src/areas/user/user.ts'
import { connect } from '../../packages/server/src/db/connect.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { openShop, type Shop, stockItems } from '../../packages/server/src/testing/shop.ts'
import { Person } from '../cluster/person.ts'
import { ADMIN, newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'

/** How to reach a shop's database, which is migrated already. `drop` removes it. */
export type Place = { connection: pg.ClientConfig; url: string; drop(): Promise<void> }

export type FaultShop = Shop & {
  dataDir: string
  /** Creates items that can be sold, and returns their ids. */
  items(n: number, columns?: Parameters<typeof stockItems>[3]): Promise<number[]>
  /** Starts a server process on the shop's database. */
  serve(environment?: Record<string, string>): Promise<RunningServer>
  /** The administrator, logged in at a server, with cookies of their own. */
  logIn(server: RunningServer): Promise<Person>
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Ends all processes of the shop, and then checks that nothing in the database contradicts itself. */
  close(): Promise<void>
}

/** A shop whose servers are real processes that can be killed. */
export async function faultShop(place: Place): Promise<FaultShop> {
  const db = connect(place.connection, { readers: 2, writers: 2 })
  const shop = await openShop(db)
  await db.write((tx) => createUser(tx, { ...ADMIN, name: 'Staff', role: 'ROLE_ADMIN' }, { userId: null }))
  const dataDir = newDataDir()
  const servers: RunningServer[] = []
  return {
    ...shop,
    dataDir,
    async items(n, columns) {
      const ids: number[] = []
      while (ids.length < n) ids.push(...(await stockItems(db, shop, Math.min(1000, n - ids.length), columns)))
      return ids
    },
    async serve(environment = {}) {
      const server = await startServer(dataDir, { DATABASE_URL: place.url, LOG_LEVEL: 'fatal', ...environment })
      servers.push(server)
      return server
    },
    async logIn({ address }) {
      const person = new Person(address)
      expect((await person.logIn(ADMIN.email, ADMIN.password)).status).toBe(200)
      return person
    },
    rows: async (sql, values) => (await db.pool.query(sql, values)).rows,
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      try {
        expect(servers.flatMap(warningsOf)).toEqual([])
        expect(await contradictionsIn(place.connection)).toEqual([])
      } finally {
        await db.close()
        await place.drop()
        removeDataDir(dataDir)
      }
    },
  }
}

/**
 * Node's warnings in a server's output, for example about leaking listeners. TimeoutOverflowWarning is allowed: if a
 * clock jumps back by months, the queue's next run is further away than a timer can wait.
 */
const warningsOf = (server: RunningServer) =>
  server.output().match(/^\(node:\d+\) (?!TimeoutOverflowWarning).*$/gm) ?? []

/** The body that sells these items, without documents unless `more` asks for them. */
export const saleOf = (shop: Shop, items: readonly number[], more: object = {}) => ({
  stock_items: items.map((id) => ({ id, sales_price: 30_000 })),
  customer_id: shop.customer,
  create_invoice: false,
  send_email: false,
  ...more,
})

/** The largest of some times, in whole milliseconds. */
export const slowest = (times: readonly number[]) => Math.round(Math.max(...times))
