import { isDeepStrictEqual } from 'node:util'
import type { Bench } from './bench.ts'
import type { Exchange, Operation } from './load-client.ts'
import type { Side } from './measure.ts'

/** Throws if the limit answers other data than the server, because then it would not be the limit of the same work. */
export async function expectSameAnswers(bench: Bench, limit: Operation, server: Operation): Promise<void> {
  for (const [n, exchange] of limit.entries()) {
    const [less, more] = [await answer(bench, 'limit', exchange), await answer(bench, 'server', server[n]!)]
    const difference = missing(less, more, '')
    if (difference) throw new Error(`${server[n]!.path}: the limit's answer differs at ${difference}`)
  }
}

async function answer({ sides }: Bench, side: Side, { method, path, body }: Exchange): Promise<unknown> {
  const { target, sessions } = sides[side]
  const session = sessions[0]!
  const response = await fetch(target + path.replace(':me', String(session.userId)), {
    method,
    headers: { cookie: session.cookie, 'x-xsrf-token': session.csrf, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/**
 * Compares two values. Returns the path at which `more` lacks a part of `less` or differs from it; undefined if it
 * contains all of it.
 */
function missing(less: unknown, more: unknown, at: string): string | undefined {
  if (less === null || typeof less !== 'object' || more === null || typeof more !== 'object')
    return isDeepStrictEqual(less, more) ? undefined : `${at}: ${JSON.stringify(less)}, ${JSON.stringify(more)}`
  if (Array.isArray(less) && less.length !== (more as unknown[]).length)
    return `${at}: ${less.length} and ${(more as unknown[]).length} rows`
  for (const [key, value] of Object.entries(less)) {
    const difference = missing(value, (more as Record<string, unknown>)[key], `${at}.${key}`)
    if (difference) return difference
  }
  return undefined
}
