import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** A request. `:me` in the path is the id of the user whose session it is. */
export type Exchange = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: string }
/** Requests that are sent at once; it is done when all are answered. */
export type Operation = Exchange[]
export type Session = { cookie: string; csrf: string; userId: number }
export type Load = {
  target: string
  /** Client n has session n. */
  sessions: Session[]
  operations: Operation[]
  clients: number
  /** Goes round the operations for so long; without it, does each once. */
  forMs?: number | undefined
  /** A client asks for an operation at most once in so long; without it, as soon as its last one is answered. */
  everyMs?: number
}
/** How long each operation took, and all of them together, in milliseconds. */
export type Measured = { times: number[]; ms: number }

export type LoadGenerator = {
  /** Throws if the answer is anything but 2xx. */
  run(load: Load): Promise<Measured>
  stop(): void
}

/** Starts the load generator's process. */
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
