import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { countDeaths, type DeadJob, takeBackDeaths } from './deaths.ts'
import type { JobsInFlight } from './in-flight.ts'

/** The time between two beats, by which an instance shows that it lives. */
const BEAT_MS = 1000
/** An instance without a beat for this long, by the database's clock, counts as dead. */
const EXPIRY = '6 seconds'
/**
 * An instance judges others only after its own beats have come for this long. After an outage, all leases look expired.
 */
const WARM_UP_MS = 4000

export type Lease = {
  /** Resolves at the first beat. Before it, no job may be locked under the id. */
  acquired: Promise<void>
  /**
   * Marks the instance as leaving, so that the jobs which it interrupts from now on do not count as deaths. Never
   * rejects.
   */
  leave(): Promise<void>
  /**
   * Gives the lease back and frees the jobs that are still locked under it. If the database is not reachable, a later
   * lease of this process does this.
   */
  end(): Promise<void>
}

/** The leases that this process could not give back. */
export type Unreturned = Set<string>

/**
 * Keeps a row in `worker` fresh, under the id by which graphile_worker locks jobs. It frees the jobs of instances whose
 * row is not fresh, because graphile's own lock on a job lasts four hours after a process was killed. If a job has
 * killed two processes, it is given up. It also frees the jobs that this instance has lost. If this process had lost
 * the database and others have counted it as dead meanwhile, it takes these deaths back.
 */
export function holdLease(
  pool: pg.Pool,
  id: string,
  jobs: JobsInFlight,
  log: FastifyBaseLogger,
  unreturned: Unreturned,
): Lease {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  let unbrokenSince = performance.now()
  let lastBeat = performance.now()
  let mayLookDead = false
  const first = Promise.withResolvers<void>()

  async function comeBack(): Promise<void> {
    const earlier = [...unreturned]
    if (earlier.length > 0) await giveBack(pool, earlier)
    if (earlier.length > 0 || mayLookDead) await takeBackDeaths(pool, [...earlier, id])
    for (const one of earlier) unreturned.delete(one)
  }

  async function beat(): Promise<void> {
    try {
      if (performance.now() - lastBeat > WARM_UP_MS) {
        unbrokenSince = performance.now()
        mayLookDead = true
      }
      await pool.query(
        'insert into worker (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do update set seen_at = excluded.seen_at',
        [id],
      )
      lastBeat = performance.now()
      first.resolve()
      await comeBack()
      if (lastBeat - unbrokenSince >= WARM_UP_MS) {
        mayLookDead = false
        await freeJobsOfTheDead(pool, log)
        await jobs.freeLost(pool, id)
      } else jobs.forgetLost()
    } catch (error) {
      log.warn({ err: error }, 'worker: no heartbeat')
      unbrokenSince = Number.POSITIVE_INFINITY
      lastBeat = Number.NEGATIVE_INFINITY
      mayLookDead = true
    }
    if (!ended) timer = setTimeout(next, BEAT_MS)
  }
  const next = () => {
    beating = beat()
  }
  next()

  return {
    acquired: first.promise,
    async leave() {
      await pool
        .query('update worker set is_leaving = true where id = $1', [id])
        .catch((error: unknown) => log.warn({ err: error }, 'worker: could not say that it leaves'))
    },
    async end() {
      ended = true
      clearTimeout(timer)
      await beating
      try {
        await giveBack(pool, [id])
      } catch (error) {
        unreturned.add(id)
        log.warn({ err: error }, 'worker: could not give back its lease')
      }
    },
  }
}

async function giveBack(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [[...ids]])
  await pool.query('delete from worker where id = any($1::text[])', [[...ids]])
}

/**
 * Frees the jobs of dead instances, and counts the deaths. Everything is one transaction that locks the jobs at once,
 * so that if two instances look at the same time, only one finds each job.
 */
export async function freeJobsOfTheDead(pool: pg.Pool, log: FastifyBaseLogger): Promise<void> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    const { rows } = await client.query<FreedJob>(`
      with dead as materialized (
        select j.id, j.locked_by, t.identifier as job, j.payload, j.job_queue_id,
          not coalesce((select is_leaving from worker where worker.id = j.locked_by), false) as has_died
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where j.locked_by is not null
          and not exists (select from worker where worker.id = j.locked_by
            and seen_at > clock_timestamp() - interval '${EXPIRY}')
        order by j.id for update of j skip locked),
      freed as (
        update graphile_worker._private_jobs j set locked_at = null, locked_by = null
        from dead where j.id = dead.id),
      queues as (
        update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
        from (select distinct locked_by from dead) d where q.locked_by = d.locked_by)
      select dead.id::text, job, payload, dead.locked_by, has_died, q.queue_name as queue
      from dead left join graphile_worker._private_job_queues q on q.id = dead.job_queue_id order by dead.id`)
    await countDeaths(
      client,
      rows.filter(({ has_died }) => has_died),
      log,
    )
    await client.query('commit')
    isBroken = false
  } finally {
    // A broken connection is closed, which also ends its open transaction.
    client.release(isBroken)
  }
  await pool.query(`delete from worker where seen_at < clock_timestamp() - interval '1 hour'`)
}

type FreedJob = DeadJob & { has_died: boolean }
