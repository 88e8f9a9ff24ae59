/** The seed of a run's draws: `vitest.config.ts` sets it, and `SEED=…` before a command brings the same draws again. */
export const SEED = Number(process.env['SEED'] ?? 1)

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
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

/** Begins anew, so that the draws of a file do not depend on those before it in its process. */
export function beginChance(): void {
  numbers = seeded(SEED)
}

/** A number from 0 to 1, for a draw whose outcome a test looks at. */
export const chance = () => numbers()
