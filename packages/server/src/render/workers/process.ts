import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { FileOnDisk } from '../../http/file-on-disk.ts'
import { type Answer, answerOf, lowerPriority } from './answer.ts'
import { inTurns } from './turns.ts'

/** The most memory that all processes together may take. */
const MEMORY_MB = 300
/**
 * A process that has not answered by then hangs: it waits for something. If it computed, its time limit would have
 * ended it.
 */
const PATIENCE_MS = 60_000
/** How often a process checks its memory. */
const LOOK_MS = 10
/** The process has the uploaded file as its standard input. */
const FILE = 0
/** And the file that it writes to, if it was given one, after its four streams. */
const RESULT = 4

const sharedTurn = inTurns(MEMORY_MB)

/**
 * `cpuMs` is the time for which the process computes, so that a busy machine refuses nobody. `memoryMb` is all the
 * memory that it takes. Work that takes longer than a moment has turns of its own, so that others do not wait for it.
 */
type Limits = { cpuMs: number; memoryMb: number; patienceMs?: number; turn?: ReturnType<typeof inTurns> }

/**
 * Opens strangers' files, each in a process of its own. A file that does harm ends only that process, and all
 * memory goes back to the system. `worker` is a file that calls `answerOnce`. The process gets no environment.
 * Files of several people are opened in turns. Rejects with the error of the work, or when the process ended
 * without an answer.
 */
export function processForEachFile<Task, Output>(worker: URL, { turn = sharedTurn, ...limits }: Limits) {
  return (person: number, content: FileOnDisk, task: Task, result?: FileHandle): Promise<Output> =>
    turn(person, limits.memoryMb, () => inProcess(worker, limits, content, task, result))
}

async function inProcess<Task, Output>(
  worker: URL,
  { memoryMb, cpuMs, patienceMs = PATIENCE_MS }: Limits,
  content: FileOnDisk,
  task: Task,
  result: FileHandle | undefined,
): Promise<Output> {
  if (!content.isWanted()) throw new Error('Nobody waits for it any more.')
  const child = fork(worker, [String(memoryMb), String(cpuMs)], {
    // Half of the memory is left for the file and for the libraries' copies of it: both lie outside of V8's heap.
    execArgv: [`--max-old-space-size=${Math.floor(memoryMb / 2)}`],
    env: {},
    serialization: 'advanced',
    stdio: [content.handle.fd, 'ignore', 'ignore', 'ipc', ...(result ? [result.fd] : [])],
  })
  let answer: Answer<Output> | undefined
  const end = () => child.kill('SIGKILL')
  const timer = setTimeout(end, patienceMs)
  process.once('exit', end)
  child.on('message', (said) => {
    answer = said as Answer<Output>
    end()
  })
  try {
    child.send({ task }, () => undefined)
    // Only then is its memory free for the next.
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
    process.off('exit', end)
  }
  if (!answer) throw new Error('The process ended before its work was done.')
  if ('error' in answer) throw new Error(answer.error)
  return answer.output
}

/** The worker's side. Call it once in the worker's file: `work` gets the content of the file and the task. */
export function answerOnce<Task, Output>(work: (content: Buffer, task: Task) => Promise<Output>): void {
  answerWithFiles<Task, Output>((_files, task) => work(wholeFile(), task))
}

/** The same for large files: `work` gets the descriptors of the file to read and of the one to write. */
export function answerWithFiles<Task, Output>(
  work: (files: { content: number; result: number }, task: Task) => Promise<Output>,
): void {
  const [memoryMb, cpuMs] = process.argv.slice(2)
  killBeyond(Number(memoryMb), Number(cpuMs))
  lowerPriority()
  process.once('message', async (message) => {
    const { task } = message as { task: Task }
    process.send?.(await answerOf(async () => work({ content: FILE, result: RESULT }, task)))
  })
  process.once('disconnect', () => process.exit())
}

/**
 * Kills this process as soon as it has more memory than `memoryMb` or has computed for longer than `cpuMs`. A thread of
 * its own looks, since this one is busy. It looks at all memory, since V8's own limit counts no buffers.
 */
function killBeyond(memoryMb: number, cpuMs: number): void {
  const look = `
    setInterval(() => {
      const { user, system } = process.cpuUsage()
      const isBeyond = process.memoryUsage.rss() > ${memoryMb * 1024 * 1024} || user + system > ${cpuMs * 1000}
      if (isBeyond) process.kill(process.pid, 'SIGKILL')
    }, ${LOOK_MS})`
  new Worker(look, { eval: true }).unref()
}

/** Read by position: this process shares the place to read on at with the server, which has written the file. */
function wholeFile(): Buffer {
  const content = Buffer.allocUnsafeSlow(fstatSync(FILE).size)
  for (let at = 0; at < content.length; ) at += readSync(FILE, content, at, content.length - at, at) || content.length
  return content
}
