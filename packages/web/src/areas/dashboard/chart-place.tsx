import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Bars } from './charts.tsx'
import classes from './dashboard.module.css'

const MoneyBars = lazy(() => import('./charts.tsx'))

type Props = { label: string; series: readonly [string, string]; bars: readonly Bars[] | undefined }

/** Holds a chart's place until its numbers and the chart library are there. */
export function ChartPlace({ label, series, bars }: Props) {
  const waiting = <Skeleton h="100%" />
  return (
    <div className={classes['chart']}>
      {bars ? (
        <Suspense fallback={waiting}>
          <MoneyBars label={label} series={series} bars={bars} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  )
}
