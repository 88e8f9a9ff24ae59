import { full } from './turns.ts'

/**
 * A fixed piece of work that takes CPU and memory, as most work of the server does. It never changes with Backstock.
 */
const TEXT = JSON.stringify(
  Array.from({ length: 2000 }, (_, id) => ({ id, name: `Phone ${id}`, price: id * 100, tags: ['a', 'b'] })),
)
const ROUNDS = 40
/** The time of a piece if nothing else runs, on the machine with two cores for which the limits were written. */
const QUIET_MS = 35
/** The highest factor by which a limit grows on a slow machine. */
const MOST = 5

function pieceMs(): number {
  const began = performance.now()
  for (let n = 0; n < ROUNDS; n++) JSON.stringify(JSON.parse(TEXT))
  return performance.now() - began
}

/**
 * The factor by which this machine is now slower than when it is quiet: from 1 to 5. Measuring takes a tenth of a
 * second or more.
 */
export function slowness(): number {
  const [, median] = [pieceMs(), pieceMs(), pieceMs()].toSorted((a, b) => a - b)
  return Math.min(MOST, Math.max(1, median! / QUIET_MS))
}

/**
 * A promised limit in ms, as a test applies it now. A full run has the machine for itself, so the limit stays. Other
 * programs run beside a daily run, so the limit grows with the time that a fixed piece of work takes now. Call it right
 * after the work that has the limit.
 */
export const allowed = (ms: number) => (full ? ms : ms * slowness())
