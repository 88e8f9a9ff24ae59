import type { Bench } from '../bench.ts'

const LIST = [{ method: 'GET' as const, path: '/api/stock/find?status=In%20Stock&per_page=10' }]
const TURN_MS = 200
const IDLE_TURNS = 10

/** How long the stock list takes now, one client asking all the time for `turns` turns. */
async function listTurn({ load, sides }: Bench): Promise<number[]> {
  return (await load.run({ ...sides.server, operations: [LIST], clients: 1, forMs: TURN_MS })).times
}

/** The same while nothing else is done, for two seconds. */
export async function listTimes(bench: Bench): Promise<number[]> {
  const found: number[] = []
  for (let turn = 0; turn < IDLE_TURNS; turn++) found.push(...(await listTurn(bench)))
  return found
}

/** The same until `work` is done. */
export async function listTimesDuring(bench: Bench, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  let done = false
  const working = work().finally(() => {
    done = true
  })
  while (!done) found.push(...(await listTurn(bench)))
  await working
  return found
}
