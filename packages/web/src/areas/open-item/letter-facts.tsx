import type { CustomerAccount, OpenItem } from '@backstock/contract/letter.ts'
import { MAX_ATTACHED } from '@backstock/contract/letter-kind.ts'
import { Text } from '@mantine/core'
import { formatDate } from '../../ui/fields/date-format.ts'
import { Money } from '../../ui/values/money.tsx'
import classes from './open-item.module.css'
import { overdueBy } from './overdue-by.ts'

type Facts = { account: CustomerAccount; isReminder: boolean; items: readonly OpenItem[]; total: number }

/** The receiver of a letter, its day and sum, and the invoices in it. */
export function LetterFacts({ account, isReminder, items, total }: Facts) {
  return (
    <>
      <dl className={classes['facts']}>
        <div>
          <dt>To</dt>
          <dd>{account.email}</dd>
        </div>
        {isReminder && (
          <div>
            <dt>To be paid by</dt>
            <dd>{formatDate(account.pay_by, 'dd/MM/yyyy')}</dd>
          </div>
        )}
        <div>
          <dt>{total < 0 ? 'Refund due' : 'Open'}</dt>
          <dd>
            <Money amount={total} />
          </dd>
        </div>
      </dl>
      <ul className={classes['items']} aria-label="Invoices">
        {items.map((item) => (
          <li key={item.sale_id}>
            <span>{item.number ?? `Sale #${item.sale_id}`}</span>
            <small>{aboutOf(item)}</small>
            <Money amount={item.open} />
          </li>
        ))}
      </ul>
    </>
  )
}

function aboutOf({ open, days_overdue, due_on, last_level }: OpenItem): string {
  if (open < 0) return 'refund due'
  const due = days_overdue > 0 ? overdueBy(days_overdue) : due_on && `due on ${formatDate(due_on, 'dd/MM/yyyy')}`
  return [due, last_level && `last reminder: level ${last_level}`].filter(Boolean).join(' · ')
}

type Notes = { account: CustomerAccount; isReminder: boolean; count: number }

/** Says what the email carries, and that a download counts, too. `count` is the number of invoices. */
export function LetterNotes({ account, isReminder, count }: Notes) {
  return (
    <Text size="sm" c="dimmed">
      {isReminder &&
        (count > MAX_ATTACHED
          ? `The email carries only the reminder, since there are more than ${MAX_ATTACHED} invoices. `
          : 'The email carries the reminder, and the invoices as PDF unless they come to more than 10 MB. ')}
      {!account.sends_mail && 'No mail server is set up: the email is not sent, but saved as a file on the server. '}A
      downloaded letter counts as sent: print it and send it by post.
    </Text>
  )
}
