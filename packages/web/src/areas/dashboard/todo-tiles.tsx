import type { Dashboard } from '@backstock/contract/dashboard.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { duration } from '@backstock/contract/time.ts'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './dashboard.module.css'
import { salesOf, sum, type Target, unpricedStock } from './dashboard.ts'
import { EndingRule } from './ending-rule.tsx'

const SALES: readonly SaleStatus[] = ['Awaiting Dispatch', 'Requires Attention', 'New']

/**
 * Tiles with work to do: waiting sales by status, with their value and the age of the oldest; items in stock without a
 * price; and a rule that is about to end.
 */
export function TodoTiles({ data }: { data: Dashboard | undefined }) {
  const { unpriced } = sum(data?.ages ?? [])
  return (
    <ul className={classes['tiles']} aria-label="To do" aria-busy={!data}>
      {SALES.map((status) => {
        const of = data?.open_sales.find((one) => one.status === status)
        return (
          <Tile
            key={status}
            head={<StatusBadge status={status} />}
            target={salesOf(status)}
            count={of?.sales}
            note={
              of?.oldest_at && (
                <>
                  <Money amount={of.total_sales_price} />
                  <span>oldest {duration(Date.now() - Date.parse(of.oldest_at))}</span>
                </>
              )
            }
          />
        )
      })}
      <Tile
        head={<span className={classes['label']}>Without a price</span>}
        target={unpricedStock}
        count={data && unpriced}
        note={<span>in stock, still to be priced</span>}
      />
      {data?.ending_rule && <EndingRule rule={data.ending_rule} />}
    </ul>
  )
}

type Props = {
  head: ReactNode
  target: Target
  /** Undefined while it loads. */
  count: number | undefined
  note: ReactNode
}

function Tile({ head, target, count, note }: Props) {
  return (
    <li>
      <Link {...target} className={classes['tile']} data-none={count === 0 || undefined}>
        {head}
        <span className={classes['count']}>
          {count === undefined ? <Skeleton height={20} width={36} component="span" /> : count.toLocaleString('en')}
        </span>
        <span className={classes['note']}>{count === 0 ? 'None' : count !== undefined && note}</span>
      </Link>
    </li>
  )
}
