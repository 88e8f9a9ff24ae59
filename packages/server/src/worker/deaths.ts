import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { DEADLY_JOBS, type GivenUp } from '../jobs.ts'

/** A job is given up after this many deaths without progress between them. */
const DEATHS = 2

/**
 * A job of an instance that has died. It is free again, and locked in the caller's transaction. `locked_by` is that
 * instance.
 */
export type DeadJob = { id: string; job: string; payload: unknown; queue: string | null; locked_by: string }

/**
 * Counts for each of these jobs that it has killed a process. A job that has killed too many leaves the queue, and
 * another job tells people about it. If somebody orders the work again, that is a new job with its own count.
 */
export async function countDeaths(client: pg.ClientBase, dead: readonly DeadJob[], log: FastifyBaseLogger) {
  const deadly = dead.filter(({ job }) => job in DEADLY_JOBS)
  if (deadly.length === 0) return
  const progress = Object.entries(DEADLY_JOBS).map(([job, sql]) => `when '${job}' then ${sql}`)
  const { rows } = await client.query<{ id: string; deaths: number }>(
    `insert into job_death (job_id, deaths, progress, worker_id)
     select id, 1, case job ${progress.join(' ')} end, locked_by
     from json_to_recordset($1) as dead (id bigint, job text, payload json, locked_by text) order by id
     on conflict (job_id) do update set worker_id = excluded.worker_id, progress = greatest(job_death.progress, excluded.progress),
       deaths = case when excluded.progress > job_death.progress then 1 else job_death.deaths + 1 end
     returning job_id::text as id, deaths`,
    [JSON.stringify(deadly)],
  )
  const deaths = new Map(rows.map(({ id, deaths }) => [id, deaths]))
  for (const job of deadly) {
    const died = deaths.get(job.id) ?? 0
    log.warn({ job: job.job, payload: job.payload, deaths: died }, 'worker: a process died on a job')
    if (died < DEATHS) continue
    await client.query('select graphile_worker.complete_jobs(array[$1::bigint])', [job.id])
    const givenUp = { job: job.job, payload: job.payload } as GivenUp
    await client.query('select graphile_worker.add_job($1, $2::json, queue_name => $3)', [
      'give_up',
      JSON.stringify(givenUp),
      job.queue,
    ])
    await client.query('delete from job_death where job_id = $1', [job.id])
  }
}

/**
 * Takes back the deaths that were counted for instances which had only lost the database: none of their jobs has killed
 * them.
 */
export async function takeBackDeaths(pool: pg.Pool, instances: readonly string[]): Promise<void> {
  await pool.query('update job_death set deaths = deaths - 1, worker_id = null where worker_id = any($1::text[])', [
    [...instances],
  ])
}
