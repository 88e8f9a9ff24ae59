import type { Writable } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Each connection keeps the plans of so many statements at most, a few kilobytes each. */
const MOST = 250
/**
 * The plan of a pattern depends on the pattern, where it is not a query of its own: one for all of them would walk a whole
 * table. `begin` and its like need no plan.
 */
const plannedOnce = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && !/\bi?like\b(?! \(select )/i.test(text)

/** Names for the statements that come again, so that a connection parses and plans each of them once. */
class StatementNames {
  #names = new Map<string, string | undefined>()
  #seen = new Set<string>()

  /** The name of a statement; undefined where it is to be planned anew. */
  of(text: string): string | undefined {
    if (this.#names.has(text)) return this.#names.get(text)
    if (this.#names.size >= MOST || !plannedOnce(text)) return undefined
    if (this.#seen.delete(text)) {
      this.#names.set(text, `backstock_${this.#names.size}`)
      return this.#names.get(text)
    }
    // One that is written anew for each call never comes again.
    if (this.#seen.size >= MOST) this.#seen.clear()
    this.#seen.add(text)
    return undefined
  }

  forget(text: string): void {
    this.#names.set(text, undefined)
  }
}

/** A newer version has changed a table under the plan that a connection keeps. */
export const isStalePlan = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  error.code === '0A000' &&
  error.message === 'cached plan must not change result type'

/**
 * The pool as Kysely takes it, where statements that come again are prepared on each connection, and a transaction begins
 * with its first statement. Its clients must be made with `pipeline`.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames()
  // Kysely knows a connection again by the object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? preparingClient(client, names)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

/** What is asked at once goes out in one piece: each piece wakes the database up, which costs more than many a statement. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

function preparingClient(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  async function query(text: string, values: unknown[]): Promise<unknown> {
    sendTogether(client)
    if (text.startsWith('start transaction')) {
      // It goes out together with the first statement. Where it fails the connection is lost, and that statement with it.
      client.query(text).catch(() => undefined)
      return { command: 'START', rowCount: 0, rows: [] }
    }
    const name = names.of(text)
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      names.forget(text)
      // A transaction is lost by now: it has to begin again.
      return client.query(text, values).catch(() => Promise.reject(error))
    }
  }
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}
