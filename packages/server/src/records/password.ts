import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../http/refusal.ts'

/** Argon2id with more than the least settings of OWASP's password storage cheat sheet: 64 MiB and 3 passes. */
const settings = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const

/**
 * The most passwords that are checked at once. Each takes 64 MiB, a core for 50 ms and one of libuv's four threads, and
 * the rest of the server needs a core and a thread, too.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * The two groups of people who log in. `known` are those in a known browser, and those who are logged in; they come
 * first.
 */
export type Lane = 'known' | 'strangers'
/** The most logins at once. A stranger behind 20 others waits about two seconds. */
const MOST: Record<Lane, number> = { known: 100, strangers: 20 }

const loggingIn: Record<Lane, number> = { known: 0, strangers: 0 }
const waiting: Record<Lane, (() => void)[]> = { known: [], strangers: [] }
let free = AT_ONCE

async function inTurn<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
  if (free === 0) await new Promise<void>((go) => waiting[lane].push(go))
  else free--
  const started = performance.now()
  try {
    return await work()
  } finally {
    // If many strangers come, they get half of the time. The other half is left for the people who work here.
    const isFlood = lane === 'strangers' && waiting.strangers.length > 0 && waiting.known.length === 0
    if (isFlood) setTimeout(letNextIn, performance.now() - started)
    else letNextIn()
  }
}

function letNextIn(): void {
  const next = waiting.known.shift() ?? waiting.strangers.shift()
  if (next) next()
  else free++
}

/** Runs a login. Throws 429 at once if too many run already. `isPassword` must be called inside of it. */
export async function withPlaceInQueue<Result>(lane: Lane, logIn: () => Promise<Result>): Promise<Result> {
  if (loggingIn[lane] >= MOST[lane])
    throw new Refusal(429, 'Too many people are logging in right now. Please try again in a moment.', { retryAfter: 2 })
  loggingIn[lane]++
  try {
    return await logIn()
  } finally {
    loggingIn[lane]--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn('known', () => hash(password, settings))
}

/**
 * Checks a password. If there is no account with this name, there is no hash either: the check then takes as long as
 * with a hash, and returns false.
 */
export async function isPassword(password: string, passwordHash: string | undefined, lane: Lane): Promise<boolean> {
  const right = await inTurn(lane, () => verify(passwordHash ?? NOBODYS, password))
  return right && passwordHash !== undefined
}

/**
 * A text that looks like a hash and takes as long to check. Making a real one would take longer than the rest of a
 * start.
 */
const NOBODYS = `$argon2id$v=19$m=${settings.memoryCost},t=${settings.timeCost},p=${settings.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
