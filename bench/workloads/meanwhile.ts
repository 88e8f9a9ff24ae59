import type { Bench } from '../bench.ts'
import type { Load } from '../load-client.ts'

const LIST = [{ method: 'GET' as const, path: '/api/stock/find?status=In%20Stock&per_page=10' }]
const IDLE_MS = 2000

/** Requests to the server that are repeated for a while. */
export type Asked = Pick<Load, 'operations' | 'clients' | 'everyMs'> & { forMs: number }
/** One client that reads the stock list again and again. */
const listTurn: Asked = { operations: [LIST], clients: 1, forMs: 200 }

/** The times of the requests while nothing else runs, measured for at least this many ms. */
export async function timesAlone(bench: Bench, asked: () => Asked, forMs: number): Promise<number[]> {
  const end = performance.now() + forMs
  const found: number[] = []
  while (performance.now() < end) found.push(...(await turn(bench, asked())))
  return found
}

/** The times of the requests until `work` is done. */
export async function timesDuring(bench: Bench, asked: () => Asked, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  let done = false
  const working = work().finally(() => {
    done = true
  })
  while (!done) found.push(...(await turn(bench, asked())))
  await working
  return found
}

const turn = async ({ load, sides }: Bench, asked: Asked) => (await load.run({ ...sides.server, ...asked })).times

export const listTimes = (bench: Bench) => timesAlone(bench, () => listTurn, IDLE_MS)
export const listTimesDuring = (bench: Bench, work: () => Promise<unknown>) => timesDuring(bench, () => listTurn, work)
