import { Worker } from 'node:worker_threads'

const LOOK_MS = 10

/**
 * Ends this process as soon as it takes more memory than `memoryMb`, or has computed for longer than `cpuMs`, also while it computes:
 * V8's own limit counts no buffers. Time that other processes have had does not count.
 */
export function limitProcess(memoryMb: number, cpuMs: number): void {
  const look = `
    setInterval(() => {
      const { user, system } = process.cpuUsage()
      const isOver = process.memoryUsage.rss() > ${memoryMb * 1024 * 1024} || user + system > ${cpuMs * 1000}
      if (isOver) process.kill(process.pid, 'SIGKILL')
    }, ${LOOK_MS})`
  new Worker(look, { eval: true }).unref()
}
