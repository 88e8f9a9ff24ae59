import { createHash } from 'node:crypto'

/** A short name that stands for a long path. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)
