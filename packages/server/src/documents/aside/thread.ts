import { Worker } from 'node:worker_threads'
import type { Answer } from './apart.ts'

/** The work took longer than it may; its thread was ended with it. */
export class WorkTimeout extends Error {}

/** The server's is smaller, as it lives on, while work of half a second makes much that is soon garbage: with 24 it takes a tenth longer. */
const YOUNG_MB = 96

/**
 * Work in a thread, one piece at a time. `file` answers through `answerWith`. The thread starts with the first piece, is used again for
 * the next, ends when idle, and keeps the process alive only while it works. Memory is its JavaScript heap; what strangers send
 * belongs into a process of its own (`separateProcess`), as a thread without memory may end all of them. `run` rejects with what the
 * work threw, with `WorkTimeout`, or when the thread broke off (out of memory).
 */
export function thread<Input, Output>(
  file: URL,
  { memoryMb, timeoutMs, idleMs }: { memoryMb: number; timeoutMs: number; idleMs: number },
): { run: (input: Input) => Promise<Output> } {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let pending: { resolve: (output: Output) => void; reject: (error: Error) => void } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const start = () => {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB }
    const started = new Worker(file, { resourceLimits })
    const broken = (error: Error) => {
      if (worker !== started) return
      worker = undefined
      pending?.reject(error)
    }
    started.on('message', (answer: Answer<Output>) => {
      if (worker !== started) return
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
        timer = setTimeout(() => reject(new WorkTimeout(`It took longer than ${timeoutMs / 1000} seconds.`)), timeoutMs)
        current.postMessage(input)
      })
    } catch (error) {
      if (error instanceof WorkTimeout) await end()
      throw error
    } finally {
      clearTimeout(timer)
      pending = undefined
      current.unref()
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
