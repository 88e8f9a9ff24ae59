import pg from 'pg'
import { openData, type RunDatabase } from './database.ts'
import { type LoadGenerator, type Session, startLoad } from './load-client.ts'
import type { Sides } from './measure.ts'
import { logIn, type Process, startLimits, startServer } from './processes.ts'
import type { Size } from './size.ts'

/** A running bench: everything that a workload needs. */
export type Bench = {
  size: Size
  database: RunDatabase
  /** A connection for checks and repairs. Measured statements never run on it. */
  db: pg.Client
  server: Process
  limits: Process
  load: LoadGenerator
  sides: Sides
  sessions: Session[]
  /** Items In Stock with an IMEI, in no order. */
  inStock: { id: number; imei: string }[]
  /** Ids of items with more log entries than their screen shows. */
  busy: number[]
  say(line: string): void
  close(): Promise<void>
}

const CLIENTS = 16

/**
 * Opens the data of this size, starts the server and the limits on a copy of it, and logs 16 users in. The limits are
 * the quickest known way to the same answers (bench/limits.ts).
 */
export async function openBench(
  size: Size,
  say: (line: string) => void,
  /** Settings for PostgreSQL. */
  settings: Record<string, string> = {},
): Promise<Bench> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    process.off('SIGINT', interrupted)
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  const interrupted = () => void close().finally(() => process.exit(130))
  process.on('SIGINT', interrupted)
  try {
    const database = await openData(size, say, settings)
    closers.push(database.drop)
    const db = new pg.Client(database.connection)
    await db.connect()
    closers.push(() => db.end())
    const server = await startServer({ DATABASE_URL: database.url })
    closers.push(server.stop)
    const limits = await startLimits(database.connection)
    closers.push(limits.stop)
    const load = startLoad()
    closers.push(load.stop)
    const sessions = await logInAll(server.target)
    const nobody = sessions.map(({ userId }) => ({ userId, cookie: '', csrf: '' }))
    const { rows: inStock } = await db.query<{ id: number; imei: string }>(
      `select id, imei from stock where status = 'In Stock' and imei is not null and sales_price is not null
        order by hashint4(id) limit 20000`,
    )
    const { rows: busy } = await db.query<{ id: number }>(
      `select loggable_id as id from log where loggable_type = 'Stock' group by 1 having count(*) > 20 order by hashint4(loggable_id)`,
    )
    return {
      ...{ size, database, db, server, limits, load, sessions, inStock, say, close },
      sides: {
        server: { target: server.target, sessions },
        limit: { target: limits.target, sessions: nobody },
      },
      busy: busy.map((row) => row.id),
    }
  } catch (error) {
    await close()
    throw error
  }
}

export async function logInAll(target: string): Promise<Session[]> {
  return Promise.all(Array.from({ length: CLIENTS }, (_, n) => logIn(target, n + 1)))
}
