import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The time for which rows are processed before other work gets a turn. A request may have to wait for several of these
 * rounds.
 */
const ROUND_MS = 1

/** Like `rows.map(map)`, but it pauses regularly, so that the server can answer other requests meanwhile. */
export async function mapWithPauses<From, To>(rows: readonly From[], map: (row: From, n: number) => To): Promise<To[]> {
  const made: To[] = []
  let began = performance.now()
  for (const [n, row] of rows.entries()) {
    made.push(map(row, n))
    if (performance.now() - began < ROUND_MS) continue
    await nextTurn()
    began = performance.now()
  }
  return made
}
