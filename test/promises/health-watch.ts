import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { RunningServer } from '../journeys/running-server.ts'

const PAUSE_MS = 5

export type HealthWatch = {
  /** The longest wait of `/healthz` behind the server's other work since the last call, in milliseconds. */
  longest(): Promise<number>
  end(): Promise<unknown>
}

/** Asks a server for `/healthz` again and again, from a thread of its own, because the attacker's thread is busy. */
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

/** How long a process' main thread has worked, in milliseconds; nothing if the system does not say. */
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
    await ask().catch(() => delay(PAUSE_MS)) // a server that has stopped
    const waited = performance.now() - began
    const after = worked(server.pid)
    // Other processes' share of the machine is not the server's.
    const its = before === undefined || after === undefined ? waited : Math.min(waited, after - before)
    longest = Math.max(longest, its)
    await delay(PAUSE_MS)
  }
}

if (!isMainThread && workerData?.pid) await watch(workerData)
