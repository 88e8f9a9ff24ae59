import type { OpenItem } from '@backstock/contract/letter.ts'
import { LEVEL_NAMES } from '@backstock/contract/letter-kind.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import type { Column } from '../../ui/table/column.ts'
import classes from './open-item.module.css'

/** The level and day of the last reminder. */
export function lastReminderColumn<Row extends Pick<OpenItem, 'last_level' | 'last_reminded_on'>>(): Column<Row> {
  return {
    header: 'Last reminder',
    width: 190,
    phone: 'field',
    phoneLabel: 'Last reminder',
    cell: ({ last_level, last_reminded_on }) =>
      last_level &&
      last_reminded_on && (
        <span className={classes['last']}>
          {LEVEL_NAMES[last_level]}
          <small>{formatDate(last_reminded_on, 'dd/MM/yyyy')}</small>
        </span>
      ),
  }
}
