import type { Dashboard } from '@backstock/contract/dashboard.ts'
import { STOCK_AGE_NAMES, STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { Money } from '../../ui/money.tsx'
import { STATUS_COLOURS, StatusBadge } from '../../ui/status-badge.tsx'
import { ChartPlace } from './chart-place.tsx'
import classes from './dashboard.module.css'
import { allStock, sellableStock, stockAged, stockOf } from './dashboard.ts'
import { FiguresTable } from './figures-table.tsx'
import { Section } from './section.tsx'

type Worth = { items: number; cost: number; sales: number }
const COLUMNS = ['Items', 'At cost', 'At sales price']

const figures = (of: Worth | undefined) =>
  of && [of.items.toLocaleString('en'), <Money key="cost" amount={of.cost} />, <Money key="sales" amount={of.sales} />]

const sum = (parts: readonly Worth[]): Worth => ({
  items: parts.reduce((total, part) => total + part.items, 0),
  cost: parts.reduce((total, part) => total + part.cost, 0),
  sales: parts.reduce((total, part) => total + part.sales, 0),
})

/** All stock by status: how the whole is made up, and the figures of each part. */
export function StockByStatus({ stock }: { stock: Dashboard['stock'] | undefined }) {
  return (
    <Section title="Stock by status">
      <div className={classes['shares']} aria-hidden="true">
        {stock?.map(({ status, items }) =>
          items > 0 ? (
            <span
              key={status}
              title={`${status}: ${items.toLocaleString('en')}`}
              style={{ flexGrow: items, background: `var(--mantine-color-${STATUS_COLOURS[status]}-6)` }}
            />
          ) : null,
        )}
      </div>
      <FiguresTable
        label="Stock by status"
        columns={['Status', ...COLUMNS]}
        rows={[
          ...STOCK_STATUSES.map((status) => ({
            key: status as string,
            head: <StatusBadge status={status} />,
            target: stockOf(status),
            cells: figures(stock?.find((one) => one.status === status)),
          })),
          { key: 'all', head: 'All', target: allStock, cells: figures(stock && sum(stock)), strong: true },
        ]}
      />
    </Section>
  )
}

/** How long what can be sold has been here. */
export function StockByAge({ ages }: { ages: Dashboard['ages'] | undefined }) {
  const rows = STOCK_AGES.map((age) => ({
    key: age as string,
    head: STOCK_AGE_NAMES[age],
    target: stockAged(age),
    cells: figures(ages?.find((one) => one.age === age)),
  }))
  return (
    <Section title="Sellable stock by age">
      <ChartPlace
        label="The worth of sellable stock by age, at cost and at sales price; the table below has the numbers"
        series={['At sales price', 'At cost']}
        bars={ages?.map(({ age, cost, sales }) => ({
          label: STOCK_AGE_NAMES[age],
          values: [sales, cost],
          target: stockAged(age),
        }))}
      />
      <FiguresTable
        label="Sellable stock by age"
        columns={['Age', ...COLUMNS]}
        rows={[
          ...rows,
          { key: 'all', head: 'All sellable', target: sellableStock, cells: figures(ages && sum(ages)), strong: true },
        ]}
      />
    </Section>
  )
}
