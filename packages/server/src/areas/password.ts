import { hash, verify } from '@node-rs/argon2'

/** Argon2id as OWASP's password storage cheat sheet asks for at least: 64 MiB, 3 passes. */
const settings = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const

let free = 2
const waiting: (() => void)[] = []

/** At most two at once: each takes 64 MiB and a core. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (free === 0) await new Promise<void>((go) => waiting.push(go))
  else free--
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, settings))
}

/** Checks a password. Without a hash (no such account) it takes the same time and says no. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const right = await inTurn(async () => verify(passwordHash ?? (await nobody), password))
  return right && passwordHash !== undefined
}

// Made at once: the first try of an unknown account must take no longer than others.
const nobody = hashPassword('nobody has this password')
