import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

export { full, turns } from '../../packages/server/src/testing/turns.ts'

declare module 'vitest' {
  interface ProvidedContext {
    figures: string
  }
}

type Figure = { promise: string; reached: string; asked: string }

/** Notes the figure that a promise has reached, for the table at the end of the run. */
export function reached(promise: string, figure: string, asked: string): void {
  appendFileSync(inject('figures'), `${JSON.stringify({ promise, reached: figure, asked })}\n`)
}

/**
 * Collects the figures of all test files, and prints them as one table: the promise, what was reached, what was asked.
 */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-figures-'))
  const file = path.join(folder, 'figures')
  writeFileSync(file, '')
  provide('figures', file)
  return () => {
    const figures = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): Figure => JSON.parse(line))
    rmSync(folder, { recursive: true })
    if (figures.length) process.stdout.write(table(figures))
  }
}

function table(figures: Figure[]): string {
  const byPromise = new Intl.Collator('en', { numeric: true })
  const rows = [
    { promise: 'Promise', reached: 'Reached', asked: 'Asked for' },
    ...figures.toSorted((a, b) => byPromise.compare(a.promise, b.promise)),
  ]
  const widest = (of: (row: Figure) => string) => Math.max(...rows.map((row) => of(row).length))
  const [first, second] = [widest((row) => row.promise), widest((row) => row.reached)]
  const lines = rows.map((row) => `${row.promise.padEnd(first)}  ${row.reached.padEnd(second)}  ${row.asked}`)
  return `\n${lines.join('\n')}\n`
}
