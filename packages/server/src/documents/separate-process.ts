import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { FileOnDisk } from '../http/file-on-disk.ts'
import { type Answer, type Limits, WorkTimeout } from './apart.ts'
import { fairTurns } from './fair-turns.ts'

/** What all these processes together may take. */
const MEMORY_MB = 500

const inTurns = fairTurns(MEMORY_MB)

/**
 * Work on what strangers send, in a process of its own for each file: whatever it does to itself, it ends alone, and its memory is
 * the system's again. `file` answers through `answerOnce`. Memory is all that the process takes, which the process sees to itself
 * (`limit-memory.ts`). It gets no environment. Files of several people are looked at in turns. Rejects with what the work threw, with
 * `WorkTimeout`, or where the process broke off.
 */
export function separateProcess<Task, Output>(file: URL, limits: Limits) {
  return (person: number, content: FileOnDisk, task: Task): Promise<Output> =>
    inTurns(person, limits.memoryMb, () => inProcess(file, limits, content, task))
}

async function inProcess<Task, Output>(
  file: URL,
  { memoryMb, timeoutMs }: Limits,
  content: FileOnDisk,
  task: Task,
): Promise<Output> {
  const child = fork(file, [String(memoryMb)], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: {},
    serialization: 'advanced',
    stdio: [content.handle.fd, 'ignore', 'ignore', 'ipc'],
  })
  let late = false
  let answer: Answer<Output> | undefined
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, timeoutMs)
  child.on('message', (said) => {
    answer = said as Answer<Output>
    child.kill('SIGKILL')
  })
  try {
    child.send({ task }, () => undefined)
    // Its memory is the system's only then.
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
  }
  if (!answer) throw late ? new WorkTimeout(timeoutMs) : new Error('The process ended before its work was done.')
  if ('error' in answer) throw new Error(answer.error)
  return answer.output
}
