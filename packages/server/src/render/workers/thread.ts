import { parentPort, Worker } from 'node:worker_threads'
import { type Answer, answerOf, lowerPriority } from './answer.ts'

/** The error if the work took too long. Its thread was ended. */
export class WorkTimeout extends Error {}

/**
 * The size of the heap for young objects, in MB. It is larger than the server's: half a second of work leaves much
 * garbage, and with 24 MB it takes a tenth longer.
 */
const YOUNG_MB = 96

/** The limits of a thread. `memoryMb` is its JavaScript heap. A thread that is idle for `idleMs` is ended. */
type Limits = { memoryMb: number; timeoutMs: number; idleMs: number }

/**
 * Does work in a thread, one piece after another. `file` is a file that calls `answerWith`. The thread starts with the
 * first piece, and keeps the process alive only while it works. It is not for strangers' files, because a thread that
 * runs out of memory may end the whole server; use `processForEachFile` for those. `run` rejects with the error of the
 * work, with `WorkTimeout`, or if the thread ends (out of memory). If `unwanted` is aborted, `run` rejects at once with
 * the signal's reason, and the thread is ended.
 */
export function thread<Input, Output>(
  file: URL,
  { memoryMb, timeoutMs, idleMs }: Limits,
): { run: (input: Input, unwanted?: AbortSignal) => Promise<Output> } {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let pending: Pick<PromiseWithResolvers<Output>, 'resolve' | 'reject'> | undefined
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

  const work = async (input: Input, unwanted?: AbortSignal): Promise<Output> => {
    unwanted?.throwIfAborted()
    clearTimeout(idle)
    worker ??= start()
    const current = worker
    current.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      const answer = new Promise<Output>((resolve, reject) => {
        pending = { resolve, reject }
        timer = setTimeout(() => reject(new WorkTimeout(`It took longer than ${timeoutMs / 1000} seconds.`)), timeoutMs)
        current.postMessage(input)
      })
      return await unlessUnwanted(answer, unwanted)
    } catch (error) {
      if (error instanceof WorkTimeout || unwanted?.aborted) await end()
      throw error
    } finally {
      clearTimeout(timer)
      pending = undefined
      current.unref()
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    run(input, unwanted) {
      const result = last.then(() => work(input, unwanted))
      last = result.catch(() => undefined)
      return unlessUnwanted(result, unwanted)
    },
  }
}

/** The result, or a rejection as soon as nobody wants it any more. */
function unlessUnwanted<Output>(result: Promise<Output>, unwanted: AbortSignal | undefined): Promise<Output> {
  if (!unwanted) return result
  return new Promise((resolve, reject) => {
    const leave = () => reject(unwanted.reason)
    unwanted.addEventListener('abort', leave, { once: true })
    result.then(resolve, reject).finally(() => unwanted.removeEventListener('abort', leave))
  })
}

/**
 * The thread's side. A thread's file calls it once. Each input gets the result or the error of `work` as its answer.
 */
export function answerWith<Input, Output>(work: (input: Input) => Promise<Output>): void {
  lowerPriority()
  const port = parentPort
  if (!port) throw new Error('This file runs in a thread alone.')
  port.on('message', async (input: Input) => port.postMessage(await answerOf(() => work(input))))
}
