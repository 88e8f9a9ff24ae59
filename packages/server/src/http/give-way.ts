import { setTimeout as delay } from 'node:timers/promises'
import { isApi } from './session.ts'
import type { App } from './typed-routes.ts'

/** Work rests so many times as long as it has worked, while people ask for something; and never longer than this. */
const REST = 4
const LONGEST_MS = 500

let arrived = 0
/** The piece that was begun last. */
let working: Promise<unknown> | undefined

/** Counts the requests to the API that the guard lets in. Call it after the guard. */
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
  /** Rests after the database, say, has worked on a piece for so long, and while another piece is worked on here. */
  worked(ms: number): Promise<void>
}

/**
 * For long work, as an import. Where people have asked for something meanwhile, it rests in proportion to all that it
 * has worked since its last rest; else it goes on at once.
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
      // One piece at a time: of two processors, people have one.
      await Promise.race([working, delay(LONGEST_MS, undefined, { ref: false })])
    },
  }
}
