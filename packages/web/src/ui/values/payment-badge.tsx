import type { PaymentState } from '@backstock/contract/payment-state.ts'
import classes from './status-badge.module.css'

const COLOURS: Record<PaymentState, string> = {
  Open: 'yellow',
  'Partly paid': 'yellow',
  Overdue: 'red',
  Paid: 'green',
  'Refund due': 'orange',
  'Nothing due': 'gray',
}

/** Says how far a sale is paid. The text says it all, so nobody needs to see the colour. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  return (
    <span className={classes['badge']} data-colour={COLOURS[state]}>
      <span className={classes['dot']} />
      {state}
    </span>
  )
}
