import { expect, test } from 'vitest'
import { breakdownWait } from './breakdown-wait.ts'

test.each<[ranMs: number[], waits: number[]]>([
  [
    [0, 0, 0, 5000, 0, 0, 0],
    [250, 500, 1000, 2000, 4000, 5000, 5000],
  ],
  [
    [9000, 100],
    [250, 500],
  ],
  [
    [0, 0, 0, 5001, 0],
    [250, 500, 1000, 250, 500],
  ],
])('a worker that ran for %j ms before its breakdowns starts again after %j ms', (ranMs, waits) => {
  const found: number[] = []
  for (const ran of ranMs) found.push(breakdownWait(found.at(-1) ?? null, ran))
  expect(found).toEqual(waits)
})
