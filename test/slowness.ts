import { createHash } from 'node:crypto'

/** The time of one piece of work, in milliseconds, on the quiet machine for which budgets and limits were set. */
const USUAL_MS = 40
const PIECE = Buffer.alloc(16 * 1024 * 1024)

/** How many times slower than usual this machine works now: the median of five pieces of fixed work, at least 1. */
export function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    createHash('sha256').update(PIECE).digest()
    return performance.now() - began
  })
  const median = times.toSorted((a, b) => a - b)[2] ?? USUAL_MS
  return Math.max(1, median / USUAL_MS)
}
