import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** Seven hexadecimal digits of a commit's name, which fit into any seed. */
const DIGITS = 7

/**
 * The seed of this run's random draws. A daily run takes it from the commit: a failed run fails again in the same way,
 * and the next commit draws other values. A full run draws a seed (`isDrawn`). A copy without git always has the same
 * seed.
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
