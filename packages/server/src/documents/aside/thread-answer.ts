import { parentPort } from 'node:worker_threads'
import type { Answer } from './apart.ts'
import { comeSecond } from './come-second.ts'

/** Called once in a thread's file: answers each input with what `work` returns or throws. */
export function answerWith<Input, Output>(work: (input: Input) => Promise<Output>): void {
  const answer = async (input: Input): Promise<Answer<Output>> => {
    try {
      return { output: await work(input) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  comeSecond()
  parentPort!.on('message', async (input: Input) => parentPort!.postMessage(await answer(input)))
}
