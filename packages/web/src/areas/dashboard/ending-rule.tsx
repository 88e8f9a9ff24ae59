import type { Dashboard } from '@backstock/contract/dashboard.ts'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Link } from '@tanstack/react-router'
import { formatDate } from '../../ui/fields/date-format.ts'
import classes from './dashboard.module.css'
import { counted } from './dashboard.ts'

/**
 * A tile that is shown if the reverse charge rule has ended or is about to end. After the rule's last day, invoices to
 * businesses in the same country have VAT.
 */
export function EndingRule({ rule }: { rule: NonNullable<Dashboard['ending_rule']> }) {
  return (
    <li className={classes['wide']}>
      <Link to="/admin/reverse-charge-rule" className={classes['warning']}>
        <IconAlertTriangle size={18} aria-hidden />
        <span>
          <strong>{headOf(rule)}</strong> {rule.days_left < 0 ? 'Since then' : 'After that'} such sales to businesses
          carry VAT. Ask your tax office whether the law stays in force. If it does, an administrator must enter a later
          last day, or the rule that follows.
        </span>
      </Link>
    </li>
  )
}

function headOf({ country, last_day, days_left }: NonNullable<Dashboard['ending_rule']>): string {
  const day = formatDate(last_day, 'dd/MM/yyyy')
  const rule = `Reverse charge in your country (${country})`
  if (days_left < 0) return `${rule} ended on ${day}.`
  return `${rule} ends ${days_left === 0 ? 'today' : `in ${counted(days_left, 'day')}`}: its last day is ${day}.`
}
