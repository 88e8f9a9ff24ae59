import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../http/refusal.ts'

/** Argon2id as OWASP's password storage cheat sheet asks for at least: 64 MiB, 3 passes. */
const settings = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const

/** Each takes 64 MiB, a core for 50 ms and one of libuv's four threads: the rest of the server keeps one of each. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))

/** People whom we know go first: those who log in from a known place, and those who are logged in. */
export type Lane = 'known' | 'strangers'
/** The most that may be logging in at once. A stranger behind 20 others waits about two seconds. */
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
    // A flood of strangers gets half of the time; the other half is for the people who work here.
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

/** Runs a login, or throws 429 at once if too many are logging in. `isPassword` is called only in there. */
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

/** Checks a password. Without a hash (no such account) it takes the same time and says no. */
export async function isPassword(password: string, passwordHash: string | undefined, lane: Lane): Promise<boolean> {
  const right = await inTurn(lane, () => verify(passwordHash ?? NOBODYS, password))
  return right && passwordHash !== undefined
}

/** Looks like a hash and costs as much to check; to make one would take longer than all else at a start of the server. */
const NOBODYS = `$argon2id$v=19$m=${settings.memoryCost},t=${settings.timeCost},p=${settings.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
