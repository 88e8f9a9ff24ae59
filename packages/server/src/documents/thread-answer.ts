import { parentPort } from 'node:worker_threads'

/** Called once in a thread's or a process's file: answers each input with what `work` returns or throws. */
export function answerWith<Input, Output>(work: (input: Input) => Promise<Output>): void {
  const answer = async (input: Input, send: (answer: object) => void) => {
    try {
      send({ output: await work(input) })
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) })
    }
  }
  if (parentPort) parentPort.on('message', (input: Input) => answer(input, (said) => parentPort!.postMessage(said)))
  else {
    process.on('message', (input) => void answer(input as Input, (said) => void process.send?.(said)))
    process.on('disconnect', () => process.exit())
  }
}
