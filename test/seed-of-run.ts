import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** Seven digits of a commit's name, which any seed has room for. */
const DIGITS = 7

/**
 * The seed of this run's properties and other draws. A daily run takes the commit's, so a failed run fails again,
 * and the next commit draws anew; a full run draws one. A copy without git has always the same seed.
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
