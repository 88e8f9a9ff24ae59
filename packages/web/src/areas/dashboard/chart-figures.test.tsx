import type { Dashboard, SalesPeriod } from '@backstock/contract/dashboard.ts'
import { expect, test, vi } from 'vitest'
import { drawn } from '../../testing/drawn.tsx'
import { StockByAge } from './stock-panels.tsx'
import { SalesByWeek } from './week-panel.tsx'

type Chart = { series: readonly string[]; bars: readonly { label: string; values: readonly number[] }[] }

/** The figures of the drawn charts by the names that the legend gives them. */
const charts: object[] = []
vi.mock('./chart-place.tsx', () => ({
  ChartPlace({ series, bars }: Chart) {
    for (const { label, values } of bars)
      charts.push({ label, ...Object.fromEntries(series.map((s, n) => [s, values[n]])) })
    return null
  },
}))

test('the charts of the dashboard give each figure its own name', async () => {
  const ages = [{ age: '0-30', items: 4, cost: 40_000, sales: 60_000, unpriced: 0 }]
  const weeks = [{ from: '2026-03-02', sales: 2, items: 3, net_sales: 50_000, profit: 10_000 }]
  await drawn(
    <>
      <StockByAge ages={ages as Dashboard['ages']} />
      <SalesByWeek weeks={weeks as SalesPeriod[]} />
    </>,
  )
  expect(charts).toEqual([
    { label: expect.any(String), 'At sales price': 60_000, 'At cost': 40_000 },
    { label: '02/03', 'Net sales': 50_000, Profit: 10_000 },
  ])
})
