import { setTimeout as delay } from 'node:timers/promises'
import { isApi } from './session.ts'
import type { App } from './typed-routes.ts'

// Long work, as an import, has what people leave of an instance's time. For each millisecond that a request took it owes
// a rest of five: one person who asks ten times a second has a tenth to a quarter of the time so. It keeps a fifth, however
// many ask. Why: docs/decisions/2026-11-23-shares-of-time.md.
const REST_FOR_ASKED = 5
const REST_FOR_WORKED = 4
/** No more is owed at a time: rests end soon after the last request, and a download, say, does not count for its whole time. */
const LONGEST_REST_MS = 500

/** Work in pieces that take some milliseconds each. */
export type LongWork = {
  /** Works on a piece, then rests. */
  work<Result>(piece: () => Promise<Result>): Promise<Result>
  /** Rests after the database, say, has worked on a piece for so long, and while another piece is worked on here. */
  worked(ms: number): Promise<void>
}

export type Pace = {
  /** People have asked for something, which took so long. */
  asked(ms: number): void
  longWork(): LongWork
}

declare module 'fastify' {
  interface FastifyInstance {
    pace: Pace
  }
}

/** Sets the pace of long work by the time that requests to the API take. */
export function keepPace(app: App): void {
  const pace = newPace()
  app.decorate('pace', pace)
  app.addHook('onResponse', (request, reply, next) => {
    if (isApi(request)) pace.asked(reply.elapsedTime)
    next()
  })
}

export function newPace(rest: (ms: number) => Promise<unknown> = delay): Pace {
  /** The time of all requests so far. */
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
      owed = Math.min(owed + (asked - seen) * REST_FOR_ASKED, LONGEST_REST_MS)
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
    asked(ms) {
      asked += ms
    },
    longWork,
  }
}
