import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { RunningServer } from '../journeys/running-server.ts'

const PAUSE_MS = 5

export type HealthWatch = {
  /** The longest time in ms that `/healthz` had to wait for other work of the server since the last call. */
  longest(): Promise<number>
  end(): Promise<unknown>
}

/** Asks a server for `/healthz` again and again. It does so in a worker, because the test's own thread is busy. */
export async function watchHealth({ address, pid }: RunningServer): Promise<HealthWatch> {
  const worker = new Worker(import.meta.filename, { workerData: { address, pid } })
  const longest = async () => {
    worker.postMessage('longest')
    const [ms] = await once(worker, 'message')
    return ms
  }
  await longest()
  return { longest, end: () => worker.terminate() }
}

/** The time in ms for which a process' main thread has run; undefined if the system does not say. */
function worked(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return undefined
  }
}

async function watch(server: { address: string; pid: number }): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async () => {
    const [response] = await once(http.get(`${server.address}/healthz`, { agent }), 'response')
    response.resume()
    await once(response, 'end')
  }
  let longest = 0
  parentPort!.on('message', () => {
    parentPort!.postMessage(longest)
    longest = 0
  })
  for (;;) {
    const [began, before] = [performance.now(), worked(server.pid)]
    await ask().catch(() => delay(PAUSE_MS)) // the server has stopped
    const waited = performance.now() - began
    const after = worked(server.pid)
    // The time that other processes used does not count.
    const its = before === undefined || after === undefined ? waited : Math.min(waited, after - before)
    longest = Math.max(longest, its)
    await delay(PAUSE_MS)
  }
}

if (!isMainThread && workerData?.pid) await watch(workerData)
