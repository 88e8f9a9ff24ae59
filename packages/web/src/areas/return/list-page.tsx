import type { CustomerReturnRow } from '@backstock/contract/customer-return.ts'
import { RETURN_STATE_NAMES, RETURN_STATES } from '@backstock/contract/return-state.ts'
import type { ListArea } from '../../crud/area.ts'
import { deleteColumn } from '../../crud/delete-column.tsx'
import { ListPage } from '../../crud/list-page.tsx'
import { idColumn, textColumn } from '../../ui/table/columns.tsx'
import { DateTime } from '../../ui/values/date-text.tsx'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './return.module.css'

/** The number of items, for example '3', or '1 of 3' if only one has arrived. */
const itemsOf = ({ items_count, items_received, state }: CustomerReturnRow) =>
  state === 'received' && items_received < items_count
    ? `${items_received.toLocaleString('en')} of ${items_count.toLocaleString('en')}`
    : items_count.toLocaleString('en')

export const list: ListArea<CustomerReturnRow> = {
  area: 'return',
  title: 'Returns',
  columns: [
    idColumn('return'),
    textColumn('Customer', (row) => row.customer_name, { phone: 'lead' }),
    textColumn('Note', (row) => row.note, { phone: 'hidden' }),
    {
      header: 'State',
      width: 120,
      phone: 'end',
      cell: (row) => <StatusBadge status={RETURN_STATE_NAMES[row.state]} />,
    },
    {
      header: 'Items',
      align: 'right',
      cell: (row) => (
        <span>
          {itemsOf(row)}
          <span className={classes['onPhone']}>{row.items_count === 1 ? ' item' : ' items'}</span>
        </span>
      ),
    },
    {
      header: 'Credited',
      align: 'right',
      phoneLabel: 'Credited',
      cell: (row) => <Money amount={row.items_received > 0 ? row.total_credited : null} />,
    },
    {
      header: 'Date',
      width: 170,
      sort: 'created_at',
      phone: 'hidden',
      cell: (row) => <DateTime iso={row.created_at} />,
    },
    deleteColumn('return', {
      refused: (row) => (row.items_received > 0 ? 'Its items have come back' : null),
    }),
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: RETURN_STATES.map((state) => ({ value: state, label: RETURN_STATE_NAMES[state] })),
      hiding: 'in other states',
    },
    {
      name: 'customer_id',
      label: 'Customer',
      options: [],
      chip: (id) => (/^[1-9]\d{0,9}$/.test(id) ? `#${id}` : null),
    },
  ],
  empty: { text: 'Items that customers send back: paste or scan them, and see to whom each was sold.' },
}

export default function ReturnListPage() {
  return <ListPage area={list} />
}
