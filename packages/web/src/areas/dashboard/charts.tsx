import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from 'recharts'
import { Money } from '../../ui/values/money.tsx'
import classes from './charts.module.css'
import type { Target } from './dashboard.ts'

/** A group of two bars. `values` are amounts in hundredths; `target` is the list that a click opens. */
export type Bars = { label: string; values: readonly [number, number]; target: Target }

type Props = {
  /** The text alternative of the chart. It names the table with the same numbers. */
  label: string
  /** The names of the first and the second bar of each group. */
  series: readonly [string, string]
  bars: readonly Bars[]
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const COLOURS = ['var(--bar-first)', 'var(--bar-second)'] as const
const TICK = { fill: 'var(--quiet)', fontSize: 12 }

type Pointer = { activeTooltipIndex?: number | string | null | undefined }

/**
 * A bar chart with two amounts for each week or age. The legend shows the numbers of the group under the pointer, and a
 * click opens its list. Screen readers get it as a picture, because a table with the same numbers stands beside it.
 */
export default function MoneyBars({ label, series, bars }: Props) {
  const navigate = useNavigate()
  const [pointed, setPointed] = useState<Bars>()
  const under = ({ activeTooltipIndex }: Pointer) => bars[Number(activeTooltipIndex ?? Number.NaN)]
  const follow = (pointer: Pointer) => {
    const target = under(pointer)?.target
    if (target) void navigate(target as never)
  }
  return (
    <div role="img" aria-label={label} className={classes['picture']}>
      <div className={classes['legend']}>
        {pointed && <b>{pointed.label}</b>}
        {series.map((name, nth) => (
          <span key={name}>
            <i style={{ background: COLOURS[nth] }} />
            {name}
            {pointed && <Money amount={pointed.values[nth] ?? 0} />}
          </span>
        ))}
      </div>
      <BarChart
        responsive
        className={classes['bars'] ?? ''}
        data={[...bars]}
        margin={{ top: 10, right: 0, bottom: 0, left: 0 }}
        barGap={2}
        barCategoryGap="22%"
        maxBarSize={36}
        onMouseMove={(pointer) => setPointed(under(pointer))}
        onMouseLeave={() => setPointed(undefined)}
        onClick={follow}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="label" tick={TICK} tickLine={false} axisLine={false} />
        <YAxis
          width={48}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickFormatter={(amount: number) => compact.format(amount / 100)}
        />
        {series.map((name, nth) => (
          <Bar
            key={name}
            dataKey={(one: Bars) => one.values[nth]}
            name={name}
            fill={COLOURS[nth] ?? ''}
            radius={2}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </div>
  )
}
