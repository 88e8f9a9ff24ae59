import { readlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'

/** People come first. Only Linux has a priority for each thread: elsewhere it would be the whole server's. */
function comeSecond(): void {
  if (parentPort && process.platform !== 'linux') return
  try {
    const id = parentPort ? Number(path.basename(readlinkSync('/proc/thread-self'))) : 0
    os.setPriority(id, Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // Some containers allow neither to be seen nor to be changed. The work is done all the same.
  }
}

/** Called once in a thread's or a process's file: answers each input with what `work` returns or throws. */
export function answerWith<Input, Output>(work: (input: Input) => Promise<Output>): void {
  const answer = async (input: Input, send: (answer: object) => void) => {
    try {
      send({ output: await work(input) })
    } catch (error) {
      send({ error: error instanceof Error ? error.message : String(error) })
    }
  }
  comeSecond()
  if (parentPort) parentPort.on('message', (input: Input) => answer(input, (said) => parentPort!.postMessage(said)))
  else {
    process.on('message', (input) => void answer(input as Input, (said) => void process.send?.(said)))
    process.on('disconnect', () => process.exit())
  }
}
