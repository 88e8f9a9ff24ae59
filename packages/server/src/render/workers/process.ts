import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileOnDisk } from '../../http/file-on-disk.ts'
import { type Answer, answerOf, lowerPriority } from './answer.ts'
import { inTurns } from './turns.ts'

/** The most memory of all processes together, in MB. */
const MEMORY_MB = 300
/** The time after which a process without an answer hangs. If it were computing, its CPU limit would have ended it. */
const PATIENCE_MS = 60_000
/** The time between two checks of a process's memory. */
const LOOK_MS = 10
/** The descriptor of the uploaded file, which is the standard input of the process. */
const FILE = 0
/** The descriptor of the file that the process writes, if it gets such a file. It follows after four streams. */
const RESULT = 4

const sharedTurn = inTurns(MEMORY_MB)

/**
 * The limits of a process. `cpuMs` is the time for which it computes, so that a busy machine is no reason to refuse a
 * file. `memoryMb` is all its memory. Work that takes longer gets turns of its own (`turn`), so that other work does
 * not wait for it.
 */
type Limits = { cpuMs: number; memoryMb: number; patienceMs?: number; turn?: ReturnType<typeof inTurns> }

/**
 * Makes a function that opens strangers' files, each in a process of its own. A harmful file only ends that process,
 * and all its memory is freed. `worker` is a file that calls `answerOnce`. The process does not get the server's
 * environment. Files of several people are opened in turns. The promise rejects with the error of the work, and if the
 * process ends without an answer.
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
    // The other half of the memory is for the file and for copies of it in libraries. These are outside of V8's heap.
    execArgv: [`--max-old-space-size=${Math.floor(memoryMb / 2)}`],
    env: compiledCode(),
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
    // Only after the exit is the memory free for the next process.
    await once(child, 'exit')
  } finally {
    clearTimeout(timer)
    process.off('exit', end)
  }
  if (!answer) throw new Error('The process ended before its work was done.')
  if ('error' in answer) throw new Error(answer.error)
  return answer.output
}

/**
 * The environment of a process: the folder with compiled code, if the server has one. Without it a process takes twice
 * as long to start.
 */
function compiledCode(): NodeJS.ProcessEnv {
  const ofThisVersion = getCompileCacheDir()
  return ofThisVersion ? { NODE_COMPILE_CACHE: path.dirname(ofThisVersion) } : {}
}

/** The worker's side. A worker's file calls it once. `work` gets the content of the file and the task. */
export function answerOnce<Task, Output>(work: (content: Buffer, task: Task) => Promise<Output>): void {
  answerWithFiles<Task, Output>((_files, task) => work(wholeFile(), task))
}

/** The worker's side for large files. `work` gets the descriptors of the file to read and of the file to write. */
export function answerWithFiles<Task, Output>(
  work: (files: { content: number; result: number }, task: Task) => Promise<Output>,
): void {
  const [memoryMb, cpuMs] = process.argv.slice(2)
  killBeyond(Number(memoryMb), Number(cpuMs))
  lowerPriority()
  // A killed process stores no compiled code, so it does so now, before it has read any of the file.
  flushCompileCache()
  process.once('message', async (message) => {
    const { task } = message as { task: Task }
    process.send?.(await answerOf(async () => work({ content: FILE, result: RESULT }, task)))
  })
  process.once('disconnect', () => process.exit())
}

/**
 * Kills this process as soon as it takes more memory than `memoryMb`, or has computed for longer than `cpuMs`. The
 * check runs in a thread of its own, because this one is busy. It counts all memory, because V8's own limit does not
 * count buffers.
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

/**
 * The content of the file. It is read by position, because this process shares the reading position with the server,
 * which has written the file.
 */
function wholeFile(): Buffer {
  const content = Buffer.allocUnsafeSlow(fstatSync(FILE).size)
  for (let at = 0; at < content.length; ) at += readSync(FILE, content, at, content.length - at, at) || content.length
  return content
}
