import { MAX_PAGE_SIZE } from '@backstock/contract/page-size.ts'
import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

// A statement that is repeated gets a name, so that each connection parses and plans it once. `unseen` and `limited`
// write parts of statements whose plan would otherwise depend on a value. The reasons are in
// docs/decisions/2026-11-22-named-statements.md.

/** The most plans that one connection keeps. Each takes a few kilobytes. */
const MOST = 250

/** SQL that hides a value from the planner, by a subquery. */
export const unseen = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${value})`

/** SQL for `limit` and `offset`. The size of a page decides the plan, so it is a literal; there are few sizes. */
export function limited(take: number, skip: number): RawBuilder<unknown> {
  const limit = sql`limit ${take <= MAX_PAGE_SIZE ? sql.lit(take) : take}`
  return skip === 0 ? limit : sql`${limit} offset ${skip}`
}

/**
 * Whether a statement may keep its plan. A plan that must fit every pattern reads the whole table. So a statement with
 * a pattern of `like` is planned anew each time, unless the pattern is `unseen`. `begin` and similar statements have no
 * plan.
 */
const isPlannedOnce = (text: string) =>
  /^\s*(select|with|insert|update|delete)\b/i.test(text) && !/\bi?like\b(?! \(select )/i.test(text)

/** The names of repeated statements. */
class StatementNames {
  #names = new Map<string, string | undefined>()
  #seen = new Set<string>()

  /** The name of a statement; undefined if it must be planned anew. */
  of(text: string): string | undefined {
    if (this.#names.has(text)) return this.#names.get(text)
    if (this.#names.size >= MOST || !isPlannedOnce(text)) return undefined
    if (this.#seen.delete(text)) {
      this.#names.set(text, `backstock_${this.#names.size}`)
      return this.#names.get(text)
    }
    // A statement gets its name the second time, because a statement with values in its text may never be repeated.
    if (this.#seen.size >= MOST) this.#seen.clear()
    this.#seen.add(text)
    return undefined
  }

  forget(text: string): void {
    this.#names.set(text, undefined)
  }
}

/** Whether a connection has a plan that no longer fits, because a newer version of the server has changed a table. */
export const isStalePlan = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  error.code === '0A000' &&
  error.message === 'cached plan must not change result type'

/** The pool in the form that Kysely uses. It names each statement that runs a second time. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames()
  // Kysely recognises a connection by its object, so each connection must always get the same object.
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
      // Within a transaction, the second attempt fails too, and the whole transaction runs again.
      return client.query(text, values).catch(() => Promise.reject(error))
    }
  }
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}
