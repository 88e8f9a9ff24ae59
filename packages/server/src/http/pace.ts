import { setTimeout as delay } from 'node:timers/promises'
import { isApi } from './session.ts'
import type { App } from './typed-routes.ts'

// Long work, such as an import, takes the time that people leave: it pauses for each request that arrives. With ten
// requests a second it has four fifths of an instance's time; with any number of them it keeps one fifth. Why:
// docs/decisions/2026-11-23-shares-of-time.md.
const REST_FOR_REQUEST_MS = 20
/** It pauses at most this many times as long as it has worked. */
const REST_FOR_WORKED = 4
/** No more is owed at a time: rests end soon after the last request. */
const LONGEST_REST_MS = 1000

/** Work in pieces that take some milliseconds each. */
export type LongWork = {
  /** Works on a piece, then rests. */
  work<Result>(piece: () => Promise<Result>): Promise<Result>
  /** Rests after the database, say, has worked on a piece for so long, and while another piece is worked on here. */
  worked(ms: number): Promise<void>
}

export type Pace = {
  /** Somebody has asked for something. */
  asked(): void
  longWork(): LongWork
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The figures of the long work in this process. */
    pace: Pace
  }
}

/** Sets the pace of long work by the requests to the API that the guard lets in. Call it after the guard. */
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
  /** The piece that was begun last. */
  let working: Promise<unknown> | undefined

  function longWork(): LongWork {
    let seen = asked
    let owed = 0
    let sinceRest = 0
    /** Answers whether there was a reason to rest. */
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
        // One piece at a time: of two processors, people have one.
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
