import type { FileReport } from './run-report.ts'

/**
 * The content of `test-timings.json`: the time of a run on a machine with slowness 1, and the share of each file in
 * percent.
 */
export type Timings = { budgetSeconds: number; shares: Record<string, number> }

/**
 * The least growth that is named, in percent of the whole run, because the shares of small files vary by chance. In a
 * run of 2,000 seconds it is five seconds.
 */
const LEAST_GROWTH = 0.25

/** The largest number of files to name; those that have grown most come first. */
const NAMED = 10

/** The share of each file in the time of all files, in percent. */
export function sharesOf(files: readonly FileReport[]): Record<string, number> {
  const all = files.reduce((sum, { ms }) => sum + ms, 0)
  const shares = files.map(({ file, ms }): [string, number] => [file, Math.round((ms / all) * 10_000) / 100])
  return Object.fromEntries(shares.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Lines about files whose share has grown by half, and about the run if it took more than its budget. */
export function growth(files: readonly FileReport[], seconds: number, slowness: number, kept: Timings): string[] {
  const grown = Object.entries(sharesOf(files))
    .map(([file, share]) => ({ file, share, before: kept.shares[file] ?? 0 }))
    .filter(({ share, before }) => share > before * 1.5 && share - before > LEAST_GROWTH)
    .toSorted((a, b) => b.share - b.before - (a.share - a.before))
  const lines = grown
    .slice(0, NAMED)
    .map(({ file, share, before }) => `  ${file}: ${share}% of the time of all tests; it was ${before}%`)
  if (grown.length > NAMED) lines.push(`  and ${grown.length - NAMED} more`)
  const budget = kept.budgetSeconds * slowness
  if (seconds > budget)
    lines.push(
      `  The run took ${Math.round(seconds)} s; its budget is ${Math.round(budget)} s on a machine as slow as this.`,
    )
  return lines.length > 0 ? ['MORE TIME THAN BEFORE:', ...lines] : []
}
