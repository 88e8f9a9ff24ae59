import { sql } from 'kysely'
import type { Database, Tx } from '../db/connect.ts'
import { single } from '../lists.ts'
import { Refusal } from './refusal.ts'

/** The number of slices in which a window is counted. As time goes on, the oldest slice leaves the count. */
const SLICES = 30

/** A try that was counted. `row` is the key of its slice. */
export type CountedTry = { row: string }

/** The keys of the rows of a window: one for each slice, and one for the present slice. They are used in turn. */
const rowsOf = (key: string) => Array.from({ length: SLICES + 1 }, (_, n) => `${key}#${n}`)

/**
 * Counts a try. Throws 429 instead if there were `limit` tries within the last `seconds` (or up to one slice more). The
 * count is committed at once, so a try counts even if its request fails. All instances count together.
 */
export async function countTry(db: Database, key: string, limit: number, seconds: number): Promise<CountedTry> {
  const rows = rowsOf(key)
  const slice = seconds / SLICES
  const { rows: answer } = await db.write(async (tx) => {
    // Tries with one key are counted one after another, so that each sees those before it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`throttle ${key}`}, 0))`.execute(tx)
    return sql<{ counted: string | null; wait: number }>`
      with at as (select date_bin(make_interval(secs => ${slice}), statement_timestamp(), 'epoch') as slice),
      earlier as (
        select coalesce(sum(n), 0) as n, min(window_start) filter (where n > 0) as oldest
        from throttle, at
        where key = any(${rows}::text[])
          and window_start >= slice - make_interval(secs => ${seconds}) and window_start < slice),
      counted as (
        insert into throttle as present (key, window_start, n)
        select (${rows}::text[])[1 + mod(round(extract(epoch from slice) / ${slice})::bigint, ${rows.length})], slice, 1
        from at, earlier where earlier.n < ${limit}
        on conflict (key) do update set
          n = case when present.window_start = excluded.window_start then present.n + 1 else 1 end,
          window_start = excluded.window_start
        where case when present.window_start = excluded.window_start then present.n else 0 end
          + (select n from earlier) < ${limit}
        returning key)
      select (select key from counted) as counted,
        ceil(extract(epoch from coalesce(oldest, slice) + make_interval(secs => ${seconds + slice})
          - statement_timestamp()))::int as wait
      from at, earlier`.execute(tx)
  })
  const { counted, wait } = single(answer)
  if (counted === null)
    throw new Refusal(429, 'Too many attempts. Please wait a moment.', { retryAfter: Math.max(1, wait) })
  return { row: counted }
}

/** Takes back a try that turned out to be right. Earlier wrong ones still count. */
export async function uncountTry(db: Database, { row }: CountedTry): Promise<void> {
  await db.write((tx) =>
    sql`
      with last as (delete from throttle where key = ${row} and n <= 1)
      update throttle set n = n - 1 where key = ${row} and n > 1`.execute(tx),
  )
}

/** Deletes all tries under a key. */
export async function forgetTries(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('throttle').where('key', 'in', rowsOf(key)).execute()
}
