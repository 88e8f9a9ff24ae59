import type { SalesPeriod } from '@backstock/contract/dashboard.ts'
import { marginPercent } from '@backstock/contract/money.ts'
import { Skeleton } from '@mantine/core'
import { formatDate } from '../../ui/fields/date-format.ts'
import { Money } from '../../ui/values/money.tsx'
import { ChartPlace } from './chart-place.tsx'
import classes from './dashboard.module.css'
import { salesOf, salesOfWeek } from './dashboard.ts'
import { FiguresTable } from './figures-table.tsx'
import { Section } from './section.tsx'

/** Empty rows for the 12 weeks that the server will send, so that nothing moves when they have loaded. */
const PLACES = Array.from({ length: 12 }, (_, place) => ({
  key: String(place),
  head: <Skeleton height={10} width={72} />,
  target: salesOf('New'),
  cells: undefined,
}))

/** The sales and profit of the last weeks. The table begins with the newest week. */
export function SalesByWeek({ weeks }: { weeks: readonly SalesPeriod[] | undefined }) {
  return (
    <Section title="Sales and margin by week">
      <div className={classes['weeks']}>
        <ChartPlace
          label="Net sales and profit of each of the last 12 weeks; the table has the numbers"
          series={['Net sales', 'Profit']}
          bars={weeks?.map(({ from, net_sales, profit }) => ({
            label: formatDate(from, 'dd/MM/yyyy').slice(0, 5),
            values: [net_sales, profit],
            target: salesOfWeek(from),
          }))}
        />
        <FiguresTable
          label="Sales and margin by week"
          columns={['Week of', 'Sales', 'Net sales', 'Profit', 'Margin']}
          rows={
            weeks?.toReversed().map((of) => ({
              key: of.from,
              head: formatDate(of.from, 'dd/MM/yyyy'),
              target: salesOfWeek(of.from),
              cells: [
                of.sales.toLocaleString('en'),
                <Money key="sales" amount={of.net_sales} />,
                <Money key="profit" amount={of.profit} />,
                marginPercent(of.profit, of.net_sales),
              ],
            })) ?? PLACES
          }
        />
      </div>
    </Section>
  )
}
