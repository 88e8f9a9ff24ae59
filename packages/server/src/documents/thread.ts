import { Worker } from 'node:worker_threads'

type Answer<Output> = { output: Output } | { error: string }

/** The work took longer than it may; the thread was ended with it. */
export class ThreadTimeout extends Error {}

/**
 * A worker thread for one kind of work, one piece at a time. It starts with the first piece, is used again for the
 * next, ends when idle, and keeps the process alive only while it works.
 */
export type Thread<Input, Output> = {
  /** Rejects with what the work threw, with `ThreadTimeout`, or when the thread broke off (out of memory). */
  run: (input: Input) => Promise<Output>
}

/** `file` answers through `answerWith`. Memory is the thread's JavaScript heap. */
export function thread<Input, Output>(
  file: URL,
  limits: { timeoutMs: number; idleMs: number; memoryMb: number },
): Thread<Input, Output> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let pending: { resolve: (output: Output) => void; reject: (error: Error) => void } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const start = () => {
    const started = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } })
    const broken = (error: Error) => {
      if (worker !== started) return
      worker = undefined
      pending?.reject(error)
    }
    started.on('message', (answer: Answer<Output>) => {
      if ('error' in answer) pending?.reject(new Error(answer.error))
      else pending?.resolve(answer.output)
    })
    started.on('error', broken)
    started.on('exit', () => broken(new Error('The worker thread ended before its work was done.')))
    return started
  }

  const end = async () => {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  const work = async (input: Input): Promise<Output> => {
    clearTimeout(idle)
    worker ??= start()
    const current = worker
    current.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Output>((resolve, reject) => {
        pending = { resolve, reject }
        timer = setTimeout(
          () => reject(new ThreadTimeout(`It took longer than ${limits.timeoutMs / 1000} seconds.`)),
          limits.timeoutMs,
        )
        current.postMessage(input)
      })
    } catch (error) {
      if (error instanceof ThreadTimeout) await end()
      throw error
    } finally {
      clearTimeout(timer)
      pending = undefined
      current.unref()
      idle = setTimeout(end, limits.idleMs).unref()
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
