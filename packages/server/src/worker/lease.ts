import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { JobsInFlight } from './in-flight.ts'

/** How often an instance says that it lives. */
const BEAT_MS = 1000
/** Without a sign of life for this long, by the database's clock, an instance is taken for dead. */
const EXPIRY = '6 seconds'
/** An instance judges others only after this long of unbroken beats: after an outage all leases look dead. */
const WARM_UP_MS = 4000

export type Lease = {
  /** Resolves at the first beat: only then may jobs be locked under the id. */
  acquired: Promise<void>
  /** Gives the lease back and frees whatever is still locked under it. Throws where the database is away. */
  end(): Promise<void>
}

/**
 * Keeps a row in `worker` fresh, under the id by which graphile_worker locks jobs, and frees the jobs of instances
 * whose row is not fresh: graphile's own lock on a job outlives a killed process by four hours. Also frees the jobs
 * that this instance has lost.
 */
export function holdLease(pool: pg.Pool, id: string, jobs: JobsInFlight, log: FastifyBaseLogger): Lease {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  let unbrokenSince = performance.now()
  let lastBeat = performance.now()
  const first = Promise.withResolvers<void>()

  async function beat(): Promise<void> {
    try {
      if (performance.now() - lastBeat > WARM_UP_MS) unbrokenSince = performance.now()
      await pool.query(
        'insert into worker (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do update set seen_at = excluded.seen_at',
        [id],
      )
      lastBeat = performance.now()
      first.resolve()
      if (lastBeat - unbrokenSince >= WARM_UP_MS) {
        await freeJobsOfTheDead(pool)
        await jobs.freeLost(pool, id)
      } else jobs.forgetLost()
    } catch (error) {
      log.warn({ err: error }, 'worker: no heartbeat')
      unbrokenSince = Number.POSITIVE_INFINITY
      lastBeat = Number.NEGATIVE_INFINITY
    }
    if (!ended) timer = setTimeout(next, BEAT_MS)
  }
  const next = () => {
    beating = beat()
  }
  next()

  return {
    acquired: first.promise,
    async end() {
      ended = true
      clearTimeout(timer)
      await beating
      await pool.query('select graphile_worker.force_unlock_workers(array[$1])', [id])
      await pool.query('delete from worker where id = $1', [id])
    },
  }
}

async function freeJobsOfTheDead(pool: pg.Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(dead.locked_by)) from (
      select distinct locked_by from graphile_worker.jobs where locked_by is not null
        and not exists (select from worker where worker.id = locked_by
          and seen_at > clock_timestamp() - interval '${EXPIRY}')) dead
    having count(*) > 0`)
  await pool.query(`delete from worker where seen_at < clock_timestamp() - interval '1 hour'`)
}
