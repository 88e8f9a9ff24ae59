import type { Dashboard } from '@backstock/contract/dashboard.ts'
import { STOCK_AGE_NAMES, STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { STOCK_STATUSES, type StockStatus, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { Money } from '../../ui/money.tsx'
import { STATUS_COLOURS, StatusBadge } from '../../ui/status-badge.tsx'
import { ChartPlace } from './chart-place.tsx'
import classes from './dashboard.module.css'
import { sellableStock, stockAged, stockOf, unsoldStock } from './dashboard.ts'
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

const isUnsold = ({ status }: { status: StockStatus }) => UNSOLD_STATUSES.some((unsold) => unsold === status)

/** Stock by status: how what is not sold is made up, and the figures of each status. */
export function StockByStatus({ stock }: { stock: Dashboard['stock'] | undefined }) {
  const unsold = stock?.filter(isUnsold)
  return (
    <Section title="Stock by status">
      <div className={classes['shares']} aria-hidden="true">
        {unsold?.map(({ status, items }) =>
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
          {
            key: 'unsold',
            head: 'All unsold',
            target: unsoldStock,
            cells: figures(unsold && sum(unsold)),
            strong: true,
          },
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
