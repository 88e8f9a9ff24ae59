import fs from 'node:fs'
import { digest } from './digest.ts'
import { withStartLock } from './start-lock.ts'

const LARGEST = 10 * 1024 * 1024
/** The number of log files, with the one that is being written. */
const FILES = 7

/**
 * Moves a large log to `….1`, `….1` to `….2`, and so on; the oldest is deleted. PostgreSQL keeps the log open, so it is
 * copied and then emptied; a line that is written between the two is lost. Several processes may call this at once.
 */
export async function rotateLog(log: string): Promise<void> {
  if (!isLarge(log)) return
  await withStartLock(`${digest(log)}-log`, async () => {
    if (!isLarge(log)) return // another process has done it
    for (let n = FILES - 2; n > 0; n--)
      if (fs.existsSync(`${log}.${n}`)) fs.renameSync(`${log}.${n}`, `${log}.${n + 1}`)
    fs.copyFileSync(log, `${log}.1`)
    fs.truncateSync(log)
  })
}

const isLarge = (log: string) => (fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LARGEST
