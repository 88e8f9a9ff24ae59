import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { Refusal } from './refusal.ts'

/**
 * Counts a try and throws 429 past `limit` in `seconds`. It commits by itself: a try counts even where what it was for
 * fails. Shared by all instances.
 */
export async function countTry(db: Database, key: string, limit: number, seconds: number): Promise<void> {
  const { rows } = await db.write((tx) =>
    sql<{ n: number; left: number }>`
      insert into throttle (key, window_start, n) values (${key}, now(), 1)
      on conflict (key) do update set
        n = case when throttle.window_start < now() - make_interval(secs => ${seconds}) then 1 else throttle.n + 1 end,
        window_start = case when throttle.window_start < now() - make_interval(secs => ${seconds})
          then now() else throttle.window_start end
      returning n, ceil(extract(epoch from window_start + make_interval(secs => ${seconds}) - now()))::int as left`.execute(
      tx,
    ),
  )
  const { n, left } = rows[0]!
  if (n > limit) throw new Refusal(429, 'Too many tries. Please wait a little.', { retryAfter: Math.max(1, left) })
}

/** Takes back the try that turned out right. The wrong ones before it still count. */
export async function uncountTry(db: Database, key: string): Promise<void> {
  await db.write((tx) =>
    sql`
      with last as (delete from throttle where key = ${key} and n <= 1)
      update throttle set n = n - 1 where key = ${key} and n > 1`.execute(tx),
  )
}
