import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** Seven digits of a commit's name, which any seed has room for. */
const DIGITS = 7

/**
 * The seed of this run's properties and other draws. Of every day it is the commit's, so that a run that fails fails
 * again, and the next commit draws anew; in full it is drawn. A copy without git has always the same.
 */
export function seedOfRun({ isDrawn }: { isDrawn: boolean }): number {
  if (isDrawn) return randomInt(16 ** DIGITS)
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.slice(0, DIGITS), 16)
  } catch {
    return 1
  }
}
