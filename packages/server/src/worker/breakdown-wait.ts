const FIRST_MS = 250
const LONGEST_MS = 5000

/**
 * The wait in milliseconds before the worker starts again after a breakdown. `last` is the wait before, null if there was
 * none, and `ranMs` the time that the worker has run since. The wait is doubled each time. If the worker has run for a
 * while, the breakdown is a new one, so the wait is short again.
 */
export const breakdownWait = (last: number | null, ranMs: number): number =>
  last === null || ranMs > LONGEST_MS ? FIRST_MS : Math.min(last * 2, LONGEST_MS)
