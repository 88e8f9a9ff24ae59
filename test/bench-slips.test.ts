import { expect, test } from 'vitest'
import type { Row } from '../bench/row.ts'
import { keptRatios, linesOf, slipsOf } from '../bench/slips.ts'

const row = (id: string, title: string, figures: Row['figures'], share?: number): Row => ({
  ...{ id, title, figures },
  ...(share !== undefined && { share }),
})

test('a line has slipped if it takes a quarter longer beside its limit, or holds a quarter less of its rate', () => {
  const quick = (quickRatio: number, quickShare: number) => row('S6', 'Quick order', { quickRatio, quickShare }, 0.1)
  const record = row('S7', 'Record', { quickRatio: 2 })
  let rows = 1_000
  const writing = (share: number) => row('S11', `Import of ${++rows} rows`, {}, share)
  const lines = linesOf([quick(1.2, 0.5), record, writing(0.4), row('S14', 'The slowest hundredth', { p99: 4 })])
  expect(lines.map(({ id }) => id)).toEqual(['S6', 'S7', 'S11'])
  const kept = { version: '1.0.0', items: 50_000, day: '2026-11-25', lines }
  const slips = (now: Row[]) => [...slipsOf(kept, linesOf(now)).values()]

  expect(slips([quick(1.49, 0.41), record, writing(0.33)])).toEqual([])
  expect(slips([quick(1.51, 0.5), record, writing(0.31)])).toEqual([
    "S6 Quick order: 1.51 x the limit's time, it was 1.20 x (1.0.0)",
    "S11 Import of rows: 31% of the limit's rate, it was 40% (1.0.0)",
  ])
  expect(slips([quick(1.2, 0.39), record, writing(0.4)])).toEqual([
    "S6 Quick order: 39% of the limit's rate, it was 50% (1.0.0)",
  ])
  // A workload that was renamed or removed is reported, so that somebody looks.
  expect(slips([quick(1.2, 0.5), { ...record, title: 'A record' }, writing(0.4)])).toEqual([
    'S7 Record: was not measured (1.0.0)',
  ])
})

test('the ratios that are kept are those of a short run', () => {
  const { items, lines } = keptRatios()
  expect(items).toBe(50_000)
  expect(lines.length).toBeGreaterThan(10)
  expect(slipsOf(keptRatios(), lines)).toEqual(new Map())
})
