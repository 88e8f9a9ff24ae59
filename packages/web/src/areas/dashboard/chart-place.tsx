import { Skeleton } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import type { Bars } from './charts.tsx'
import classes from './dashboard.module.css'

const MoneyBars = lazyPart(() => import('./charts.tsx'))

type Props = { label: string; series: readonly [string, string]; bars: readonly Bars[] | undefined }

/**
 * Keeps the place of a chart until its numbers and the chart library are loaded. The library is large, so it is loaded
 * only when the chart is about to scroll into view.
 */
export function ChartPlace({ label, series, bars }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '80px' })
    if (place.current) seen.observe(place.current)
    return () => seen.disconnect()
  }, [])
  const waiting = <Skeleton h="100%" />
  return (
    <div ref={place} className={classes['chart']}>
      {bars && isNear ? (
        <Suspense fallback={waiting}>
          <MoneyBars label={label} series={series} bars={bars} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  )
}
