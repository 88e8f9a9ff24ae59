import { MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

// Statements that come again get a name, so that a connection parses and plans each of them once. `unseen` and
// `limited` write statements whose plan would else depend on a value. Why:
// docs/decisions/2026-11-22-named-statements.md.

/** The most statements whose plans one connection keeps, each a few kilobytes. */
const MOST = 250

/** A value that the planner does not see, since it is in a query of its own. */
export const unseen = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${value})`

/** `limit` and `offset`. The size of a page decides the plan, so it is part of the text; there are few sizes. */
export function limited(take: number, skip: number): RawBuilder<unknown> {
  const limit = sql`limit ${take <= MAX_PAGE_SIZE ? sql.lit(take) : take}`
  return skip === 0 ? limit : sql`${limit} offset ${skip}`
}

/**
 * A statement with a pattern is planned anew each time, unless the pattern is unseen: one plan for any pattern would
 * read the whole table. `begin` and its like have no plan.
 */
const isPlannedOnce = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && !/\bi?like\b(?! \(select )/i.test(text)

/** Names for statements that come again. */
class StatementNames {
  #names = new Map<string, string | undefined>()
  #seen = new Set<string>()

  /** The name of a statement; undefined if it is to be planned anew. */
  of(text: string): string | undefined {
    if (this.#names.has(text)) return this.#names.get(text)
    if (this.#names.size >= MOST || !isPlannedOnce(text)) return undefined
    if (this.#seen.delete(text)) {
      this.#names.set(text, `backstock_${this.#names.size}`)
      return this.#names.get(text)
    }
    // A statement gets its name the second time: one with values in its text may never come again.
    if (this.#seen.size >= MOST) this.#seen.clear()
    this.#seen.add(text)
    return undefined
  }

  forget(text: string): void {
    this.#names.set(text, undefined)
  }
}

/** A newer version of the server has changed a table, and a connection still has a plan for the table as it was. */
export const isStalePlan = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  error.code === '0A000' &&
  error.message === 'cached plan must not change result type'

/** The pool for Kysely. It gives a name to each statement that runs a second time. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames()
  // Kysely recognizes a connection by its object, so give it the same object each time.
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

function preparingClient(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  async function query(text: string, values: unknown[]): Promise<unknown> {
    const name = names.of(text)
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      names.forget(text)
      // Within a transaction this fails too, and the transaction runs again.
      return client.query(text, values).catch(() => Promise.reject(error))
    }
  }
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}
