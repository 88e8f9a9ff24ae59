import { setTimeout as delay } from 'node:timers/promises'
import { isApi } from './session.ts'
import type { App } from './typed-routes.ts'

/** How long work rests that somebody waits beside, to how long it has worked; and at most. */
const REST = 4
const LONGEST_MS = 500

let arrived = 0
/** Ends with the piece that was begun last. */
let working: Promise<unknown> | undefined

/** Counts the requests that the API of this process lets in: call it after the guard. */
export function countArrivals(app: App): void {
  app.addHook('onRequest', (request, _reply, next) => {
    if (isApi(request)) arrived++
    next()
  })
}

/** Long work in pieces. */
export type Pieces = {
  /** Works on a piece, then rests. */
  work<Result>(piece: () => Promise<Result>): Promise<Result>
  /** Rests after a piece that somebody else, as the database, has worked on for so long, and while others work on theirs. */
  worked(ms: number): Promise<void>
}

/**
 * For work that takes seconds and may take longer, as an import: it rests where people asked for something, for all that it
 * has worked since its last rest. Alone it goes on at once.
 */
export function givingWay(): Pieces {
  let seen = arrived
  let sinceRest = 0
  const rest = async () => {
    await delay(Math.min(sinceRest * REST, LONGEST_MS))
    sinceRest = 0
    seen = arrived
  }
  return {
    async work(piece) {
      const began = performance.now()
      const running = piece()
      working = running.catch(() => undefined)
      const result = await running
      sinceRest += performance.now() - began
      if (arrived !== seen) await rest()
      return result
    },
    async worked(ms) {
      sinceRest += ms
      if (arrived === seen) return
      await rest()
      // One at a time, so that of two processors people have one.
      await Promise.race([working, delay(LONGEST_MS, undefined, { ref: false })])
    },
  }
}
