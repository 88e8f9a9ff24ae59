/** The work took longer than it may; whoever did it was ended with it. */
export class WorkTimeout extends Error {}

/**
 * Somebody apart for one kind of work, one piece at a time. It starts with the first piece, is used again for the next,
 * ends when idle, and keeps the process alive only while it works.
 */
export type Apart<Input, Output> = {
  /** Rejects with what the work threw, with `WorkTimeout`, or when whoever worked broke off (out of memory). */
  run: (input: Input) => Promise<Output>
}

export type Limits = { timeoutMs: number; idleMs: number; memoryMb: number }
export type Answer<Output> = { output: Output } | { error: string }

/** A thread or a process that works. */
export type Worker<Input> = {
  send(input: Input): void
  end(): unknown
  /** Keeps this process alive, and no longer. */
  hold(): void
  release(): void
}

type Listener<Output> = { answered(answer: Answer<Output>): void; broken(error: Error): void }

/** Gives pieces of work, one after the other, to a worker that `open` starts when there is none. */
export function inTurns<Input, Output>(
  open: (listener: Listener<Output>) => Worker<Input>,
  { timeoutMs, idleMs }: Omit<Limits, 'memoryMb'>,
): Apart<Input, Output> {
  let worker: Worker<Input> | undefined
  let idle: NodeJS.Timeout | undefined
  let pending: { resolve: (output: Output) => void; reject: (error: Error) => void } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const start = () => {
    const started: Worker<Input> = open({
      answered(answer) {
        if (worker !== started) return
        if ('error' in answer) pending?.reject(new Error(answer.error))
        else pending?.resolve(answer.output)
      },
      broken(error) {
        if (worker !== started) return
        worker = undefined
        pending?.reject(error)
      },
    })
    return started
  }

  const end = async () => {
    const ending = worker
    worker = undefined
    await ending?.end()
  }

  const work = async (input: Input): Promise<Output> => {
    clearTimeout(idle)
    worker ??= start()
    const current = worker
    current.hold()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Output>((resolve, reject) => {
        pending = { resolve, reject }
        timer = setTimeout(() => reject(new WorkTimeout(`It took longer than ${timeoutMs / 1000} seconds.`)), timeoutMs)
        current.send(input)
      })
    } catch (error) {
      if (error instanceof WorkTimeout) await end()
      throw error
    } finally {
      clearTimeout(timer)
      pending = undefined
      current.release()
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    run(input) {
      const result = last.then(() => work(input))
      last = result.catch(() => undefined)
      return result
    },
  }
}
