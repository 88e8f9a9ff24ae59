import type pg from 'pg'
import { expect } from 'vitest'
import { createUser } from '../../packages/server/src/areas/user/user.ts'
import { connect } from '../../packages/server/src/db/connect.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { openShop, type Shop, stockItems } from '../../packages/server/src/testing/shop.ts'
import { Person } from '../cluster/person.ts'
import { ADMIN, newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'

/** The address of a shop's data; migrated already. */
export type Place = { connection: pg.ClientConfig; url: string; drop(): Promise<void> }

export type FaultShop = Shop & {
  dataDir: string
  /** Items that may be sold. */
  items(n: number, columns?: Parameters<typeof stockItems>[3]): Promise<number[]>
  /** A process of its own on the shop's database. */
  serve(environment?: Record<string, string>): Promise<RunningServer>
  /** The administrator, logged in, with their own cookies. */
  logIn(server: RunningServer): Promise<Person>
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Ends all of its processes; then everything in the database has to agree. */
  close(): Promise<void>
}

/** A shop whose servers are real processes that may be killed. */
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
 * Node's warnings, as of listeners that pile up. If a clock jumps back by months, the queue's next run is further away
 * than a timer reaches.
 */
const warningsOf = (server: RunningServer) =>
  server.output().match(/^\(node:\d+\) (?!TimeoutOverflowWarning).*$/gm) ?? []

/** The body of a sale of these items. Without documents unless `more` says otherwise. */
export const saleOf = (shop: Shop, items: readonly number[], more: object = {}) => ({
  stock_items: items.map((id) => ({ id, sales_price: 30_000 })),
  customer_id: shop.customer,
  create_invoice: false,
  send_email: false,
  ...more,
})

/** `12, 7 and 30 ms at most` and the like: the largest of some times. */
export const slowest = (times: readonly number[]) => Math.round(Math.max(...times))
