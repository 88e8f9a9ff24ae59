import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many rows take half a millisecond or less. A request waits for some of these, one after the other. */
const ROWS = 25

/** Like `rows.map(map)`, but lets requests and answers of the database in between. */
export async function mapWithPauses<From, To>(rows: readonly From[], map: (row: From, n: number) => To): Promise<To[]> {
  const made: To[] = []
  for (const [n, row] of rows.entries()) {
    if (n > 0 && n % ROWS === 0) await nextTurn()
    made.push(map(row, n))
  }
  return made
}
