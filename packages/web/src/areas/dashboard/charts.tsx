import '@mantine/charts/styles.css'
import { formatMoney } from '@backstock/contract/money.ts'
import { BarChart } from '@mantine/charts'
import { useNavigate } from '@tanstack/react-router'
import classes from './dashboard.module.css'
import type { Target } from './dashboard.ts'

/** One group of bars: two amounts in hundredths, and the list behind them. */
export type Bars = { label: string; values: readonly [number, number]; target: Target }

type Props = {
  /** What is seen, and where the same numbers can be read. */
  label: string
  /** What the first and the second bar of each group are. */
  series: readonly [string, string]
  bars: readonly Bars[]
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Two amounts side by side for each week or age. For readers of the screen it is a picture: its table stands beside it. */
export default function MoneyBars({ label, series, bars }: Props) {
  const navigate = useNavigate()
  const follow = ({ activeTooltipIndex }: { activeTooltipIndex?: unknown }) => {
    const target = bars[Number(activeTooltipIndex ?? Number.NaN)]?.target
    if (target) void navigate(target as never)
  }
  return (
    <div role="img" aria-label={label} className={classes['bars']}>
      <BarChart
        h="100%"
        data={bars.map(({ label: name, values }) => ({ name, first: values[0], second: values[1] }))}
        dataKey="name"
        series={[
          { name: 'first', label: series[0], color: 'var(--bar-first)' },
          { name: 'second', label: series[1], color: 'var(--bar-second)' },
        ]}
        valueFormatter={(amount) => `${formatMoney(amount)} EUR`}
        yAxisProps={{ width: 48, tickFormatter: (amount: number) => compact.format(amount / 100) }}
        barProps={{ isAnimationActive: false, radius: 2 }}
        barChartProps={{ barGap: 2, barCategoryGap: '22%', onClick: follow }}
        maxBarWidth={36}
        tickLine="none"
        withLegend
        legendProps={{ verticalAlign: 'top', height: 28 }}
        accessibilityLayer={false}
      />
    </div>
  )
}
