import { sql } from 'kysely'
import type { Figures } from '../http/metrics.ts'

/** The figures of the waiting jobs. */
export const jobFigures: Figures = {
  helps: {
    jobs_waiting: 'Jobs that are due and that nobody has taken.',
    jobs_running: 'Jobs that an instance works on.',
    jobs_failed: 'Jobs that were given up after all their tries.',
    jobs_oldest_waiting_seconds: 'How long the longest waiting job has been due.',
  },
  select: sql`
    select count(*) filter (where due) as jobs_waiting, count(*) filter (where locked_at is not null) as jobs_running,
      count(*) filter (where attempts >= max_attempts) as jobs_failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where due)), 0)::float8 as jobs_oldest_waiting_seconds
    from graphile_worker.jobs,
      lateral (select locked_at is null and attempts < max_attempts and run_at <= now() as due) d`,
}
