import type { Load, LoadGenerator, Operation, Session } from './load-client.ts'

export const SIDES = ['limit', 'server'] as const
export type Side = (typeof SIDES)[number]
export type Sides = Record<Side, { target: string; sessions: Session[] }>

/** The work that server and limits both do. */
export type Turns = {
  /** About `n` operations for one turn. If there are fewer than `n`, the turn repeats them, unless `scarce` is true. */
  operations(side: Side, n: number): Promise<Operation[]> | Operation[]
  /** True if each operation can be done only once. */
  scarce?: boolean
  /** Repairs the data after a turn. Its time is not measured. */
  settle?(): Promise<unknown>
}

export type Compared = {
  /** Percentiles in ms, with one client. */
  p50: number
  p95: number
  p99: number
  limitP50: number
  /**
   * The 10th percentile of the server divided by that of the limit. It comes close to the ratio on a machine that has
   * nothing else to do.
   */
  quickRatio: number
  /** Requests a second with 16 clients. Undefined if only one client was measured. */
  rate?: number
  limitRate?: number
  /**
   * The server's best turn divided by the limit's best turn. It comes close to the share on a machine that has nothing
   * else to do.
   */
  quickShare?: number
}

const CLIENTS = 16
const ROUNDS = { one: 12, many: 5 }
const TURN_MS = { one: 150, many: 400 }
const AT_ONCE = { one: 40, many: 400 }
/** The number of operations in a turn if they can be done only once, with one client and with many. */
const SCARCE = { one: 4, many: 32 }
/**
 * Turns that are not counted: they open connections, fill caches, and let the JavaScript engine compile code that has
 * run often.
 */
const WARM_UP = 5

/** Measures server and limits in short turns, so that other work on the machine slows both. */
export async function compare(
  load: LoadGenerator,
  sides: Sides,
  turns: Turns,
  clients: 1 | 16 = 16,
): Promise<Compared> {
  const turn = async (side: Side, kind: 'one' | 'many') => {
    const operations = await turns.operations(side, (turns.scarce ? SCARCE : AT_ONCE)[kind])
    const job: Load = {
      ...sides[side],
      operations,
      clients: kind === 'one' ? 1 : CLIENTS,
      forMs: turns.scarce ? undefined : TURN_MS[kind],
    }
    const measured = await load.run(job)
    await turns.settle?.()
    return measured
  }
  const rounds = async (kind: 'one' | 'many') => {
    const all: Record<Side, { times: number[]; ms: number; best: number }> = {
      limit: { times: [], ms: 0, best: 0 },
      server: { times: [], ms: 0, best: 0 },
    }
    for (let round = 0; round < ROUNDS[kind]; round++)
      for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
        const { times, ms } = await turn(side, kind)
        all[side].times.push(...times)
        all[side].ms += ms
        all[side].best = Math.max(all[side].best, times.length / ms)
      }
    return all
  }
  for (let round = 0; round < (turns.scarce ? 1 : WARM_UP); round++) for (const side of SIDES) await turn(side, 'many')
  const one = await rounds('one')
  const found: Compared = {
    p50: percentile(one.server.times, 50),
    p95: percentile(one.server.times, 95),
    p99: percentile(one.server.times, 99),
    limitP50: percentile(one.limit.times, 50),
    quickRatio: percentile(one.server.times, 10) / percentile(one.limit.times, 10),
  }
  if (clients === 1) return found
  const many = await rounds('many')
  const rate = ({ times, ms }: { times: number[]; ms: number }) => (times.length * 1000) / ms
  const quickShare = many.server.best / many.limit.best
  return { ...found, rate: rate(many.server), limitRate: rate(many.limit), quickShare }
}

export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

export const median = (times: readonly number[]) => percentile(times, 50)
