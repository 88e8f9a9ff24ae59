import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { isStalePlan, preparing } from './prepared.ts'
import type { Tables } from './tables.ts'

/**
 * The database for reading. A function that takes a `Db` accepts a transaction too, but a function that takes a `Tx`
 * does not accept a `Db`.
 */
export type Db = Kysely<Tables>
/** A transaction. A function that takes a `Tx` must run inside of one: passing the pool does not compile. */
export type Tx = Transaction<Tables>

/**
 * The address of the database. `Client` may choose the server for each new connection. `onConnect` throws if a pool
 * must not use a new connection.
 */
export type Connection = pg.ClientConfig & {
  Client?: new (config?: pg.ClientConfig) => pg.Client
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

/**
 * Thrown inside of `write` if data that the work relies on have changed meanwhile. The whole transaction then runs
 * again.
 */
export class RetryTransaction extends Error {}

/** A connection for long reading, as of one moment. The function that opens it must end it. */
export type Snapshot = { read: Db; end(): Promise<void> }

/** A pool's open connections, how many of them are free, and how many requests wait for one. */
export type PoolFigures = { total: number; idle: number; waiting: number }

export type Database = {
  /** Reads on a pool of their own, so that people who wait for a locked item do not hold up all lists. */
  read: Db
  /**
   * Runs `work` in one transaction (read committed). The whole transaction runs again, three times at most, after a
   * deadlock, a serialization conflict, a `RetryTransaction`, or a change of a table that makes a prepared plan
   * invalid. So `work` must have no effects outside of the transaction.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** The writing connections. A statement here is in no transaction. */
  pool: pg.Pool
  /** The reading connections, for a query with its own time limit. */
  readers: pg.Pool
  /** A connection outside of the pools, which the caller must open and end. `settings` are those of its session. */
  client(settings?: Record<string, string>): pg.Client
  /** Opens a connection of its own for reading as of one moment, however long that takes. */
  snapshot(): Promise<Snapshot>
  figures(): { read: PoolFigures; write: PoolFigures }
  close(): Promise<void>
}

const OID = { int8: 20, date: 1082, timestamptz: 1184, numeric: 1700, int8Array: 1016 }

/** Turns PostgreSQL's `2026-11-21 10:07:10.1+00` into `2026-11-21T10:07:10.100Z`. Sessions run in UTC. */
function isoTime(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8 || oid === OID.numeric) return Number
  if (oid === OID.date) return String
  if (oid === OID.timestamptz) return isoTime
  return pg.types.getTypeParser(oid as never, format as never)
}

/**
 * The settings of a session in the form of libpq's `options`. PostgreSQL's default for `random_page_cost` is meant for
 * spinning disks: with it, PostgreSQL would read all of some hundred thousand items to find the few that match a
 * pattern.
 */
function options(settings: Record<string, string>): string {
  return Object.entries({ TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** The time for which a write waits for a lock before it is refused. */
export const LOCK_TIMEOUT_MS = 2000
/** The time for which a write may wait for its connection. Every request is answered within 5 seconds. */
const TURN_MS = 3500
/**
 * The time for which a write may wait for its connection and its locks together. It leaves one second of the five in
 * which every request is answered.
 */
const WAIT_MS = 4000
/** A wait for the connection up to this time is too short to lower the time limit for locks. */
const SOON_MS = 400

const lockTimeouts = new WeakMap<Tx, number>()

/**
 * Sets the time limit for locks to half of the time that is left after the wait for the connection. It is half because
 * a transaction waits twice for a lock: first for its turn to wait, then for the row.
 */
function noteWait(tx: Tx, waited: number): void {
  if (waited > SOON_MS) lockTimeouts.set(tx, Math.round(Math.max(SOON_MS, WAIT_MS - waited) / 2))
}

/**
 * Takes locks that others may hold for long. If the transaction has waited for its connection, it waits less for these
 * locks. Locks that are only held for a moment, such as the one on the next invoice number, keep the usual time limit.
 */
export async function waitingLess<Result>(tx: Tx, locking: () => Promise<Result>): Promise<Result> {
  const short = lockTimeouts.get(tx) ?? LOCK_TIMEOUT_MS
  if (short >= LOCK_TIMEOUT_MS) return locking()
  await sql`set local lock_timeout = ${sql.lit(short)}`.execute(tx)
  const result = await locking()
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
  return result
}

const retryable = new Set(['40P01', '40001'])
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const mayRunAgain = (error: unknown) =>
  error instanceof RetryTransaction || retryable.has(codeOf(error)) || isStalePlan(error)

export type ConnectOptions = { readers?: number; writers?: number; onError?: (error: Error) => void }

/** Makes the pools. They connect with the first query. */
export function connect(connection: Connection, opts: ConnectOptions = {}): Database {
  const pool = (max: number, connectionTimeoutMillis: number, settings: Record<string, string>) => {
    const made = new pg.Pool({
      ...connection,
      max,
      connectionTimeoutMillis,
      idleTimeoutMillis: 30_000,
      types: { getTypeParser: typeParser as never },
      options: options(settings),
      keepAlive: true,
    })
    // Without these listeners, a restart of the database would end this process. The pool's listener is for idle
    // connections, the client's for a connection that dies between two queries of a transaction.
    made.on('error', (error) => opts.onError?.(error))
    made.on('connect', (client) => client.on('error', (error) => opts.onError?.(error)))
    return made
  }
  const readers = pool(opts.readers ?? 10, 5000, { statement_timeout: '30s', max_parallel_workers_per_gather: '0' })
  const writers = pool(opts.writers ?? 10, TURN_MS, {
    lock_timeout: String(LOCK_TIMEOUT_MS),
    statement_timeout: '120s',
    idle_in_transaction_session_timeout: '60s',
    max_parallel_workers_per_gather: '0',
  })
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(readers) }) })
  const writing = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(writers) }) })
  const write = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
    const asked = performance.now()
    return insisting(() =>
      writing
        .transaction()
        .setIsolationLevel('read committed')
        .execute((tx) => {
          noteWait(tx, performance.now() - asked)
          return work(tx)
        }),
    )
  }
  return {
    read,
    pool: writers,
    readers,
    client: (settings = {}) =>
      new (connection.Client ?? pg.Client)({ ...connection, options: options(settings), keepAlive: true }),
    async snapshot() {
      const own = pool(1, 5000, { statement_timeout: '60s', max_parallel_workers_per_gather: '0' })
      const alone = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: own }) })
      try {
        const transaction = alone.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only')
        const read = await transaction.execute()
        return {
          read,
          async end() {
            await read
              .rollback()
              .execute()
              .catch(() => undefined)
            await alone.destroy()
          },
        }
      } catch (error) {
        await alone.destroy()
        throw error
      }
    },
    figures: () => ({ read: figuresOf(readers), write: figuresOf(writers) }),
    write,
    async close() {
      await read.destroy()
      await writing.destroy()
    },
  }
}

/** Runs a transaction, up to three times if another attempt may help. */
async function insisting<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === 3 || !mayRunAgain(error)) throw error
    }
  }
}

function figuresOf(pool: pg.Pool): PoolFigures {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}
