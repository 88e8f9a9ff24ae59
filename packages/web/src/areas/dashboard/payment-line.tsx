import type { Dashboard } from '@backstock/contract/dashboard.ts'
import { OWING, type PaymentState } from '@backstock/contract/payment-state.ts'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Money } from '../../ui/money.tsx'
import classes from './dashboard.module.css'
import { salesPaid } from './dashboard.ts'

const LINES: { name: string; sum: keyof Dashboard['payments']; states: readonly PaymentState[] }[] = [
  { name: 'To be paid', sum: 'open', states: OWING },
  { name: 'Overdue', sum: 'overdue', states: ['Overdue'] },
  { name: 'To give back', sum: 'refund', states: ['Refund due'] },
]

/** What customers owe, what of it is overdue, and what is to be given back to them. */
export function PaymentLine({ payments }: { payments: Dashboard['payments'] | undefined }) {
  return (
    <ul className={classes['payments']} aria-label="Payments" aria-busy={!payments}>
      {LINES.map(({ name, sum, states }) => (
        <li key={name}>
          <Link {...salesPaid(states)} className={classes['payment']}>
            <span className={classes['paymentName']}>{name}</span>
            {payments ? (
              <span
                className={classes['paymentSum']}
                data-bad={(sum === 'overdue' && payments.overdue.sales > 0) || undefined}
              >
                <Money amount={payments[sum].amount} />
              </span>
            ) : (
              <Skeleton height={16} width={90} component="span" />
            )}
            <span className={classes['paymentName']}>
              {payments &&
                `${payments[sum].sales.toLocaleString('en')} ${payments[sum].sales === 1 ? 'sale' : 'sales'}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
