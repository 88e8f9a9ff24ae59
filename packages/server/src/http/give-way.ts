import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { isApi } from './session.ts'

/** How long work rests that somebody waits beside, to how long it has worked; and at most. */
const REST = 2
const LONGEST_MS = 250

let arrived = 0

/** Counts the requests that the API of this process lets in: call it after the guard. */
export function countArrivals(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, next) => {
    if (isApi(request)) arrived++
    next()
  })
}

/**
 * For work that takes seconds and may take longer, as an import: a function to be called between its pieces, which rests where
 * people asked for something meanwhile. Alone it goes on at once.
 */
export function givingWay(): () => Promise<void> {
  let seen = arrived
  let since = performance.now()
  return async () => {
    const worked = performance.now() - since
    if (arrived !== seen) await delay(Math.min(worked * REST, LONGEST_MS))
    seen = arrived
    since = performance.now()
  }
}
