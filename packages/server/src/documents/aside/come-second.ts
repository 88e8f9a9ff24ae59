import { readlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

/**
 * Lets people come before this thread's work, or before this process's. Only Linux has a priority for each thread: elsewhere it would
 * be the whole server's.
 */
export function comeSecond(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    const id = isMainThread ? 0 : Number(path.basename(readlinkSync('/proc/thread-self')))
    os.setPriority(id, Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // Some containers allow neither to be seen nor to be changed. The work is done all the same.
  }
}
