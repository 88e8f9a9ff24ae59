import { Counter, type Registry } from 'prom-client'
import type { DeadlyJob, GivenUp, GiveUpRules, JobHandlers, JobServices } from '../jobs.ts'

/**
 * Makes the handler that tells people which job has killed processes and is not tried again, by the rule for each job.
 */
export function giveUpJobs(
  { db, log }: JobServices,
  rules: GiveUpRules,
  metrics?: Registry,
): Pick<JobHandlers, 'give_up'> {
  const givenUp =
    metrics &&
    new Counter({
      name: 'backstock_jobs_given_up_total',
      help: 'Jobs that were given up since processes died on them.',
      labelNames: ['job'],
      registers: [metrics],
    })
  for (const job of Object.keys(rules)) givenUp?.inc({ job }, 0)
  return {
    async give_up(given: GivenUp) {
      const rule = rules[given.job] as GiveUpRules[DeadlyJob] | undefined
      await db.write(async (tx) => rule?.(tx, given.payload as never))
      log.error({ job: given.job, payload: given.payload }, 'worker: gave up a job on which two processes have died')
      givenUp?.inc({ job: given.job })
    },
  }
}
