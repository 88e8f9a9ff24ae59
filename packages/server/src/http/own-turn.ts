import { setImmediate as nextRound } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for the next free round of the event loop. Each large piece of work waits for one, so that between two pieces
 * everybody else has a round.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => nextRound())
  return last
}
