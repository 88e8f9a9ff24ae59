import type { ComponentType } from 'react'
import { DateTime } from '../values/date-text.tsx'
import { RowLink, recordPath } from '../values/link.tsx'
import { Money } from '../values/money.tsx'
import type { Column, ListRow } from './column.ts'
import classes from './columns.module.css'

type Options = Pick<Column<never>, 'sort' | 'phone' | 'phoneLabel' | 'width' | 'isDetail'>

/** The column '#', with the id. The whole cell links to the record. */
export function idColumn<Row extends ListRow>(area: string, options: Options = { sort: 'id' }): Column<Row> {
  return {
    header: '#',
    width: 76,
    phone: 'lead',
    cell: (row) => (
      <RowLink to={recordPath(area, row.id)} className={`${classes['id']} ${classes['whole']}`}>
        {row.id}
      </RowLink>
    ),
    ...options,
  }
}

/**
 * A column of text. Long text is cut, and the tooltip has all of it. Null shows nothing. `isLine` keeps a phone number or
 * a reference on one line, however narrow the table is.
 */
export function textColumn<Row>(
  header: string,
  read: (row: Row) => string | null,
  { isLine, ...options }: Options & { isLine?: true } = {},
): Column<Row> {
  return {
    header,
    cell: (row) => {
      const text = read(row)
      return text ? (
        <span className={classes['text']} data-line={isLine} title={text}>
          {text}
        </span>
      ) : null
    },
    ...options,
  }
}

/** A column of amounts in hundredths, right-aligned, with their currency. */
export function moneyColumn<Row>(
  header: string,
  read: (row: Row) => number | null,
  options: Options = {},
): Column<Row> {
  return { header, align: 'right', phoneLabel: header, cell: (row) => <Money amount={read(row)} />, ...options }
}

/** A column of whole numbers, right-aligned. */
export function numberColumn<Row>(header: string, read: (row: Row) => number, options: Options = {}): Column<Row> {
  return { header, align: 'right', phoneLabel: header, cell: (row) => read(row).toLocaleString('en'), ...options }
}

/** A column of times, shown as dd/MM/yyyy HH:mm:ss. */
export function dateColumn<Row>(header: string, read: (row: Row) => string, options: Options = {}): Column<Row> {
  return { header, width: 170, cell: (row) => <DateTime iso={read(row)} />, ...options }
}

/** A row's button: `label` names the action for people who do not see the icon. */
type RowButton = { label: string; title?: string | undefined; disabled?: boolean; onPress: () => unknown }

/** A column with an icon button in each row. */
export function buttonColumn<Row>(
  header: string,
  Icon: ComponentType<{ size: number }>,
  button: (row: Row) => RowButton,
  options: Options = {},
): Column<Row> {
  return {
    header,
    align: 'right',
    width: 72,
    phone: 'end',
    isAction: true,
    cell: (row) => {
      const { label, title, disabled, onPress } = button(row)
      return (
        <button
          type="button"
          className={classes['bin']}
          aria-label={label}
          title={title}
          disabled={disabled}
          onClick={() => void onPress()}
        >
          <Icon size={16} />
        </button>
      )
    },
    ...options,
  }
}
