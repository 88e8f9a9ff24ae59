import { setTimeout as delay } from 'node:timers/promises'
import { isApi } from './session.ts'
import type { App } from './typed-routes.ts'

// Long work, such as an import, takes only the time that requests leave: it pauses for each request that arrives. If
// ten requests come each second, it gets four fifths of an instance's time; if more come, it always keeps one fifth.
// The reasons are in docs/decisions/2026-11-23-shares-of-time.md.
const REST_FOR_REQUEST_MS = 20
/** A pause is at most this many times as long as the work before it. */
const REST_FOR_WORKED = 4
/** The longest pause that requests can add up to, so that pauses end soon after the last request. */
const LONGEST_REST_MS = 1000

/** Work that is done in pieces of some milliseconds. */
export type LongWork = {
  /** Runs a piece, then pauses. */
  work<Result>(piece: () => Promise<Result>): Promise<Result>
  /**
   * Pauses after a piece that took this long elsewhere, for example in the database. It also waits while another piece
   * runs here.
   */
  worked(ms: number): Promise<void>
}

export type Pace = {
  /** Call it when a request has arrived. */
  asked(): void
  longWork(): LongWork
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The pace of the long work in this process. */
    pace: Pace
  }
}

/** Makes long work pause for each request to the API that the guard accepts. Call it after the guard. */
export function keepPace(app: App): void {
  const pace = newPace()
  app.decorate('pace', pace)
  app.addHook('onRequest', (request, _reply, next) => {
    if (isApi(request)) pace.asked()
    next()
  })
}

export function newPace(rest: (ms: number) => Promise<unknown> = delay): Pace {
  let asked = 0
  /** The piece that began last. */
  let working: Promise<unknown> | undefined

  function longWork(): LongWork {
    let seen = asked
    let owed = 0
    let sinceRest = 0
    /** Pauses if there is a reason, and returns whether there was one. */
    async function restAfter(ms: number): Promise<boolean> {
      sinceRest += ms
      owed = Math.min(owed + (asked - seen) * REST_FOR_REQUEST_MS, LONGEST_REST_MS)
      seen = asked
      const due = Math.min(owed, sinceRest * REST_FOR_WORKED)
      if (due < 1) return false
      owed -= due
      sinceRest = 0
      await rest(due)
      return true
    }
    return {
      async work(piece) {
        const began = performance.now()
        const running = piece()
        working = running.catch(() => undefined)
        const result = await running
        await restAfter(performance.now() - began)
        return result
      },
      async worked(ms) {
        // One piece runs at a time, so that on two processors one is free for people.
        if (await restAfter(ms)) await Promise.race([working, delay(LONGEST_REST_MS, undefined, { ref: false })])
      },
    }
  }

  return {
    asked() {
      asked++
    },
    longWork,
  }
}
