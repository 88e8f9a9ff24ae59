import { parentPort } from 'node:worker_threads'

/** Called once in a thread's file: answers each input with what `work` returns or throws. */
export function answerWith<Input, Output>(work: (input: Input) => Promise<Output>): void {
  parentPort!.on('message', async (input: Input) => {
    try {
      parentPort!.postMessage({ output: await work(input) })
    } catch (error) {
      parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) })
    }
  })
}
