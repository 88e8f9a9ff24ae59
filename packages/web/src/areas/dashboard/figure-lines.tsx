import type { Dashboard, SalesPeriod, Worth } from '@backstock/contract/dashboard.ts'
import { marginPercent } from '@backstock/contract/money.ts'
import { OWING, type PaymentState } from '@backstock/contract/payment-state.ts'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Money } from '../../ui/values/money.tsx'
import classes from './dashboard.module.css'
import { counted, salesFrom, salesOfWeek, salesPaid, sellableStock, stockAged, sum, type Target } from './dashboard.ts'

type Figure = {
  name: string
  target: Target
  /** Undefined while it loads; its place is drawn already. */
  value: ReactNode
  note?: ReactNode
  /** Draws the figure in the colour of a fault. */
  isBad?: boolean
}

/** Figures side by side. Each links to the list that it counts. */
function FigureLine({ label, figures, isBusy }: { label: string; figures: Figure[]; isBusy: boolean }) {
  return (
    <ul className={classes['figures']} aria-label={label} aria-busy={isBusy}>
      {figures.map(({ name, target, value, note, isBad }) => (
        <li key={name}>
          <Link {...target} className={classes['figure']}>
            <span className={classes['figureName']}>{name}</span>
            <span className={classes['figureValue']} data-bad={isBad || undefined}>
              {isBusy ? <Skeleton height={16} width={90} component="span" /> : value}
            </span>
            <span className={classes['figureName']}>{!isBusy && note}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const PAYMENTS: { name: string; sum: keyof Dashboard['payments']; states: readonly PaymentState[] }[] = [
  { name: 'Owed by customers', sum: 'open', states: OWING },
  { name: 'Overdue', sum: 'overdue', states: ['Overdue'] },
  { name: 'Refund due', sum: 'refund', states: ['Refund due'] },
]

/** The sum that customers owe, the overdue part of that sum, and the sum that the shop owes them. */
export function PaymentLine({ payments }: { payments: Dashboard['payments'] | undefined }) {
  return (
    <FigureLine
      label="Payments"
      isBusy={!payments}
      figures={PAYMENTS.map(({ name, sum, states }) => ({
        name,
        target: salesPaid(states),
        value: payments && <Money amount={payments[sum].amount} />,
        note: payments && counted(payments[sum].sales, 'sale'),
        isBad: sum === 'overdue' && (payments?.overdue.sales ?? 0) > 0,
      }))}
    />
  )
}

/** The value of the stock, the part of it that is old, and the margin of the sales. */
export function ShopLine({ data }: { data: Dashboard | undefined }) {
  const hand = sum(data?.ages ?? [])
  const old = data?.ages.find(({ age }) => age === 'over-90')
  const inbound = data?.stock.find(({ status }) => status === 'Inbound')?.items ?? 0
  const week = data?.weeks.at(-1)
  return (
    <FigureLine
      label="The shop"
      isBusy={!data}
      figures={[
        {
          name: 'Value of stock, at cost',
          target: sellableStock,
          value: <Money amount={hand.cost} />,
          note: `${counted(hand.items, 'item')}${inbound > 0 ? `, ${inbound.toLocaleString('en')} more inbound` : ''}`,
        },
        {
          name: 'At risk: in stock over 90 days',
          target: stockAged('over-90'),
          value: <Money amount={old?.cost ?? 0} />,
          note: old && atRisk(old, hand),
        },
        { name: 'Margin this week', target: salesOfWeek(week?.from ?? ''), ...margin(week) },
        { name: 'Margin this month', target: salesFrom(data?.month.from ?? ''), ...margin(data?.month) },
      ]}
    />
  )
}

const atRisk = (old: Worth, all: Worth) =>
  old.items === 0
    ? 'Nothing'
    : `${counted(old.items, 'item')}, ${Math.round((old.cost / (all.cost || 1)) * 100)}% of the value`

function margin(period: SalesPeriod | undefined): Pick<Figure, 'value' | 'note'> {
  if (!period || period.sales === 0) return { value: '-', note: 'Nothing sold yet' }
  return {
    value: marginPercent(period.profit, period.net_sales),
    note: (
      <>
        <Money amount={period.profit} /> of <Money amount={period.net_sales} />
      </>
    ),
  }
}
