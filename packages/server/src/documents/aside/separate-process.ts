import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { FileOnDisk } from '../../http/file-on-disk.ts'
import type { Answer } from './apart.ts'
import { fairTurns } from './fair-turns.ts'

/** What all these processes together may take. */
const MEMORY_MB = 300
/** A process that computes nothing for so long hangs. */
const PATIENCE_MS = 60_000

const inTurns = fairTurns(MEMORY_MB)

/** `cpuMs` is time in which the process computes, so that a busy machine refuses nobody; `memoryMb` is all that it takes. */
type Limits = { cpuMs: number; memoryMb: number }

/**
 * Work on what strangers send, in a process of its own for each file: whatever it does to itself, it ends alone, and its memory is
 * the system's again. `file` answers through `answerOnce`, and keeps the limits itself (`limit-process.ts`). It gets no environment.
 * Files of several people are looked at in turns. Rejects with what the work threw, or where the process broke off.
 */
export function separateProcess<Task, Output>(file: URL, limits: Limits) {
  return (person: number, content: FileOnDisk, task: Task): Promise<Output> =>
    inTurns(person, limits.memoryMb, () => inProcess(file, limits, content, task))
}

async function inProcess<Task, Output>(
  file: URL,
  { memoryMb, cpuMs }: Limits,
  content: FileOnDisk,
  task: Task,
): Promise<Output> {
  if (!content.isWanted()) throw new Error('Nobody waits for it any more.')
  const child = fork(file, [String(memoryMb), String(cpuMs)], {
    // The file and what libraries hold of it lie outside of V8's heap, which sees to its own limit at once.
    execArgv: [`--max-old-space-size=${Math.floor(memoryMb / 2)}`],
    env: {},
    serialization: 'advanced',
    stdio: [content.handle.fd, 'ignore', 'ignore', 'ipc'],
  })
  let answer: Answer<Output> | undefined
  const end = () => child.kill('SIGKILL')
  const timer = setTimeout(end, PATIENCE_MS)
  process.once('exit', end)
  child.on('message', (said) => {
    answer = said as Answer<Output>
    end()
  })
  try {
    child.send({ task }, () => undefined)
    // Its memory is the system's only then.
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
    process.off('exit', end)
  }
  if (!answer) throw new Error('The process ended before its work was done.')
  if ('error' in answer) throw new Error(answer.error)
  return answer.output
}
