import type { DeliveryCheckRow } from '@backstock/contract/delivery-check.ts'
import { CHECK_STATE_NAMES, CHECK_STATES } from '@backstock/contract/delivery-lists.ts'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import columnClasses from '../../ui/table/columns.module.css'
import { dateColumn, textColumn } from '../../ui/table/columns.tsx'
import { RowLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './delivery-check.module.css'
import { checkPath } from './delivery-check.ts'

export const list: ListArea<DeliveryCheckRow> = {
  area: 'stock/check',
  title: 'Deliveries',
  columns: [
    {
      header: '#',
      width: 76,
      sort: 'id',
      phone: 'lead',
      cell: (row) => (
        <RowLink to={checkPath(row.id)} className={`${columnClasses['id']} ${columnClasses['whole']}`}>
          {row.id}
        </RowLink>
      ),
    },
    textColumn('Name', (row) => row.name, { phone: 'lead' }),
    textColumn('Supplier', (row) => row.supplier_name),
    {
      header: 'State',
      width: 110,
      phone: 'end',
      cell: (row) => <StatusBadge status={CHECK_STATE_NAMES[row.state]} />,
    },
    {
      header: 'Scanned',
      align: 'right',
      phoneLabel: 'Scanned',
      cell: (row) => (
        <span className={classes['onOneLine']}>
          {row.scanned_count.toLocaleString('en')} of {row.expected_count.toLocaleString('en')}
        </span>
      ),
    },
    textColumn('By', (row) => row.created_by_name, { phone: 'hidden' }),
    dateColumn('Date', (row) => row.created_at, { sort: 'created_at', phone: 'hidden' }),
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: CHECK_STATES.map((state) => ({ value: state, label: CHECK_STATE_NAMES[state] })),
      hiding: 'in the other state',
    },
    {
      name: 'supplier_id',
      label: 'Supplier',
      options: [],
      chip: (id) => (/^[1-9]\d{0,9}$/.test(id) ? `#${id}` : null),
    },
  ],
  empty: {
    text: 'Scan what has arrived, and compare it with what was expected. Then receive what matches, and send the supplier a list of what is missing.',
  },
}

export default function DeliveryListPage() {
  return <ListPage area={list} />
}
