import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** A request. `:me` in the path stands for the id of the session's user. */
export type Exchange = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: string }
/** Requests that are sent at the same time. The operation ends when all are answered. */
export type Operation = Exchange[]
export type Session = { cookie: string; csrf: string; userId: number }
export type Load = {
  target: string
  /** The sessions: client n uses session n. */
  sessions: Session[]
  operations: Operation[]
  clients: number
  /** Repeats the operations in turn for this many ms. If left out, each runs once. */
  forMs?: number | undefined
  /**
   * The shortest time in ms between the starts of two operations of a client. If left out, a client starts the next one
   * as soon as the last one has ended.
   */
  everyMs?: number
}
/** The time of each operation, and the time of all together, in ms. */
export type Measured = { times: number[]; ms: number }

export type LoadGenerator = {
  /** Runs a load. Throws if any answer is not 2xx. */
  run(load: Load): Promise<Measured>
  stop(): void
}

/** Starts the process that sends requests. */
export function startLoad(): LoadGenerator {
  const child = fork(path.join(import.meta.dirname, 'load.ts'))
  let last: Promise<unknown> = Promise.resolve()
  const run = async (load: Load) => {
    child.send(load)
    const [{ measured, error }] = (await once(child, 'message')) as [{ measured: Measured; error?: string }]
    if (error !== undefined) throw new Error(error)
    return measured
  }
  return {
    run(load) {
      const result = last.then(() => run(load))
      last = result.catch(() => undefined)
      return result
    },
    stop: () => void child.kill(),
  }
}
