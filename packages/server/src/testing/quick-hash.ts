import { hashSync } from '@node-rs/argon2'

export const PASSWORD = 'correct horse'

/** A hash of `PASSWORD` that is checked at once. It is too weak for real use; a real hash takes a core for 50 ms. */
export const QUICK_HASH = hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
