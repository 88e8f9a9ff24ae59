import { readlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** The message that a worker (a thread or a process) sends when its work has ended. */
export type Answer<Output> = { output: Output } | { error: string }

/** Does the work, and returns its result or its error in a form that fits into a message. */
export async function answerOf<Output>(work: () => Promise<Output>): Promise<Answer<Output>> {
  try {
    return { output: await work() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Gives this thread or process a lower priority than the server, which answers people. Only Linux has a priority for
 * each thread; on other systems this would lower the priority of the whole server.
 */
export function lowerPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    const id = isMainThread ? 0 : Number(path.basename(readlinkSync('/proc/thread-self')))
    os.setPriority(id, Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // Some containers forbid it. The work is done nevertheless.
  }
}
