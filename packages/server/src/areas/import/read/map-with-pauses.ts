import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long rows are worked on in one round of the event loop. A request waits for some of these, one after the other. */
const ROUND_MS = 1

/** Like `rows.map(map)`, but lets requests and answers of the database in between, however wide the rows are. */
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
