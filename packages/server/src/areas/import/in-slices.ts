import { setImmediate as nextTurn } from 'node:timers/promises'

/** A millisecond or two of work. */
const SLICE = 100

/** `map` over many rows that lets requests, and answers of the database, in between. In order, one after the other. */
export async function inSlices<From, To>(rows: readonly From[], map: (row: From, n: number) => To): Promise<To[]> {
  const made: To[] = []
  for (const [n, row] of rows.entries()) {
    if (n > 0 && n % SLICE === 0) await nextTurn()
    made.push(map(row, n))
  }
  return made
}
