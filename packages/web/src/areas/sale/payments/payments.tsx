import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { LETTER_STATE_NAMES, LEVEL_NAMES } from '@backstock/contract/letter-kind.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import type { Payment } from '@backstock/contract/payment.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Button, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatDate } from '../../../ui/fields/date-format.ts'
import { RowLink, TextLink } from '../../../ui/values/link.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { PaymentBadge } from '../../../ui/values/payment-badge.tsx'
import { useSaleWrites } from '../sale-record.ts'
import classes from './payment.module.css'

/** The open amount of a sale, and its payments. */
export function SalePayments({ sale, onPay }: { sale: Sale; onPay: () => void }) {
  const { open_amount, paid_total, due_on, payment_state } = sale
  const day = due_on && formatDate(due_on, 'dd/MM/yyyy')
  return (
    <div className={classes['payment']}>
      <div>
        <div className={classes['state']}>
          <PaymentBadge state={payment_state} />
        </div>
        <dl className={classes['figures']}>
          <div>
            <dt>{sale.documents.length > 0 ? 'Total of the documents' : 'Total of the sale'}</dt>
            <dd>
              <Money amount={open_amount + paid_total} />
            </dd>
          </div>
          <div>
            <dt>Paid</dt>
            <dd>
              <Money amount={paid_total} />
            </dd>
          </div>
          {open_amount >= 0 && (
            <div>
              <dt>Due on</dt>
              <dd>{day ?? '-'}</dd>
            </div>
          )}
          <div>
            <dt>{open_amount < 0 ? 'Refund due' : 'Open'}</dt>
            <dd>
              <Money amount={Math.abs(open_amount)} />
            </dd>
          </div>
        </dl>
      </div>
      <div>
        {sale.payments.length === 0 ? (
          <Text size="sm" c="dimmed" mb="sm">
            Nothing has been paid yet.
          </Text>
        ) : (
          <ul className={classes['list']} aria-label="Payments">
            {sale.payments.map((payment) => (
              <PaymentLine key={payment.id} saleId={sale.id} payment={payment} />
            ))}
          </ul>
        )}
        <Button variant="default" mt="xs" onClick={onPay}>
          {open_amount < 0 ? 'Record refund' : 'Record payment'}
        </Button>
        <Reminders sale={sale} />
      </div>
    </div>
  )
}

/** The reminders of the sale's invoices, and the way to the next one. */
function Reminders({ sale: { reminders, customer_id, payment_state } }: { sale: Sale }) {
  if (reminders.length === 0 && payment_state !== 'Overdue') return null
  return (
    <div className={classes['reminders']}>
      {reminders.length > 0 && (
        <ul className={classes['list']} aria-label="Reminders">
          {reminders.map(({ id, level, made_on, pay_by, state, number, open }) => (
            <li key={id}>
              <span className={classes['about']}>
                {level && LEVEL_NAMES[level]} {formatDate(made_on, 'dd/MM/yyyy')}
                <span className={classes['note']}>
                  {[number, pay_by && `to be paid by ${formatDate(pay_by, 'dd/MM/yyyy')}`, LETTER_STATE_NAMES[state]]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className={classes['amount']}>
                <Money amount={open} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <TextLink to={`/admin/open-item/${customer_id}`} size="sm">
        Statements and reminders
      </TextLink>
    </div>
  )
}

function PaymentLine({ saleId, payment }: { saleId: number; payment: Payment }) {
  const { running, run } = useSaleWrites(saleId)
  const { id, amount, paid_on, note, undoes_id, is_undone, created_by_name, bank_entry_id } = payment
  const mayLook = isAdmin(useMe())
  const what = amount < 0 ? 'Refund' : 'Payment'
  const undo = async () => {
    const question = `The ${what.toLowerCase()} of ${formatMoney(Math.abs(amount))} ${CURRENCY} was recorded by mistake. It stays in the list, followed by an entry that reverses it.`
    if (!(await confirmDialog(question, 'Reverse'))) return
    const call = () => api.post<WriteAnswer<Sale>>(`sale/${saleId}/payment/${id}/undo`)
    await run('undo', call, 'customer', 'dashboard')
  }
  const about = [
    undoes_id === null ? null : 'Reverses an entry made by mistake',
    is_undone ? 'Reversed' : null,
    note,
    created_by_name && `by ${created_by_name}`,
  ]
  return (
    <li data-undone={is_undone || undefined}>
      <span className={classes['about']}>
        {what} {paid_on ? formatDate(paid_on, 'dd/MM/yyyy') : ''}
        <span className={classes['note']}>
          {about.filter(Boolean).join(' · ')}
          {bank_entry_id !== null && mayLook && (
            <>
              {' · '}
              <RowLink to="/admin/bank-entry" search={{ state: '', search: `#${bank_entry_id}` }}>
                Bank statement
              </RowLink>
            </>
          )}
        </span>
      </span>
      <span className={classes['amount']}>
        <Money amount={amount} />
      </span>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={running !== null}
        disabled={is_undone || undoes_id !== null}
        style={is_undone || undoes_id !== null ? { visibility: 'hidden' } : undefined}
        onClick={() => void undo()}
      >
        Reverse
      </Button>
    </li>
  )
}
