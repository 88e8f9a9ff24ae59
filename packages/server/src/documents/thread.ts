import { Worker } from 'node:worker_threads'
import { type Apart, inTurns, type Limits } from './in-turns.ts'

/** The server's is smaller, as it lives on, while work of half a second makes much that is soon garbage: with 24 it takes a tenth longer. */
const YOUNG_MB = 96

/**
 * Work in a thread. `file` answers through `answerWith`. Memory is the thread's JavaScript heap; work that may want any
 * amount of it belongs into a process of its own (`separateProcess`), as a thread without memory may end all of them.
 */
export function thread<Input, Output>(file: URL, { memoryMb, ...limits }: Limits): Apart<Input, Output> {
  return inTurns(({ answered, broken }) => {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB }
    const worker = new Worker(file, { resourceLimits })
    worker.on('message', answered)
    worker.on('error', broken)
    worker.on('exit', () => broken(new Error('The worker thread ended before its work was done.')))
    return {
      send: (input) => worker.postMessage(input),
      end: () => worker.terminate(),
      hold: () => worker.ref(),
      release: () => worker.unref(),
    }
  }, limits)
}
