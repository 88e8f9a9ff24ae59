import type { OpenSales, WaitingSale } from '@backstock/contract/dashboard.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { recordPath } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './dashboard.module.css'
import { counted, salesOf } from './dashboard.ts'
import { ShortList } from './short-list.tsx'

type ListProps = {
  title: string
  /** The text if no sale waits. */
  none: string
  statuses: SaleStatus[]
  open: readonly OpenSales[] | undefined
  sales: WaitingSale[] | undefined
}

/** A panel with the sales that have waited longest. */
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
  const items = counted(sale.total_items, 'item')
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
