import { getFrom } from '../lists.ts'
import { Refusal } from './refusal.ts'

/**
 * Limits the number of slow pieces of work, waiting ones included: `all` in total, `each` for one person, so that
 * nobody takes all places. Throws 503 if there is no place.
 */
export function places(what: string, { all, each }: { all: number; each: number }) {
  const taken = new Map<number, number>()
  let running = 0
  return async <Result>(person: number, work: () => Promise<Result>): Promise<Result> => {
    const own = taken.get(person) ?? 0
    if (running >= all || own >= each)
      throw new Refusal(503, `Too many ${what} are being made. Please try again in a moment.`, { retryAfter: 10 })
    running++
    taken.set(person, own + 1)
    try {
      return await work()
    } finally {
      running--
      const left = getFrom(taken, person) - 1
      if (left) taken.set(person, left)
      else taken.delete(person)
    }
  }
}
