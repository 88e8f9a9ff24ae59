import { full } from './turns.ts'

/** A piece of work: plain CPU and memory, as most of the server's, and never changed with Backstock. */
const TEXT = JSON.stringify(
  Array.from({ length: 2000 }, (_, id) => ({ id, name: `Phone ${id}`, price: id * 100, tags: ['a', 'b'] })),
)
const ROUNDS = 40
/** How long a piece takes if nothing else runs, on the machine (two cores) for which the limits were written. */
const QUIET_MS = 35
/** Above this slowness, the machine no longer excuses slow work. */
const MOST = 5

function pieceMs(): number {
  const began = performance.now()
  for (let n = 0; n < ROUNDS; n++) JSON.stringify(JSON.parse(TEXT))
  return performance.now() - began
}

/** By how much this machine is slower now than when it is quiet: from 1 to 5. It takes a tenth of a second and more. */
export function slowness(): number {
  const [, median] = [pieceMs(), pieceMs(), pieceMs()].toSorted((a, b) => a - b)
  return Math.min(MOST, Math.max(1, median! / QUIET_MS))
}

/**
 * A limit that the product promises, in milliseconds, as a test judges it now. A full run has the machine for
 * itself: the limit stands. Beside a daily run other programs work, so the limit grows with the time that a fixed
 * piece of work takes now. Call it right after the limited work was measured.
 */
export const allowed = (ms: number) => (full ? ms : ms * slowness())
