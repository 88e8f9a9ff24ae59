import type { Dashboard, Worth } from '@backstock/contract/dashboard.ts'
import { STOCK_AGE_NAMES, STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { Money } from '../../ui/values/money.tsx'
import { STATUS_COLOURS, StatusBadge } from '../../ui/values/status-badge.tsx'
import { ChartPlace } from './chart-place.tsx'
import classes from './dashboard.module.css'
import { counted, sellableStock, stockAged, stockOf, sum, unsoldStock } from './dashboard.ts'
import { FiguresTable } from './figures-table.tsx'
import { Section } from './section.tsx'

const COLUMNS = ['Items', 'At cost', 'At sales price']

const figures = (of: Worth | undefined) =>
  of && [of.items.toLocaleString('en'), <Money key="cost" amount={of.cost} />, <Money key="sales" amount={of.sales} />]

/** The number of items that the total at sales price leaves out. */
function WithoutPrice({ stock }: { stock: readonly Worth[] | undefined }) {
  const { unpriced } = sum(stock ?? [])
  return unpriced > 0 ? <span className={classes['leftOut']}>{counted(unpriced, 'item')} without a price</span> : null
}

/** The items that are not sold, by status. */
export function StockByStatus({ stock }: { stock: Dashboard['stock'] | undefined }) {
  return (
    <Section title="Unsold stock by status" aside={<WithoutPrice stock={stock} />}>
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
        label="Unsold stock by status"
        columns={['Status', ...COLUMNS]}
        rows={[
          ...UNSOLD_STATUSES.map((status) => ({
            key: status as string,
            head: <StatusBadge status={status} />,
            target: stockOf(status),
            cells: figures(stock?.find((one) => one.status === status)),
          })),
          {
            key: 'unsold',
            head: 'All unsold',
            target: unsoldStock,
            cells: figures(stock && sum(stock)),
            strong: true,
          },
        ]}
      />
    </Section>
  )
}

/** The sellable items by age. */
export function StockByAge({ ages }: { ages: Dashboard['ages'] | undefined }) {
  const rows = STOCK_AGES.map((age) => ({
    key: age as string,
    head: STOCK_AGE_NAMES[age],
    target: stockAged(age),
    cells: figures(ages?.find((one) => one.age === age)),
  }))
  return (
    <Section title="Sellable stock by age" aside={<WithoutPrice stock={ages} />}>
      <FiguresTable
        label="Sellable stock by age"
        columns={['Age', ...COLUMNS]}
        rows={[
          ...rows,
          { key: 'all', head: 'All sellable', target: sellableStock, cells: figures(ages && sum(ages)), strong: true },
        ]}
      />
      <ChartPlace
        label="The value of sellable stock by age, at cost and at sales price; the table above has the numbers"
        series={['At sales price', 'At cost']}
        bars={ages?.map(({ age, cost, sales }) => ({
          label: STOCK_AGE_NAMES[age],
          values: [sales, cost],
          target: stockAged(age),
        }))}
      />
    </Section>
  )
}
