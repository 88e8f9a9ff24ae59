import type { Customer } from '@backstock/contract/customer.ts'
import type { PaymentState } from '@backstock/contract/payment-state.ts'
import { OWING } from '@backstock/contract/payment-state.ts'
import { TextLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import classes from './customer.module.css'

/** A link to a customer's sales in these states of payment. */
const salesIn = (customerId: number, states: readonly PaymentState[]) => ({
  to: '/admin/sale',
  search: { status: '', customer_id: String(customerId), payment: states.join(',') } as never,
})

/** The open amounts between a customer and the shop, each with a link to its sales. */
export function CustomerBalance({ customer }: { customer: Customer }) {
  const { id, open_total, overdue_total, refund_total } = customer
  const letters = (
    <p className={classes['letters']}>
      <TextLink to={`/admin/open-item/${id}`} size="sm">
        Open items, statements and reminders
      </TextLink>
    </p>
  )
  if (open_total === 0 && refund_total === 0)
    return (
      <>
        <p className={classes['even']}>Nothing is open.</p>
        {letters}
      </>
    )
  const sums: [name: string, amount: number, states: readonly PaymentState[]][] = [
    ['Open', open_total, OWING],
    ['Overdue', overdue_total, ['Overdue']],
    ['Refund due', refund_total, ['Refund due']],
  ]
  return (
    <>
      <dl className={classes['balance']}>
        {sums.map(([name, amount, states]) => (
          <div key={name} data-bad={(name === 'Overdue' && amount > 0) || undefined}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} />
              {amount > 0 && (
                <TextLink {...salesIn(id, states)} size="sm" aria-label={`Show sales: ${name}`}>
                  Show sales
                </TextLink>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {letters}
    </>
  )
}

/** A cell of the customer list: the open amount, and its overdue part below. */
export function OpenCell({ customer }: { customer: Customer }) {
  const { open_total, overdue_total, refund_total } = customer
  if (open_total === 0 && refund_total === 0) return null
  return (
    <span className={classes['cell']}>
      <span>
        <Money amount={open_total} />
        <span className={classes['onPhone']}> open</span>
      </span>
      {overdue_total > 0 && (
        <span data-bad>
          <Money amount={overdue_total} /> overdue
        </span>
      )}
      {refund_total > 0 && (
        <span>
          <Money amount={refund_total} /> refund due
        </span>
      )}
    </span>
  )
}
