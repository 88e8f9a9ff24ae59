type Job = { megabytes: number; start: () => Promise<void> }

/**
 * Makes a function that runs jobs for people: one job of each person at a time, and people in turns, so that many jobs
 * of one person do not delay those of others. All running jobs together take at most `megabytes`. A smaller job may
 * start before one that does not fit yet.
 */
export function inTurns(megabytes: number) {
  /** The waiting jobs by person. The person who had the last turn is the last. */
  const waiting = new Map<number, Job[]>()
  const served = new Set<number>()
  let free = megabytes

  const startNext = () => {
    for (const [person, jobs] of waiting) {
      const [job] = jobs
      if (!job || served.has(person) || job.megabytes > free) continue
      jobs.shift()
      if (jobs.length === 0) waiting.delete(person)
      served.add(person)
      free -= job.megabytes
      void job.start().finally(() => {
        served.delete(person)
        free += job.megabytes
        moveToEnd(person)
        startNext()
      })
    }
  }

  const moveToEnd = (person: number) => {
    const jobs = waiting.get(person)
    waiting.delete(person)
    if (jobs) waiting.set(person, jobs)
  }

  const takeOff = (person: number, job: Job) => {
    const jobs = waiting.get(person)?.filter((other) => other !== job)
    if (jobs?.length) waiting.set(person, jobs)
    else waiting.delete(person)
  }

  /**
   * Runs a job. The promise resolves or rejects as `work` does. If `unwanted` is aborted while the job waits, the job
   * never begins, and the promise rejects with the reason.
   */
  return <Result>(
    person: number,
    needed: number,
    work: () => Promise<Result>,
    unwanted?: AbortSignal,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        takeOff(person, job)
        reject(unwanted?.reason)
      }
      const start = () => {
        unwanted?.removeEventListener('abort', leave)
        return work().then(resolve, reject)
      }
      const job = { megabytes: needed, start }
      if (unwanted?.aborted) return reject(unwanted.reason)
      unwanted?.addEventListener('abort', leave)
      const jobs = waiting.get(person)
      if (jobs) jobs.push(job)
      else waiting.set(person, [job])
      startNext()
    })
}
