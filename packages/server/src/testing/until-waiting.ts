import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'

/** Resolves as soon as this many connections to the database wait for another's lock. */
export async function untilSomebodyWaits(db: Database, connections = 1): Promise<void> {
  for (;;) {
    const { rows } = await db.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= connections) return
    await delay(10)
  }
}
