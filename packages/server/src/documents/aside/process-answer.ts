import { fstatSync, readSync } from 'node:fs'
import type { Answer } from './apart.ts'
import { comeSecond } from './come-second.ts'
import { limitProcess } from './limit-process.ts'

/** The file that `separateProcess` hands over. */
const FILE = 0

/** Called once in a process's file: answers with what `work` makes of the file and the task, or with what it throws. */
export function answerOnce<Task, Output>(work: (content: Buffer, task: Task) => Promise<Output>): void {
  const [memoryMb, cpuMs] = process.argv.slice(2).map(Number)
  limitProcess(memoryMb!, cpuMs!)
  comeSecond()
  const answer = async (task: Task): Promise<Answer<Output>> => {
    try {
      return { output: await work(wholeFile(), task) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  process.once('message', async (message) => process.send?.(await answer((message as { task: Task }).task)))
  process.once('disconnect', () => process.exit())
}

/** By position, since the place to read at is shared with whoever wrote the file. */
function wholeFile(): Buffer {
  const content = Buffer.allocUnsafeSlow(fstatSync(FILE).size)
  for (let at = 0; at < content.length; ) at += readSync(FILE, content, at, content.length - at, at) || content.length
  return content
}
