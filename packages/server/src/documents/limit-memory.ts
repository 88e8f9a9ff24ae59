import { Worker } from 'node:worker_threads'

const LOOK_MS = 10

/**
 * Ends this process as soon as it takes more memory than `megabytes`, also while it computes: V8's own limit counts no
 * buffers.
 */
export function limitMemory(megabytes: number): void {
  const look = `
    setInterval(() => {
      if (process.memoryUsage.rss() > ${megabytes * 1024 * 1024}) process.kill(process.pid, 'SIGKILL')
    }, ${LOOK_MS})`
  new Worker(look, { eval: true }).unref()
}
