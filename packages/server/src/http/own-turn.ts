import { setImmediate as nextRound } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for a round of the event loop of one's own. Each large piece of work takes one, so that of several that come at once
 * nobody has to wait for more than one.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => nextRound())
  return last
}
