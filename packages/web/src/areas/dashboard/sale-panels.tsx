import type { OpenSales, WaitingSale } from '@backstock/contract/dashboard.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { duration } from '@backstock/contract/time.ts'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { recordPath } from '../../ui/link.tsx'
import { Money } from '../../ui/money.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './dashboard.module.css'
import { salesOf } from './dashboard.ts'
import { ShortList } from './short-list.tsx'

const OPEN: readonly SaleStatus[] = ['Requires Attention', 'New', 'Awaiting Payment', 'Awaiting Dispatch']

/** How many sales wait for what, their worth, and how long the oldest has waited. */
export function OpenSaleTiles({ open }: { open: readonly OpenSales[] | undefined }) {
  return (
    <ul className={classes['tiles']} aria-label="Open sales" aria-busy={!open}>
      {OPEN.map((status) => (
        <li key={status}>
          <Tile status={status} of={open?.find((one) => one.status === status)} />
        </li>
      ))}
    </ul>
  )
}

function Tile({ status, of }: { status: SaleStatus; of: OpenSales | undefined }) {
  return (
    <Link {...salesOf(status)} className={classes['tile']} data-none={of?.sales === 0 || undefined}>
      <StatusBadge status={status} />
      <span className={classes['count']}>
        {of ? of.sales.toLocaleString('en') : <Skeleton height={20} width={36} component="span" />}
      </span>
      <span className={classes['note']}>
        {of?.oldest_at ? (
          <>
            <Money amount={of.total_sales_price} />
            <span>oldest {duration(Date.now() - Date.parse(of.oldest_at))}</span>
          </>
        ) : of ? (
          'None'
        ) : null}
      </span>
    </Link>
  )
}

type ListProps = {
  title: string
  /** What it says where there is none. */
  none: string
  statuses: SaleStatus[]
  open: readonly OpenSales[] | undefined
  sales: WaitingSale[] | undefined
}

/** The sales that have waited longest. */
export function WaitingSales({ title, none, statuses, open, sales }: ListProps) {
  const count = open?.reduce((total, one) => total + (statuses.includes(one.status) ? one.sales : 0), 0)
  return (
    <ShortList
      title={title}
      none={none}
      all={{ ...salesOf(...statuses), count }}
      rows={sales?.map((sale) => ({
        key: sale.id,
        target: { to: recordPath('sale', sale.id) },
        lead: `#${sale.id} ${sale.customer_company_name ?? sale.customer_name}`,
        end: <Money amount={sale.total_sales_price} />,
        at: sale.created_at,
        below: <Below sale={sale} />,
      }))}
    />
  )
}

function Below({ sale }: { sale: WaitingSale }) {
  const items = `${sale.total_items} ${sale.total_items === 1 ? 'item' : 'items'}`
  if (sale.status !== 'Requires Attention')
    return (
      <>
        <span className={classes['status']}>
          <StatusBadge status={sale.status} />
        </span>{' '}
        {items}
      </>
    )
  return (
    <>
      <span className={classes['bad']}>{sale.unavailable_items} unavailable</span> of {items}
      {sale.reference_number && ` · ${sale.reference_number}`}
    </>
  )
}
