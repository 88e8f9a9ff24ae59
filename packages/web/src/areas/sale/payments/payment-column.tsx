import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import { formatDate } from '../../../ui/fields/date-format.ts'
import type { Column } from '../../../ui/table/column.ts'
import { PaymentBadge } from '../../../ui/values/payment-badge.tsx'
import classes from './payment.module.css'

type Paid = Pick<SaleRow, 'payment_state' | 'open_amount' | 'due_on'>

/** The column with the state of payment, and the open amount if it is not the whole price. */
export const paymentColumn: Column<Paid> = {
  header: 'Payment',
  width: 128,
  cell: ({ payment_state, open_amount, due_on }) => (
    <span
      className={classes['cell']}
      title={due_on && open_amount > 0 ? `Due on ${formatDate(due_on, 'dd/MM/yyyy')}` : undefined}
    >
      {payment_state !== 'Nothing due' && <PaymentBadge state={payment_state} />}
      {(payment_state === 'Partly paid' || payment_state === 'Overdue' || payment_state === 'Refund due') && (
        <span
          className={classes['open']}
          data-state={payment_state}
        >{`${formatMoney(Math.abs(open_amount))} ${CURRENCY}`}</span>
      )}
    </span>
  ),
}
