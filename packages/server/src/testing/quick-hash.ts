import { hashSync } from '@node-rs/argon2'

export const PASSWORD = 'correct horse'

/** The hash of `PASSWORD` as nobody should keep one: it is checked at once; the product's takes a core for 50 ms. */
export const QUICK_HASH = hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
