type Job = { megabytes: number; start: () => Promise<void> }

/**
 * Runs jobs for people: one job of each person at a time, and people in turns, so that a person with many jobs waits
 * only for their own. All running jobs together take at most `megabytes`. A smaller job may start before one that does
 * not fit yet.
 */
export function inTurns(megabytes: number) {
  /** The jobs that wait, for each person. Whoever had the last turn stands last. */
  const waiting = new Map<number, Job[]>()
  const served = new Set<number>()
  let free = megabytes

  const startNext = () => {
    for (const [person, jobs] of waiting) {
      if (served.has(person) || jobs[0]!.megabytes > free) continue
      const job = jobs.shift()!
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

  /** Settles as `work` does. */
  return <Result>(person: number, needed: number, work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const job = { megabytes: needed, start: () => work().then(resolve, reject) }
      const jobs = waiting.get(person)
      if (jobs) jobs.push(job)
      else waiting.set(person, [job])
      startNext()
    })
}
