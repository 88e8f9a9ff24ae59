import type { Worker, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'

/** The time after which a worker's report of a done job must have arrived, unless its connection is broken. */
const PATIENCE_MS = 5000

export type JobsInFlight = {
  /** Resolves as soon as no worker has a job or asks for one. */
  none(): Promise<void>
  /**
   * Frees the jobs that are locked for this worker pool, but that no worker has had for a while: the database gave such
   * a job to a worker whose connection broke before the answer arrived. Graphile itself would wait four hours. Call it
   * about every second. Throws if the database is not reachable.
   */
  freeLost(pool: pg.Pool, id: string): Promise<void>
  /**
   * Begins the search for lost jobs anew. Call it after an outage, when messages for the worker may still be on their
   * way.
   */
  forgetLost(): void
}

/** Follows the jobs of a graphile worker pool by its events. */
export function jobsInFlight(events: WorkerEvents): JobsInFlight {
  /** For each worker that asks for a job, the time at which it began to ask, by this process's clock. */
  const asking = new Map<Worker, number>()
  const inFlight = new Set<string>()
  const missedSince = new Map<string, number>()
  const none = Promise.withResolvers<void>()
  let isAwaited = false
  const resolveIfNone = () => {
    if (isAwaited && asking.size === 0 && inFlight.size === 0) none.resolve()
  }
  const asked = ({ worker }: { worker: Worker }) => {
    asking.delete(worker)
    resolveIfNone()
  }
  events.on('worker:getJob:start', ({ worker }) => asking.set(worker, performance.now()))
  events.on('worker:getJob:empty', asked)
  events.on('worker:getJob:error', asked)
  events.on('job:start', ({ worker, job }) => {
    asking.delete(worker)
    inFlight.add(job.id)
  })
  events.on('job:complete', ({ job }) => {
    inFlight.delete(job.id)
    resolveIfNone()
  })
  return {
    none() {
      isAwaited = true
      resolveIfNone()
      return none.promise
    },
    async freeLost(pool, id) {
      const { rows } = await pool.query<{ id: string }>(
        'select id::text from graphile_worker._private_jobs where locked_by = $1',
        [id],
      )
      const now = performance.now()
      const missed = new Set(rows.map((row) => row.id).filter((job) => !inFlight.has(job)))
      for (const job of missedSince.keys()) if (!missed.has(job)) missedSince.delete(job)
      for (const job of missed) if (!missedSince.has(job)) missedSince.set(job, now)
      // A job is lost only if every asking worker has begun to ask after the job's lock was seen. Then the lock was
      // made for none of these workers.
      const lost = [...missedSince].filter(
        ([, since]) => now - since >= PATIENCE_MS && [...asking.values()].every((began) => began > since),
      )
      if (lost.length > 0)
        await unlock(
          pool,
          id,
          lost.map(([job]) => job),
        )
    },
    forgetLost() {
      missedSince.clear()
    },
  }
}

/** Frees some jobs of one pool, as graphile's `force_unlock_workers` does for all. */
async function unlock(pool: pg.Pool, id: string, jobs: string[]): Promise<void> {
  await pool.query(
    `with freed as (
       update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where id = any($2::bigint[]) and locked_by = $1 returning job_queue_id)
     update graphile_worker._private_job_queues set locked_at = null, locked_by = null
     where id in (select job_queue_id from freed) and locked_by = $1`,
    [id, jobs],
  )
}
