import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** For reading. A transaction may stand in for it, never the other way round. */
export type Db = Kysely<Tables>
/** A function that takes a `Tx` runs inside one transaction: passing the pool does not compile. */
export type Tx = Transaction<Tables>

/**
 * Where the database is. `Client` may choose the server for each new connection; `onConnect` throws where a new connection
 * of a pool is not to be used.
 */
export type Connection = pg.ClientConfig & {
  Client?: new (config?: pg.ClientConfig) => pg.Client
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

/** What a pool has open, what of it is free, and how many wait for a connection. */
export type PoolFigures = { total: number; idle: number; waiting: number }

export type Database = {
  /** Reads, on a pool of their own: those who wait for a locked item must not stop every list. */
  read: Db
  /**
   * Runs `work` in one transaction (read committed). Where PostgreSQL breaks a deadlock or a serialization conflict the
   * whole transaction runs again, three times at most: `work` must have no effect outside of it.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** For COPY and the job queue; what is written here is in nobody's transaction. */
  pool: pg.Pool
  /** A connection apart from the pools, not opened yet, which the caller ends; `settings` are its session's. */
  client(settings?: Record<string, string>): pg.Client
  figures(): { read: PoolFigures; write: PoolFigures }
  close(): Promise<void>
}

const OID = { int8: 20, date: 1082, timestamptz: 1184, numeric: 1700, int8Array: 1016 }

/** `2026-11-21 10:07:10.1+00` to `2026-11-21T10:07:10.100Z`; sessions run in UTC. */
function isoTime(text: string): string {
  const fraction = /\.(\d{1,3})/.exec(text)?.[1] ?? ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8 || oid === OID.numeric) return Number
  if (oid === OID.date) return String
  if (oid === OID.timestamptz) return isoTime
  return pg.types.getTypeParser(oid as never, format as never)
}

/** Text of a session's settings, as libpq's `options` takes it. */
function options(settings: Record<string, string>): string {
  return Object.entries({ TimeZone: 'UTC', jit: 'off', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const retryable = new Set(['40P01', '40001'])
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

export type ConnectOptions = { readers?: number; writers?: number; onError?: (error: Error) => void }

/** Opens the pools. Nothing is connected until the first query. */
export function connect(connection: Connection, opts: ConnectOptions = {}): Database {
  const pool = (max: number, settings: Record<string, string>) => {
    const made = new pg.Pool({
      ...connection,
      max,
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 30_000,
      types: { getTypeParser: typeParser as never },
      options: options(settings),
      keepAlive: true,
    })
    // Without listeners a restart of the database would end this process: on the pool for idle connections, on each
    // client for one that dies between two queries of a transaction.
    made.on('error', (error) => opts.onError?.(error))
    made.on('connect', (client) => client.on('error', (error) => opts.onError?.(error)))
    return made
  }
  const readers = pool(opts.readers ?? 10, { statement_timeout: '30s', max_parallel_workers_per_gather: '0' })
  const writers = pool(opts.writers ?? 10, {
    lock_timeout: '3s',
    statement_timeout: '120s',
    idle_in_transaction_session_timeout: '60s',
    max_parallel_workers_per_gather: '0',
  })
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readers }) })
  const writing = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: writers }) })
  return {
    read,
    pool: writers,
    client: (settings = {}) =>
      new (connection.Client ?? pg.Client)({ ...connection, options: options(settings), keepAlive: true }),
    figures: () => ({ read: figuresOf(readers), write: figuresOf(writers) }),
    async write(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await writing.transaction().setIsolationLevel('read committed').execute(work)
        } catch (error) {
          if (attempt === 3 || !retryable.has(codeOf(error))) throw error
        }
      }
    },
    async close() {
      await read.destroy()
      await writing.destroy()
    },
  }
}

function figuresOf(pool: pg.Pool): PoolFigures {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}
