import type { Dashboard, SalesPeriod } from '@backstock/contract/dashboard.ts'
import { Children, isValidElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { StockByAge } from './stock-panels.tsx'
import { SalesByWeek } from './week-panel.tsx'

type Chart = {
  series?: readonly string[]
  bars?: readonly { label: string; values: readonly number[] }[]
  children?: ReactNode
}

/** The figures of the charts in a part of the screen, by the names that the legend gives them. */
function charts(part: ReactNode): object[] {
  return Children.toArray(part).flatMap((one) => {
    if (!isValidElement<Chart>(one)) return []
    const { series, bars = [], children } = one.props
    if (!series) return charts(children)
    return bars.map(({ label, values }) => ({
      label,
      ...Object.fromEntries(series.map((name, n) => [name, values[n]])),
    }))
  })
}

test('the charts of the dashboard give each figure its own name', () => {
  const ages = [{ age: '0-30', items: 4, cost: 40_000, sales: 60_000, unpriced: 0 }]
  expect(charts(StockByAge({ ages: ages as Dashboard['ages'] }))).toEqual([
    { label: expect.any(String), 'At sales price': 60_000, 'At cost': 40_000 },
  ])
  const weeks = [{ from: '2026-03-02', sales: 2, items: 3, net_sales: 50_000, profit: 10_000 }]
  expect(charts(SalesByWeek({ weeks: weeks as SalesPeriod[] }))).toEqual([
    { label: '02/03', 'Net sales': 50_000, Profit: 10_000 },
  ])
})
