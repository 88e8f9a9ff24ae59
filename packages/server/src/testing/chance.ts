/**
 * The seed of a run's random draws. `vitest.config.ts` sets it; `SEED=…` before a command repeats the draws of a run.
 */
export const SEED = Number(process.env['SEED'] ?? 1)

/** Makes a function for random numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

let numbers = seeded(SEED)

/** Begins the draws again, so that those of a test file do not depend on earlier files in the same process. */
export function beginChance(): void {
  numbers = seeded(SEED)
}

/** A random number from 0 to 1. */
export const chance = () => numbers()
